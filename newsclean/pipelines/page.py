"""From a response to a page: parse once, walk once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from newsclean.page import Page, PageError
from newsclean.page.decode import looks_binary
from newsclean.page.ends import goes_on
from newsclean.page.kinds import other_contents, other_type
from newsclean.pipelines.stage import PageStage, Unusable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from newsclean.items import PageItem


class PagePipeline(PageStage):
    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.largest = self.settings.getint("NEWSCLEAN_MAX_PAGE_SIZE")

    def work(self, item: PageItem) -> None:
        response = item.response
        if response.status != 200:
            raise Unusable(item, f"http-{response.status}", "not a page: error status")
        if self.largest and len(response.body) > self.largest:
            size = f"{len(response.body):,} bytes, NEWSCLEAN_MAX_PAGE_SIZE is {self.largest:,}"
            raise Unusable(item, "too-large", f"page too large: {size}")
        try:
            item.page = page_of(response)
        except PageError as error:
            raise Unusable(item, error.reason, str(error)) from None


def page_of(response: Response) -> Page:
    """The page of a response, built from the tree in which the spider has looked for links."""
    kind = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
    if (
        isinstance(response, HtmlResponse)
        and response.body.strip()
        and not looks_binary(response.body)
        and not other_type(kind)
        and not other_contents(response.body)
        and "\ufffd" not in response.text
        and not goes_on(response.body)
    ):
        return Page.from_tree(response.selector.root, response.url)
    # Not read as HTML or not to its end, or not decoded as it should be: ask the bytes.
    return Page.from_html(response.body, response.url, kind)
