"""An index has each article once, in its newest state, whatever comes how often."""

import sqlite3
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from newsclean.apps.search import IndexTargetError, Written, open_target, sql_index
from newsclean.apps.search.index_file import SearchedFile
from newsclean.memory.sqlite import connect

from .lines import found, line, write


def stored(path: Path, name: str = "1") -> dict[str, Any]:
    with closing(SearchedFile(str(path))) as index:
        article = index.article(name)
    assert article is not None
    return article


def tables(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.execute("SELECT * FROM article JOIN line USING (number)"))


def test_the_same_lines_twice_change_nothing(path: Path) -> None:
    lines = [line("1"), line("2", "Snow fell.")]
    assert write(path, *lines) == Written(new=2)
    before = tables(path)
    assert write(path, *lines) == Written(same=2)
    assert tables(path) == before


def test_an_article_that_was_fetched_again_unchanged_is_the_same(path: Path) -> None:
    write(path, line())
    again = line(fetched_at="2026-04-01T00:00:00+00:00", unchanged=True, extraction={"score": 0.1})
    assert write(path, again) == Written(same=1)


def test_a_new_revision_replaces_the_old_one(path: Path) -> None:
    write(path, line(body="It rains."))
    assert write(path, line(body="Snow fell.", revision=2)) == Written(changed=1)
    assert (found(path, "rains"), found(path, "snow")) == ([], ["1"])
    assert stored(path)["revision"] == 2


def test_an_older_revision_is_passed_over(path: Path) -> None:
    write(path, line(body="Snow fell.", revision=2))
    assert write(path, line(body="It rains.", revision=1)) == Written(older=1)
    assert found(path, "rains") == []


def test_an_article_made_again_of_a_kept_page_replaces_the_first_extraction(path: Path) -> None:
    first = line(body="It rains. Menu")
    again = line(body="It rains.", extraction={"reextracted": True})
    write(path, first)
    assert write(path, again) == Written(changed=1)
    assert write(path, first) == Written(older=1)
    assert found(path, "menu") == []


def test_states_in_one_batch_leave_the_newest_in_any_order(tmp_path: Path) -> None:
    states = [line(body=f"Text {n}", revision=n) for n in (1, 2, 3)]
    for number, order in enumerate(permutations(states)):
        path = tmp_path / f"{number}.sqlite"
        write(path, *order)
        assert stored(path)["revision"] == 3
        assert found(path, "text") == ["1"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"body": "no id"}, "no id"),
        (line(name=" "), "no id"),
        (line(id=None), "no id"),
        (line(id="x" * 1000), "more than"),
        (line(revision="three"), "three"),
        (line(revision=-1), "-1"),
        (line(revision=10**30), "revision"),
        (line(score=float("nan")), "JSON"),
    ],
)
def test_what_is_no_article_is_refused_and_the_others_are_indexed(
    path: Path, bad: dict[str, Any], reason: str
) -> None:
    written = write(path, line("before"), bad, line("after"))
    assert written.new == 2
    (refused,) = written.refused
    assert (refused.place, reason in refused.reason) == (1, True)


def test_fields_of_wrong_types_do_no_harm(path: Path) -> None:
    odd = line(authors="Ann Lee", keywords=[1, "rain"], language={}, headline=7, site=None)
    odd["body"] = ["x"]
    assert write(path, odd) == Written(new=1)
    assert found(path, "author:lee keyword:rain") == ["1"]


def test_a_file_that_is_no_index_is_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("Buy milk. " * 200)
    with pytest.raises(IndexTargetError, match=r"notes\.txt is not an index of newsclean"):
        open_target(str(text))
    assert text.read_text() == "Buy milk. " * 200


def test_a_memory_is_no_index(tmp_path: Path) -> None:
    memory = tmp_path / "memory.sqlite"
    connect(str(memory)).close()
    with pytest.raises(IndexTargetError, match="a database, but not an index"):
        open_target(str(memory))
    with pytest.raises(IndexTargetError, match="a database, but not an index"):
        SearchedFile(str(memory))


def test_an_index_of_a_newer_newsclean_is_left_alone(path: Path) -> None:
    write(path, line())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(IndexTargetError, match="version 99"):
        open_target(str(path))
    with pytest.raises(IndexTargetError, match="version 99"):
        SearchedFile(str(path))


def test_an_index_that_is_not_there_is_not_made_by_a_search(path: Path) -> None:
    with pytest.raises(IndexTargetError, match="there is no index"):
        SearchedFile(str(path))
    assert not path.exists()


def test_an_unknown_kind_of_server_is_named() -> None:
    with pytest.raises(IndexTargetError, match=r"solr://.*postgresql://"):
        open_target("solr://localhost/news")


def test_words_are_made_again_when_the_analysis_has_changed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_index, "analysis_version", lambda: "without stems")
    monkeypatch.setattr(
        "newsclean.apps.search.indexed_article.stemmed_language", lambda language: ""
    )
    write(path, line(body="Houses"), line("2", body="Other houses"))
    assert found(path, "house") == []
    monkeypatch.undo()
    assert write(path) == Written()
    assert found(path, "house") == ["1", "2"]
    assert write(path, line(body="Snow", revision=2)) == Written(changed=1)
    assert found(path, "house") == ["2"]


def test_a_search_sees_what_was_there_while_a_batch_is_written(path: Path) -> None:
    write(path, line("1"))
    with closing(open_target(str(path))) as target, closing(SearchedFile(str(path))) as reader:
        assert reader.sites() == [("example.org", 1)]
        target.write([line("2")])
        assert reader.sites() == [("example.org", 2)]
