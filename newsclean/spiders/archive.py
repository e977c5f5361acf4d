"""The spider `archive`: the articles of saved pages, without a network."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import CloseSpider
from scrapy.utils.asyncio import run_in_thread

from newsclean.archives import LOST, PageIndex, UnusableSavedPage, build_index, prepared_pages
from newsclean.extensions.delivery import DeliveryTracker
from newsclean.extraction.methods import method_named
from newsclean.items import PageItem
from newsclean.pipelines import WorkerPipeline
from newsclean.spiders.failures import DroppedPage
from newsclean.spiders.saved_pages import NO_PAGES, SavedPageSpider, saved_response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from contextlib import AbstractContextManager

    from scrapy import Request

    from newsclean.archives import PreparedPage

#: Pages that are read at a time, and whose articles are confirmed together.
BATCH = 8

NO_ADDRESS = "no address: name it in a urls.csv, or use newsclean extract, which needs none"


class ArchiveSpider(SavedPageSpider):
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
        method = str(self.setting("NEWSCLEAN_METHOD"))
        if method_named(method, self.setting("NEWSCLEAN_MODEL")).needs_rendering:
            raise ValueError(
                f"NEWSCLEAN_METHOD={method} needs pages that a browser has shown, and those of "
                f"archives are not: newsclean extract --method {method} does it"
            )

    @property
    def newsclean_job(self) -> str:
        return f"{self.name} {' '.join(self.files)}"

    async def start(self) -> AsyncIterator[Request]:
        """Hand each page to the pipelines."""
        index = await run_in_thread(self.find_pages)
        for reason, number in index.left_out.items():
            self.count(f"dropped/{reason}" if reason in LOST else f"not_pages/{reason}", number)
        if not len(index):
            self.logger.error("No wanted page in %s", ", ".join(self.files))
            raise CloseSpider(NO_PAGES)
        method = method_named(self.setting("NEWSCLEAN_METHOD"), self.setting("NEWSCLEAN_MODEL"))
        max_size = int(self.setting("NEWSCLEAN_MAX_PAGE_SIZE")) or sys.maxsize
        pages = prepared_pages(index, method, max_size)
        while batch := await run_in_thread(self.read_batch, pages):
            with self.one_confirmation():
                for page in batch:
                    if self.is_closing:
                        return
                    await self.process_page(page)
        requests: tuple[Request, ...] = ()  # Scrapy expects a generator
        for request in requests:
            yield request

    def read_batch(
        self, pages: Iterator[PreparedPage | UnusableSavedPage]
    ) -> list[PageItem | DroppedPage]:
        """Read the next pages, and do the work of the pipelines on them."""
        batch = [item_of(page) for page in islice(pages, BATCH)]
        pipeline = self.crawler.get_item_pipeline(WorkerPipeline)  # the first one
        if pipeline is not None:
            pipeline.work_ahead(item for item in batch if isinstance(item, PageItem))
        return batch

    async def process_page(self, page: PageItem | DroppedPage) -> None:
        """Send a page through the pipelines, or count why it is of no use."""
        if isinstance(page, DroppedPage):
            self.drop(page)
            return
        if page.failure is None and not page.is_revised and self.tracker is not None:
            self.tracker.confirm_written()  # it may be another state of what was written last
        await self.process(page)

    @property
    def tracker(self) -> DeliveryTracker | None:
        return self.crawler.get_extension(DeliveryTracker)

    def one_confirmation(self) -> AbstractContextManager[None]:
        return nullcontext() if self.tracker is None else self.tracker.one_confirmation()

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


def item_of(page: PreparedPage | UnusableSavedPage) -> PageItem | DroppedPage:
    """The item of a page, or why it is of no use."""
    if isinstance(page, UnusableSavedPage):
        return DroppedPage(str(page.position), page.reason, page.message)
    saved = page.saved
    if saved.url is None:
        return DroppedPage(str(saved.position), "no-url", NO_ADDRESS)
    return PageItem(
        saved_response(saved.url, saved.content_type, saved.body),
        category=saved.category,
        fetched_at=saved.fetched_at,
        prepared=page,
    )
