"""Requests for articles that were fetched before."""

import time
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from newsclean.memory.fetches import Fetch
from newsclean.middlewares.refusals import RechecksMiddleware
from newsclean.middlewares.responses import (
    ARTICLE_REQUEST,
    CHANGED,
    RECHECK_ALL,
    NotDue,
    SettledRequest,
)

URL = "https://example.org/news/rain-in-town-goes-on-4711.html"
DATE = "Sat, 14 Mar 2026 09:26:53 GMT"
HOUR, DAY = 3600.0, 86400.0


def middleware(**settings: Any) -> RechecksMiddleware:
    settings |= {"ADDONS": {"newsclean.addon.Newsclean": 500}, "NEWSCLEAN_MEMORY": ":memory:"}
    return RechecksMiddleware.from_crawler(get_crawler(settings_dict=settings))


def fetched(
    rechecks: RechecksMiddleware, published: float, last: float, *, is_delivered: bool = True
) -> None:
    """The address was published and last fetched this many seconds ago."""
    now = time.time()
    rechecks.memory.fetches.record(Fetch((URL,), '"1"', DATE), is_delivered=is_delivered)
    rechecks.memory.database.execute(
        "UPDATE fetch SET published = ?, fetched = ?", (now - published, now - last)
    )


def request(**meta: Any) -> Request:
    return Request(URL, meta={ARTICLE_REQUEST: True, **meta})


@pytest.mark.parametrize(
    ("published", "last", "is_due"),
    [
        (10 * 60, 10 * 60, False),
        (20 * 60, 16 * 60, True),
        (4 * HOUR, 1 * HOUR, False),
        (4 * HOUR, 3 * HOUR, True),
        (20 * DAY, 6 * DAY, False),
        (20 * DAY, 7.1 * DAY, True),
        (31 * DAY, 20 * DAY, False),
    ],
)
def test_the_older_an_article_the_later_it_is_due(
    published: float, last: float, is_due: bool
) -> None:
    rechecks = middleware()
    fetched(rechecks, published, last)
    if is_due:
        rechecks.process_request(request())
        return
    with pytest.raises(SettledRequest):
        rechecks.process_request(request())
    assert rechecks.state.crawler.stats is not None
    assert rechecks.state.crawler.stats.get_value("newsclean/not_due") == 1


@pytest.mark.parametrize(
    ("published", "last", "changed", "is_due"),
    [
        (4 * HOUR, 1 * HOUR, 0.5 * HOUR, True),
        (4 * HOUR, 1 * HOUR, 1.5 * HOUR, False),
        (99 * DAY, 20 * DAY, 1 * DAY, True),
        # Yet to come, by a wrong clock or zone; and a site that calls everything changed, always.
        (4 * HOUR, 1 * HOUR, -1 * HOUR, False),
        (4 * HOUR, 5 * 60, 1.0, False),
    ],
)
def test_what_a_source_calls_changed_since_the_last_fetch_is_due(
    published: float, last: float, changed: float, is_due: bool
) -> None:
    rechecks = middleware()
    fetched(rechecks, published, last)
    asked = request(**{CHANGED: time.time() - changed})
    if is_due:
        rechecks.process_request(asked)
        assert asked.headers["If-None-Match"] == b'"1"'
        return
    with pytest.raises(NotDue):
        rechecks.process_request(asked)


def test_an_article_that_is_not_due_but_found_again_is_among_those_that_are_remembered() -> None:
    rechecks = middleware()
    fetched(rechecks, 31 * DAY, 20 * DAY)
    rechecks.memory.database.execute("UPDATE fetch SET seen = ?", (time.time() - 20 * DAY,))
    with pytest.raises(NotDue):
        rechecks.process_request(request())
    found = rechecks.memory.fetches.get(URL)
    assert found is not None
    assert time.time() - found.seen < 60


def test_what_is_due_is_requested_with_its_validators() -> None:
    rechecks = middleware()
    fetched(rechecks, DAY, DAY)
    asked = request()
    rechecks.process_request(asked)
    assert asked.headers["If-None-Match"] == b'"1"'
    assert asked.headers["If-Modified-Since"] == DATE.encode()


def test_what_was_not_delivered_is_requested_in_full() -> None:
    rechecks = middleware()
    fetched(rechecks, DAY, DAY, is_delivered=False)
    asked = request()
    rechecks.process_request(asked)
    assert not {"If-None-Match", "If-Modified-Since"} & {k.decode() for k in asked.headers}


def test_a_redirected_request_loses_the_validators_of_the_url_before() -> None:
    rechecks = middleware()
    asked = request().replace(url="https://example.org/other", headers={"If-None-Match": '"1"'})
    rechecks.process_request(asked)
    assert not asked.headers


@pytest.mark.parametrize(
    ("settings", "meta"), [({"NEWSCLEAN_RECHECK_ALL": True}, {}), ({}, {RECHECK_ALL: True})]
)
def test_everything_is_requested_now_if_asked_for(
    settings: dict[str, Any], meta: dict[str, Any]
) -> None:
    rechecks = middleware(**settings)
    fetched(rechecks, 31 * DAY, 60)
    rechecks.process_request(request(**meta))


def test_not_modified_is_remembered_as_a_fetch() -> None:
    rechecks = middleware()
    fetched(rechecks, DAY, DAY)
    with pytest.raises(SettledRequest):
        rechecks.process_response(request(), Response(URL, status=304))
    last = rechecks.memory.fetches.get(URL)
    assert last is not None
    assert time.time() - last.fetched < 60
    assert last.etag == '"1"'


def test_the_requests_of_other_spiders_pass_untouched() -> None:
    rechecks = middleware()
    fetched(rechecks, DAY, 0.0)
    asked = Request(URL, headers={"If-None-Match": '"mine"'})
    rechecks.process_request(asked)
    assert asked.headers["If-None-Match"] == b'"mine"'
    answer = Response(URL, status=304)
    assert rechecks.process_response(asked, answer) is answer
