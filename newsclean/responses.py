"""From a response of Scrapy's to a page: what spiders and pipelines share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from newsclean.page import Page
from newsclean.page.complexity import excess_of
from newsclean.page.decode import is_utf8_declared_as, looks_binary
from newsclean.page.ends import has_text_after_end_tag
from newsclean.page.kinds import other_contents, other_type

if TYPE_CHECKING:
    from scrapy.http import Response

#: Encodings in which the signs of markup are those of ASCII, and nothing else is.
SAME_TAGS = frozenset({"utf-8", "ascii", "cp1252", "latin-1", "iso8859-1"})


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
        and not has_text_after_end_tag(response.body)
        and not excess_of(_source_of(response))
    ):
        return Page.from_tree(response.selector.root, response.url)
    return Page.from_html(response.body, response.url, content_type)


def _source_of(response: HtmlResponse) -> bytes:
    """What Scrapy gives the parser, or bytes with the same tags."""
    if response.encoding in SAME_TAGS:
        return response.body
    return response.text.encode("utf-8", "replace")
