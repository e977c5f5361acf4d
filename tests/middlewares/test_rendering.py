"""What a page may ask for while it is rendered, and which pages are rendered."""

import asyncio
import json
import sys
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from newsclean.browser.chromium import Answer, BrowserRequest
from newsclean.discovery.site_settings import SettingsOfSites, SiteSettings
from newsclean.middlewares.refusals import SAME_SITE, RefusedRequest
from newsclean.middlewares.rendering import (
    MAX_AT_A_TIME,
    MAX_REQUESTS,
    PICTURE,
    PageRequests,
    RenderingMiddleware,
    SharedFiles,
    shows_no_text,
)
from newsclean.settings import defaults

SHELL = (
    "<div id=root></div><noscript>Please turn on JavaScript.</noscript><script src=/a.js></script>"
)
TEXTS = [f"On day {day} it rained, and the boats stayed in." for day in range(15)]


def response(html: str) -> HtmlResponse:
    return HtmlResponse("https://example.org/rain", body=html.encode())


def test_a_page_without_text_is_shown_to_a_browser() -> None:
    assert shows_no_text(response(SHELL))


def test_a_page_whose_state_has_the_text_is_not() -> None:
    state = f"<script type=application/json>{json.dumps({'story': TEXTS})}</script>"
    assert not shows_no_text(response(SHELL + state))


def test_a_page_whose_state_has_labels_only_is_shown_to_a_browser() -> None:
    state = f"<script type=application/json>{json.dumps({'menu': ['Sport'] * 300})}</script>"
    assert shows_no_text(response(SHELL + state))


PAGE = "https://www.example.org/news/1"


class Downloads:
    """Stands for Scrapy's engine."""

    def __init__(self, error: Exception | None = None, status: int = 200) -> None:
        self.error, self.status = error, status
        self.requests: list[Request] = []
        self.at_work = self.most_at_work = 0

    async def download_async(self, request: Request) -> Response:
        self.requests.append(request)
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        await asyncio.sleep(0)
        self.at_work -= 1
        if self.error is not None:
            raise self.error
        headers = {"Content-Type": "text/javascript", "Set-Cookie": "a=b", "Content-Length": "9"}
        return Response(request.url, self.status, headers, b"script")


@pytest.fixture
def downloads() -> Downloads:
    return Downloads()


def page(downloads: Any, shared: SharedFiles | None = None) -> PageRequests:
    crawler = get_crawler()
    crawler.engine = downloads
    return PageRequests(crawler, PAGE, shared or SharedFiles())


def wanted(url: str, kind: str = "script", method: str = "GET", **headers: str) -> BrowserRequest:
    return BrowserRequest(url, method, kind, headers, None)


def ask(requests: PageRequests, *asked: BrowserRequest) -> list[Answer | None]:
    async def all_of_them() -> list[Answer | None]:
        return list(await asyncio.gather(*map(requests.answer, asked)))

    return asyncio.run(all_of_them())


@pytest.mark.parametrize(
    "asked",
    [
        wanted("https://cdn.example.net/app.js"),
        wanted("https://example.org:8443/app.js"),
        wanted("http://127.0.0.1/app.js"),
        wanted("https://example.org/film.mp4", "media"),
        wanted("https://example.org/font.woff", "font"),
        wanted("https://example.org/frame.html", "document"),
        wanted("https://example.org/seen", "ping"),
        wanted("https://example.org/news", "eventsource"),
        wanted("https://example.org/news/1", "fetch", "DELETE"),
        wanted("file:///etc/passwd", "fetch"),
    ],
)
def test_other_sites_kinds_and_methods_are_refused(
    asked: BrowserRequest, downloads: Downloads
) -> None:
    assert ask(page(downloads), asked) == [None]
    assert downloads.requests == []


def test_a_host_of_the_same_site_may_be_asked_with_the_page_s_headers_and_no_others(
    downloads: Downloads,
) -> None:
    headers = {"x-key": "1", "cookie": "a", "user-agent": "Chrome", "sec-fetch-mode": "cors"}
    (answer,) = ask(page(downloads), wanted("https://api.example.org/1", "xhr", "POST", **headers))
    (request,) = downloads.requests
    assert request.method == "POST"
    assert list(request.headers) == [b"X-Key"]
    assert answer is not None
    assert answer.headers == {"Content-Type": "text/javascript"}


