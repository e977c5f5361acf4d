"""Whatever a feed or a sitemap does, the spider goes on, and the report of its site shows it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import TextResponse
from scrapy.utils.test import get_crawler

from newsclean.discovery.entries import Window
from newsclean.discovery.sources import Source, SourceError
from newsclean.memory.site_health import SiteCounts
from newsclean.settings import defaults
from newsclean.spiders import news
from newsclean.spiders import source_spiders as source_module
from newsclean.spiders.news import NewsSpider
from newsclean.spiders.source_spiders import FeedSpider, SitemapSpider

HOME = "https://example.org/"
URL = "https://example.org/news.xml"
TITLES = [f"Rain in town number {number}" for number in range(12)]
RSS = "".join(
    f"<item><title>{title}</title><link>{HOME}story/{title[-2:].strip()}-rain</link></item>"
    for title in TITLES
)
NEWS_SITEMAP = "".join(
    f"<url><loc>{HOME}story/{title[-2:].strip()}-rain</loc><news><title>{title}</title></news></url>"
    for title in TITLES
)
BODIES = {
    "feed": f"<rss><channel>{RSS}</channel></rss>",
    "sitemap": f"<urlset>{NEWS_SITEMAP}</urlset>",
    "declared feed": f"<rss><channel>{RSS}</channel></rss>",
    "declared sitemap": f"<urlset>{NEWS_SITEMAP}</urlset>",
}


@pytest.fixture(autouse=True, scope="module")
def _no_threads() -> Iterator[None]:
    async def call(function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(news, "run_in_thread", call)
        patch.setattr(source_module, "run_in_thread", call)
        yield


def read(kind: str, body: bytes) -> tuple[set[str], SiteCounts]:
    """The articles that a spider requests after such a source, and what it counts for the site."""
    spider_class = {"feed": FeedSpider, "sitemap": SitemapSpider}.get(kind, NewsSpider)
    crawler = get_crawler(spider_class, {**defaults, "NEWSCLEAN_MEMORY": ":memory:"})
    url = HOME if spider_class is NewsSpider else URL
    spider: Any = spider_class.from_crawler(crawler, url=url)
    asyncio.run(_all(spider.start()))
    [section] = spider.sections
    is_named = spider_class is not NewsSpider
    source = Source(URL, "feed" if "feed" in kind else "sitemap", is_named)
    response = TextResponse(URL, body=body)
    requests = asyncio.run(_all(spider.parse_source(response, section=section, source=source)))
    return {request.url for request in requests}, spider.site_counts(HOME)


async def _all(found: AsyncIterator[Any]) -> list[Any]:
    return [one async for one in found]


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("place", ["number 7", "story/7"])
def test_an_unreadable_entry_is_left_out_and_counted_and_the_others_come(
    kind: str, place: str
) -> None:
    body = BODIES[kind].replace(place, f"{place}&#xD800;").encode()
    urls, counts = read(kind, body)
    assert urls == {f"{HOME}story/{number}-rain" for number in range(12) if number != 7}
    assert counts.dropped["entry-unreadable"] == 1
    assert counts.failed_sources == 0


@pytest.mark.parametrize("kind", BODIES)
def test_a_source_that_is_none_is_in_the_report(kind: str) -> None:
    urls, counts = read(kind, b"<html><p>Not found")
    assert urls == set()
    assert (counts.failed_sources, counts.useless_sources) == (1, 1)


@pytest.mark.parametrize("kind", BODIES)
def test_an_error_of_the_reader_costs_the_source_and_is_in_the_report(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise MemoryError

    monkeypatch.setattr("newsclean.discovery.sources.parse_feed", fail)
    monkeypatch.setattr("newsclean.discovery.sources.parse_sitemap", fail)
    urls, counts = read(kind, BODIES[kind].encode())
    assert urls == set()
    assert (counts.failed_sources, counts.useless_sources) == (1, 1)


PIECES = st.sampled_from(
    b"&#xD800; &#0; &#x110000; \xed\xa0\x80 \x00 < ]]> <!-- <item> </url> http://[ https://a.org:x/"
    b" xmlns='&#xDFFF;' xml:base='http://[' encoding='utf-16'".split()
)


@given(
    st.sampled_from(sorted(BODIES)),
    st.lists(st.tuples(st.floats(0, 1), PIECES | st.binary(max_size=4)), min_size=1, max_size=4),
)
def test_only_a_source_error_leaves_the_reader_of_a_damaged_source(
    kind: str, damages: list[tuple[float, bytes]]
) -> None:
    body = BODIES[kind].encode()
    for where, damage in damages:
        place = int(where * len(body))
        body = body[:place] + damage + body[place:]
    source = Source(URL, "feed" if "feed" in kind else "sitemap", is_named="declared" not in kind)
    try:
        found = source.read(body, URL)
    except SourceError:
        return
    assert all(
        Request(entry.url).url for entry in Window.of(since="2026-03-14").choose(found.pages)
    )
