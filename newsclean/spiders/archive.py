"""The spider `archive`: the articles of saved pages, without a network."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse
from scrapy.utils.asyncio import run_in_thread

from newsclean.archives import LOST, PageIndex, UnusableSavedPage, build_index, prepared_pages
from newsclean.items import PageItem
from newsclean.methods import method_named
from newsclean.spiders.articles import ArticleSpider
from newsclean.spiders.failures import DroppedPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy import Request

    from newsclean.archives import PreparedPage

#: Pages that are read at a time.
BATCH = 8

NO_ADDRESS = "no address: name it in a urls.csv, or use newsclean extract, which needs none"
#: The reason for which the spider is closed when there was no page.
NO_PAGES = "no_pages"


class ArchiveSpider(ArticleSpider):
    """Extracts pages that were saved before; nothing is requested from any server.

    -a file=PATH[,PATH…]   WARC and WACZ files, and folders of saved pages
    and since, until, limit: that of all pages together.

    An article needs an address: that of its record, or, in a folder, that in the column `url` of a
    `urls.csv` beside the pages. `newsclean extract` takes pages without one.

    The time of an article is that in the list or in its address, else when it was fetched.
    """

    name = "archive"
    arguments = ("file",)

    def __init__(self, file: str | None = None, **kw: Any) -> None:
        super().__init__(**kw)
        self.files = [path.strip() for path in (file or "").split(",") if path.strip()]

    def prepare(self) -> None:
        if not self.files:
            raise ValueError("say which archives: -a file=PATH, several with commas between them")
        for path in self.files:
            if not os.path.exists(path):
                raise ValueError(f"cannot read {path}: No such file or directory")

    @property
    def newsclean_job(self) -> str:
        return f"{self.name} {' '.join(self.files)}"

    async def start(self) -> AsyncIterator[Request]:
        """Hand each page to the pipelines, one after the other.

        A request that nobody has to download, and a response to it, would take more time of Scrapy
        than some pages need to be extracted.
        """
        index = await run_in_thread(self.find_pages)
        for reason, number in index.left_out.items():
            self.count(f"dropped/{reason}" if reason in LOST else f"not_pages/{reason}", number)
        if not len(index):
            self.logger.error("No wanted page in %s", ", ".join(self.files))
            raise CloseSpider(NO_PAGES)
        engine = self.crawler.engine
        assert engine is not None
        method = method_named(self.setting("NEWSCLEAN_METHOD"), self.setting("NEWSCLEAN_MODEL"))
        pages = prepared_pages(index, method)
        while batch := await run_in_thread(lambda: list(islice(pages, BATCH))):
            for page in batch:
                if engine.needs_backout():  # nothing is downloaded: the spider is being closed
                    return
                try:
                    await self.process(page)
                finally:
                    self.let_close()
        requests: tuple[Request, ...] = ()  # Scrapy expects a generator
        for request in requests:
            yield request

    async def process(self, page: PreparedPage | UnusableSavedPage) -> None:
        """Send a page through the pipelines, to its end."""
        if isinstance(page, UnusableSavedPage):
            self.drop(DroppedPage(str(page.position), page.reason, page.message))
        elif page.saved.url is None:
            self.drop(DroppedPage(str(page.saved.position), "no-url", NO_ADDRESS))
        else:
            assert self.crawler.engine is not None
            item = page_item(page, page.saved.url)
            await self.crawler.engine.scraper.start_itemproc_async(item, response=item.response)

    def let_close(self) -> None:
        """Tell a spider that is being closed, and waits for its last item, that this was it.

        Scrapy itself looks for that only after the items of a response that it has downloaded.
        """
        assert self.crawler.engine is not None
        slot = self.crawler.engine.scraper.slot
        if slot is None or slot.closing is None or slot.closing.called:
            return
        if slot.is_idle():
            slot.closing.callback(self)

    def find_pages(self) -> PageIndex:
        """Where the pages are."""

        def left_out(reason: str, what: object) -> None:
            if reason in LOST:
                self.logger.info("Dropped: [%s] %s", reason, what)

        index = build_index(
            self.files,
            int(self.setting("NEWSCLEAN_WINDOW")),
            wanted=self.window.has,
            left_out=left_out,
        )
        if self.window.limit is not None:
            index.keep_newest(self.window.limit)
        return index


def page_item(page: PreparedPage, url: str) -> PageItem:
    """The item of a page, with a response as Scrapy would have made it."""
    saved = page.saved
    headers = {"Content-Type": saved.content_type} if saved.content_type else None
    return PageItem(
        HtmlResponse(url, headers=headers, body=saved.body),
        category=saved.category,
        fetched_at=saved.fetched_at,
        prepared=page,
    )