def test_a_picture_is_answered_without_a_request(downloads: Downloads) -> None:
    assert ask(page(downloads), wanted("https://other.example/a.png", "image")) == [PICTURE]
    assert downloads.requests == []


def test_a_script_is_downloaded_once_for_all_pages_and_data_for_each(downloads: Downloads) -> None:
    shared = SharedFiles()
    for _ in range(3):
        ask(page(downloads, shared), wanted("https://example.org/app.js"))
        ask(page(downloads, shared), wanted("https://example.org/data", "fetch"))
    urls = [request.url for request in downloads.requests]
    assert urls.count("https://example.org/app.js") == 1
    assert urls.count("https://example.org/data") == 3


def test_an_error_page_is_not_kept_as_a_script() -> None:
    downloads, shared = Downloads(status=503), SharedFiles()
    first = page(downloads, shared)
    ask(first, wanted("https://example.org/app.js"))
    assert first.failed == 1
    ask(page(downloads, shared), wanted("https://example.org/app.js"))
    assert len(downloads.requests) == 2


def test_kept_scripts_take_no_more_than_they_may() -> None:
    shared = SharedFiles(max_size=25)
    for name in "abc":
        shared.add(name, Answer(b"0123456789", {}))
    assert shared.get("a") is None
    assert shared.get("b") is not None
    assert shared.size == 20


def test_a_page_that_asks_without_end_is_cut_off(downloads: Downloads) -> None:
    asked = [wanted(f"https://example.org/{n}", "fetch") for n in range(MAX_REQUESTS + 50)]
    requests = page(downloads)
    ask(requests, *asked)
    assert len(downloads.requests) == MAX_REQUESTS
    assert downloads.most_at_work == MAX_AT_A_TIME
    assert requests.crawler.stats is not None
    assert requests.crawler.stats.get_value("newsclean/rendering/refused/too-many") == 50


@pytest.mark.parametrize(
    ("error", "failed", "stat"),
    [
        (IgnoreRequest("Forbidden by robots.txt"), 0, "refused/robots-txt"),
        (OSError("connection lost"), 1, "requests/failed"),
    ],
)
def test_what_is_forbidden_is_refused_and_what_is_lost_has_failed(
    error: Exception, failed: int, stat: str
) -> None:
    requests = page(Downloads(error))
    assert ask(requests, wanted("https://example.org/data", "fetch")) == [None]
    assert requests.failed == failed
    assert requests.crawler.stats is not None
    assert requests.crawler.stats.get_value(f"newsclean/rendering/{stat}") == 1


@pytest.mark.parametrize("mode", ["empty", "always"])
def test_the_scripts_of_a_browser_check_are_not_run(mode: str) -> None:
    settings = {"NEWSCLEAN_RENDER": mode, "NEWSCLEAN_CHROMIUM": sys.executable}
    rendering = RenderingMiddleware(get_crawler(settings_dict=defaults | settings))
    check = response("<p>One moment.</p><script>window._cf_chl_opt = {};</script>")

    assert asyncio.run(_processed(rendering, check)) is check
    with pytest.raises(RefusedRequest) as refused:
        asyncio.run(_processed(rendering, check, meta={SAME_SITE: True}))
    assert refused.value.reason == "blocked/challenge"
    assert not rendering.renderer.starts


def test_a_site_file_decides_whether_its_pages_are_rendered() -> None:
    crawler = get_crawler(settings_dict=defaults | {"NEWSCLEAN_CHROMIUM": sys.executable})
    with pytest.raises(NotConfigured):
        RenderingMiddleware(crawler)
    sites = SettingsOfSites()
    sites.add(["https://example.org/"], SiteSettings(render="always"))
    crawler.spider = Spider("news")
    crawler.spider.site_settings = sites  # type: ignore[attr-defined]
    rendering = RenderingMiddleware(crawler)
    rendered: list[str] = []

    async def note(response: HtmlResponse, page: PageRequests) -> HtmlResponse:
        rendered.append(response.url)
        return response

    rendering._rendered = note  # type: ignore[method-assign]
    for url in ("https://www.example.org/rain", "https://example.net/rain"):
        shell = HtmlResponse(url, body=SHELL.encode())
        asyncio.run(_processed(rendering, shell))
    assert rendered == ["https://www.example.org/rain"]


async def _processed(
    rendering: RenderingMiddleware, response: HtmlResponse, **request: Any
) -> Response:
    return await rendering.process_response(Request(response.url, **request), response)
