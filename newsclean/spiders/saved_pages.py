"""What spiders share whose pages need no download: they were saved before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.http import HtmlResponse

from newsclean.spiders.articles import ArticleSpider

if TYPE_CHECKING:
    from newsclean.items import PageItem

#: The reason for which the spider is closed when there was no page.
NO_PAGES = "no_pages"


class SavedPageSpider(ArticleSpider):
    """Hands pages to the pipelines, one after the other.

    A request that nobody has to download, and a response to it, would take more time of Scrapy than
    some pages need to be extracted.
    """

    custom_settings: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "NEWSCLEAN_REPORTS": False,  # how a site is, saved pages do not say
    }

    @property
    def is_closing(self) -> bool:
        """Whether no further page is wanted."""
        engine: Any = self.crawler.engine
        slot = engine.scraper.slot
        return not engine.running or slot is None or slot.closing is not None

    async def process(self, item: PageItem) -> None:
        """Send a page through the pipelines, to its end."""
        assert self.crawler.engine is not None
        try:
            await self.crawler.engine.scraper.start_itemproc_async(item, response=item.response)
        finally:
            self._let_close()

    def _let_close(self) -> None:
        """Tell a spider that is being closed, and waits for its last item, that this was it.

        Scrapy itself looks for that only after the items of a response that it has downloaded.
        """
        assert self.crawler.engine is not None
        slot = self.crawler.engine.scraper.slot
        if slot is None or slot.closing is None or slot.closing.called:
            return
        if slot.is_idle():
            slot.closing.callback(self)


def saved_response(url: str, content_type: str, body: bytes) -> HtmlResponse:
    """A response as Scrapy would have made it of a saved page."""
    headers = {"Content-Type": content_type} if content_type else None
    return HtmlResponse(url, headers=headers, body=body)
