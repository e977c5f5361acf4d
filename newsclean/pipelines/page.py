"""From a response to a page: parse once, walk once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.drops import UnusablePage
from newsclean.page import PageError
from newsclean.responses import page_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.items import PageItem
    from newsclean.page import Page


class PageStep:
    def __init__(self, crawler: Crawler) -> None:
        self.max_size = crawler.settings.getint("NEWSCLEAN_MAX_PAGE_SIZE")

    def read(self, item: PageItem) -> Page:
        response = item.response
        if response.status != 200:
            reason = f"http-{response.status}"
            raise UnusablePage(item.url, reason, "not a page: error status")
        if self.max_size and len(response.body) > self.max_size:
            size = f"{len(response.body):,} bytes, NEWSCLEAN_MAX_PAGE_SIZE is {self.max_size:,}"
            raise UnusablePage(item.url, "too-large", f"page too large: {size}")
        if item.prepared is not None:
            return item.prepared.page
        try:
            return page_of(response)
        except PageError as error:
            raise UnusablePage(item.url, error.reason, str(error)) from None
