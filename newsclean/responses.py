"""From a response of Scrapy's to a page: what spiders and pipelines share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from newsclean.page import Page
from newsclean.page.decode import looks_binary
from newsclean.page.ends import has_text_after_end_tag
from newsclean.page.kinds import other_contents, other_type

if TYPE_CHECKING:
    from scrapy.http import Response


def page_of(response: Response) -> Page:
    """The page of a response, built from the tree in which the spider has looked for links.

    A response that Scrapy has not read as HTML or not to its end, or not decoded as browsers
    would, is read again from its bytes.
    """
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
    if (
        isinstance(response, HtmlResponse)
        and response.body.strip()
        and not looks_binary(response.body)
        and not other_type(content_type)
        and not other_contents(response.body)
        and "\ufffd" not in response.text
        and not has_text_after_end_tag(response.body)
    ):
        return Page.from_tree(response.selector.root, response.url)
    return Page.from_html(response.body, response.url, content_type)
