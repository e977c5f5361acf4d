"""OpenSearch and Elasticsearch, played by a server that knows the rules of their bulk API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from newsclean.apps.search import IndexTargetError, TargetDownError, Written, open_target
from newsclean.apps.search.index_target import check_address
from tests.servers.ports import free_port

from .bulk_server import BulkServer, serve_bulk
from .crawl_lines import article_id, line

KINDS = ("opensearch", "elasticsearch")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server() -> Iterator[BulkServer]:
    with serve_bulk() as running:
        yield running
    assert running.broken_rules == []


@pytest.fixture
def address(kind: str, server: BulkServer) -> str:
    return f"{kind}+http://{server.host}/newsclean"


def write(address: str, *lines: dict[str, Any]) -> Written:
    target = open_target(address)
    try:
        return target.write(lines)
    finally:
        target.close()


def test_articles_are_indexed_with_their_mapping(address: str, server: BulkServer) -> None:
    assert write(address, *map(line, range(30))) == Written(new=30)
    assert set(server.documents()) == {article_id(number) for number in range(30)}
    source = server.documents()[article_id(3)]
    assert source["headline"] == "Rain, day 3"
    assert source["text_en"].startswith("Rain, day 3")
    properties = server.settings["newsclean"]["mappings"]["properties"]
    assert properties["date_published"]["type"] == "date"
    assert properties["text_en"]["analyzer"] == "english"


def test_the_same_lines_again_change_nothing(address: str, server: BulkServer) -> None:
    write(address, *map(line, range(3)))
    assert write(address, *map(line, range(3))) == Written(same=3)


def test_a_newer_revision_replaces_an_older_one_and_never_the_reverse(
    address: str, server: BulkServer
) -> None:
    write(address, line(1, revision=2))
    assert write(address, line(1, revision=3, headline="Sun")) == Written(changed=1)
    assert write(address, line(1, revision=1)) == Written(same=1)
    assert server.documents()[article_id(1)]["headline"] == "Sun"


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_tried_again_later(address: str, server: BulkServer, status: int) -> None:
    target = open_target(address)
    server.statuses = [status]
    with pytest.raises(TargetDownError, match=f"busy.*{status}"):
        target.write([line(1)])
    assert server.bulk_requests == 1  # the client itself does not insist
    assert target.write([line(1)]) == Written(new=1)
    target.close()


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_is_too_busy_for_some_gets_all_again(
    address: str, server: BulkServer, status: int
) -> None:
    target = open_target(address)
    server.item_statuses = [None, status]
    with pytest.raises(TargetDownError, match="busy"):
        target.write([line(1), line(2), line(3)])
    assert target.write([line(1), line(2), line(3)]) == Written(new=1, same=2)
    target.close()


def test_one_article_that_is_refused_does_not_cost_the_others(
    address: str, server: BulkServer
) -> None:
    target = open_target(address)
    server.item_statuses = [None, 400]
    written = target.write([line(1), line(2), line(3, id=" "), line(4)])
    target.close()
    assert written.new == 2
    assert sorted(each.place for each in written.refused) == [1, 2]
    assert set(server.documents()) == {article_id(1), article_id(4)}


def test_a_request_that_is_too_large_is_sent_in_parts(address: str, server: BulkServer) -> None:
    server.max_request = 20_000
    long = "rain " * 10_000
    written = write(address, *(line(number) for number in range(30)), line(99, body=long))
    assert written.new == 30
    assert [each.reason for each in written.refused] == ["too large for the server"]


def test_an_index_that_was_removed_is_created_again(address: str, server: BulkServer) -> None:
    target = open_target(address)
    del server.indexes["newsclean"]
    with pytest.raises(IndexTargetError, match="index_not_found"):
        target.write([line(1)])
    target.close()
    assert write(address, line(1)) == Written(new=1)


def test_a_wrong_password_is_an_error_that_does_not_show_it(kind: str, server: BulkServer) -> None:
    server.login = "news:right"
    assert write(f"{kind}+http://news:right@{server.host}/newsclean", line(1)) == Written(new=1)
    with pytest.raises(IndexTargetError, match="401") as error:
        write(f"{kind}+http://news:wrong@{server.host}/newsclean", line(1))
    assert "wrong" not in str(error.value)


def test_a_wrong_address_is_an_error_that_does_not_show_the_password(kind: str) -> None:
    with pytest.raises(IndexTargetError, match="is not the URL of an index") as error:
        open_target(f"{kind}+http://news:secret@localhost:9200/a/b")
    assert "secret" not in str(error.value)


def test_no_server_is_a_target_that_is_down(kind: str) -> None:
    with pytest.raises(TargetDownError, match="does not answer"):
        open_target(f"{kind}+http://127.0.0.1:{free_port()}/newsclean")


def test_hostile_content_arrives_as_text(address: str, server: BulkServer) -> None:
    hostile = '<script>"}\n{"delete":{"_id":"1"}}\n \x00 \ud83d \u2028 יום 🌧️'
    assert write(address, line(1, body=hostile, headline=hostile), line(2)).new == 2
    shown = hostile.replace("\x00", "\ufffd").replace("\ud83d", "\ufffd")
    assert server.documents()[article_id(1)]["body"] == shown


def test_a_body_of_five_megabytes_is_indexed(address: str, server: BulkServer) -> None:
    assert write(address, line(1, body="rain " * 1_000_000), line(2)) == Written(new=2)
    assert len(server.documents()[article_id(1)]["body"]) == 5_000_000


def test_a_wrong_address_is_refused_with_the_value() -> None:
    with pytest.raises(IndexTargetError, match=r"solr:// is not a known kind of index"):
        check_address("solr://localhost")
    with pytest.raises(IndexTargetError, match="Port"):
        check_address("opensearch+http://localhost:ninety/x")
    with pytest.raises(IndexTargetError, match="is not the URL of an index"):
        open_target("opensearch+http://localhost:9200/a/b")
    check_address("index.db")
