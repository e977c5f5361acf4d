"""Requests and responses as newsclean sees them: keys of their meta, pages, fetches."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse

from newsclean.extraction.page import Page
from newsclean.extraction.page.decode import (
    is_utf8_declared_as,
    looks_binary,
    other_contents,
    other_type,
)
from newsclean.extraction.page.markup_repair import (
    as_browsers_read,
    close_tags,
    excess_of,
    may_be_unclosed,
)
from newsclean.memory.fetches import NO_FETCH, Fetch

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from newsclean.browser.snapshot import Snapshot


#: Encodings in which markup has the bytes of ASCII, and nothing else has.
_SAME_TAGS = frozenset({"utf-8", "ascii", "cp1252", "latin-1", "iso8859-1"})

#: Keys of a request's meta. A request of one of newsclean's own spiders for an article;
ARTICLE_REQUEST = "newsclean_article"
#: whether the article is requested even if it is not due;
RECHECK_ALL = "newsclean_recheck_all"
#: when the article has changed last, in seconds since 1970, if a source says so;
CHANGED = "newsclean_changed"
#: the number of the stored page that is the answer.
STORED_PAGE = "newsclean_parked"

#: Statuses that settle whether there is a page. Others are failures.
_FINAL_STATUSES = (200, 404, 410)


class SettledRequest(IgnoreRequest):
    """A request that is not made, or not to its end, because its answer is known."""


class NotDue(SettledRequest):
    """A request for an article that is not due yet."""

    def __init__(self, message: str, fetched: float) -> None:
        super().__init__(message)
        #: when it was fetched last, in seconds since 1970
        self.fetched = fetched


class ShownResponse(HtmlResponse):
    """A response with a snapshot of its page in a browser."""

    attributes = (*HtmlResponse.attributes, "snapshot")

    def __init__(self, *args: Any, snapshot: Snapshot | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.snapshot = snapshot


def page_of(response: Response) -> Page:
    """Return the page of a response, from the tree that Scrapy has parsed for the spider.

    If Scrapy has not read the response as HTML, not to its end, or in another encoding than
    newsclean would, the bytes are parsed again. `Page.from_html` refuses a page that is too complex
    before it is parsed.
    """
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
    if (
        isinstance(response, HtmlResponse)
        and response.body.strip()
        and not looks_binary(response.body)
        and not other_type(content_type)
        and not other_contents(response.body)
        and b"\x00" not in response.body
        and "\ufffd" not in response.text
        and not is_utf8_declared_as(response.body, response.encoding)
        and as_browsers_read(source := _source_of(response)) is source
        and not excess_of(source)
    ):
        page = Page.from_tree(response.selector.root, response.url)
        if not may_be_unclosed(page) or close_tags(response.body) == response.body:
            return page
    return Page.from_html(response.body, response.url, content_type)


def _source_of(response: HtmlResponse) -> bytes:
    """Return what Scrapy gives the parser, or bytes with the same tags."""
    if response.encoding in _SAME_TAGS:
        return response.body
    return response.text.encode("utf-8", "replace")


def urls_of(request: Request) -> tuple[str, ...]:
    """Return the URL that one of our spiders has requested, and those of its redirects."""
    if not request.meta.get(ARTICLE_REQUEST):
        return ()
    return (*request.meta.get("redirect_urls", ()), request.url)


def fetch_of(response: Response) -> Fetch:
    """Return how a response was fetched; nothing for a failure or a third-party request."""
    urls = urls_of(response.request) if response.request is not None else ()
    if not urls or response.status not in _FINAL_STATUSES:
        return NO_FETCH
    etag, last_modified = (
        (response.headers.get(name) or b"").decode("latin-1") for name in ("ETag", "Last-Modified")
    )
    return Fetch(urls, etag, last_modified, time.time())
