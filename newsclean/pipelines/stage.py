"""What all pipelines of a page's way have in common: work in a thread, drops that are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import DropItem
from scrapy.utils.asyncio import run_in_thread

from newsclean.items import PageItem

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class PageStage:
    """Does one thing to each `PageItem`; other items pass untouched.

    The work of a page is done in a thread, so that no page, however large, keeps the crawl from
    downloading. `work` raises `Unusable` for a page that ends here.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.settings = crawler.settings

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        if isinstance(item, PageItem):
            try:
                await run_in_thread(self.work, item)
            except Unusable as drop:
                self.count(f"dropped/{drop.reason}")
                raise
        return item

    def work(self, item: PageItem) -> None:
        raise TypeError(f"{type(self).__name__} does not say what it does")

    def count(self, name: str, value: int = 1) -> None:
        """Add to a stat of ours."""
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/{name}", value)


class Waiting(DropItem):
    """A page leaves the flow until it has neighbors; it comes back."""

    def __init__(self, item: PageItem, neighbors: int) -> None:
        message = f"waits for neighbors, has {neighbors}: <{item.url}>"
        super().__init__(message, log_level="DEBUG")


class Unusable(DropItem):
    """A page that ends here, with the reason in the log and in the stats."""

    def __init__(self, item: PageItem, reason: str, message: str) -> None:
        super().__init__(f"{message} [{reason}] <{item.url}>", log_level="INFO")
        self.reason = reason
