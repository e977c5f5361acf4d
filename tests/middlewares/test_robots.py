"""robots.txt is obeyed by requests that are made at the same time."""

import asyncio

import pytest
from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from newsclean.middlewares.politeness import MAX_SIZE, ConcurrentRobotsTxtMiddleware, first_lines

RULES = b"User-agent: *\nDisallow: /private/\n"


class Engine:
    """Downloads robots.txt, and takes a moment for it."""

    def __init__(self, body: bytes | None) -> None:
        self.body = body
        self.downloaded: list[str] = []

    async def download_async(self, request: Request) -> Response:
        self.downloaded.append(request.url)
        await asyncio.sleep(0.01)
        if self.body is None:
            raise IgnoreRequest("no such file")
        return Response(request.url, body=self.body)


def allowed(engine: Engine, *urls: str) -> list[bool]:
    """Which of some requests that are made at once may go on."""
    crawler = get_crawler(settings_dict={"ROBOTSTXT_OBEY": True})
    crawler.engine = engine  # type: ignore[assignment]
    middleware = ConcurrentRobotsTxtMiddleware.from_crawler(crawler)

    async def ask() -> list[BaseException | None]:
        requests = [middleware.process_request(Request(url)) for url in urls]
        return await asyncio.gather(*requests, return_exceptions=True)

    results = asyncio.run(ask())
    assert all(result is None or isinstance(result, IgnoreRequest) for result in results), results
    return [result is None for result in results]


def test_all_first_requests_of_a_host_obey() -> None:
    engine = Engine(RULES)
    urls = [f"https://example.org/{path}/{n}" for n in range(4) for path in ("private", "news")]
    assert allowed(engine, *urls) == [False, True] * 4
    assert engine.downloaded == ["https://example.org/robots.txt"]


def test_each_host_has_its_own_rules() -> None:
    engine = Engine(RULES)
    assert allowed(engine, "https://a.example/private/1", "https://b.example/1") == [False, True]
    assert len(engine.downloaded) == 2


def test_a_host_without_rules_allows_everything() -> None:
    urls = [f"https://example.org/private/{n}" for n in range(3)]
    assert allowed(Engine(None), *urls) == [True, True, True]


def test_it_is_off_where_scrapys_own_is_off() -> None:
    with pytest.raises(NotConfigured):
        ConcurrentRobotsTxtMiddleware.from_crawler(
            get_crawler(settings_dict={"ROBOTSTXT_OBEY": False})
        )


def test_half_a_rule_at_the_end_of_what_is_read_is_left_out() -> None:
    line = b"Disallow: /private/things/\n"
    cut = first_lines(b"User-agent: *\n" + line * 30_000)
    assert len(cut) <= MAX_SIZE
    assert cut.endswith(line)
