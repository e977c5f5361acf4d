"""From a response of Scrapy's to a page: what spiders and pipelines share."""

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


#: Encodings in which the signs of markup are those of ASCII, and nothing else is.
_SAME_TAGS = frozenset({"utf-8", "ascii", "cp1252", "latin-1", "iso8859-1"})

#: The key of a request's meta that marks the request of one of our spiders for an article.
ARTICLE_REQUEST = "newsclean_article"
#: And the one that asks for it whether it is due or not.
RECHECK_ALL = "newsclean_recheck_all"

#: And when the article has changed last, in seconds since 1970, if a source says so.
CHANGED = "newsclean_changed"

#: The key of a request's meta with the number of a stored page, which the memory answers with.
STORED_PAGE = "newsclean_parked"

#: The page, or that there is none: what a server says for good. Others are failures.
_FINAL_STATUSES = (200, 404, 410)


class SettledRequest(IgnoreRequest):
    """A request that need not go on: what it asks for is known."""


class NotDue(SettledRequest):
    """A request for what was fetched a short while ago."""

    def __init__(self, message: str, fetched: float) -> None:
        super().__init__(message)
        #: when it was, in seconds since 1970
        self.fetched = fetched


class ShownResponse(HtmlResponse):
    """A response with the way in which a browser shows its page."""

    attributes = (*HtmlResponse.attributes, "snapshot")

    def __init__(self, *args: Any, snapshot: Snapshot | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.snapshot = snapshot


def page_of(response: Response) -> Page:
    """The page of a response, built from the tree in which the spider has looked for links.

    A response that Scrapy has not read as HTML or not to its end, or not decoded as we would, is
    read again from its bytes; one that is too complex to be read is refused there, before anybody
    has parsed it.
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
    """What Scrapy gives the parser, or bytes with the same tags."""
    if response.encoding in _SAME_TAGS:
        return response.body
    return response.text.encode("utf-8", "replace")


def addresses_of(request: Request) -> tuple[str, ...]:
    """The address for which a spider of ours has asked, and those to which it was redirected."""
    if not request.meta.get(ARTICLE_REQUEST):
        return ()
    return (*request.meta.get("redirect_urls", ()), request.url)


def fetch_of(response: Response) -> Fetch:
    """How a response was fetched; nothing if it is a failure, or not for a request of ours."""
    addresses = addresses_of(response.request) if response.request is not None else ()
    if not addresses or response.status not in _FINAL_STATUSES:
        return NO_FETCH
    etag, last_modified = (
        (response.headers.get(name) or b"").decode("latin-1") for name in ("ETag", "Last-Modified")
    )
    return Fetch(addresses, etag, last_modified, time.time())
