"""The spiders `archive` and `reextract`: they send saved pages through the pipelines."""

from __future__ import annotations

import os
import sys
from abc import abstractmethod
from itertools import islice
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse
from scrapy.utils.asyncio import run_in_thread

from newsclean.archives.archive_index import PageIndex, build_index
from newsclean.archives.paged_articles import join_article, join_articles
from newsclean.archives.read_ahead import UnusableSavedPage, prepared_pages
from newsclean.archives.warc_files import LOST
from newsclean.crawl_state import CrawlState
from newsclean.discovery.entries import Entry
from newsclean.discovery.site_files import checked_url, listed, read_site
from newsclean.discovery.site_settings import SiteSettings
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.methods.registry import method_named
from newsclean.items import PageItem
from newsclean.middlewares.rendering import RenderingMiddleware
from newsclean.pipelines import WorkerPipeline
from newsclean.spiders.article_spider import ArticleSpider, DroppedPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy import Request

    from newsclean.archives.paged_articles import JoinedArticle, PagedArticle
    from newsclean.archives.read_ahead import PreparedPage
    from newsclean.memory import StoredPage

#: The reason why the spider is closed when there was no page.
NO_PAGES = "no_pages"

#: Pages that are read together, and whose articles are confirmed together.
_BATCH = 8

_NO_URL = "no URL: name it in a urls.csv, or use newsclean extract, which needs none"


class SavedPageSpider(ArticleSpider):
    """Passes saved pages to the pipelines, one after the other, without requests.

    For some pages, Scrapy would spend more time on a request and its response than the extraction
    takes.
    """

    custom_settings: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "NEWSCLEAN_REPORTS": False,  # saved pages say nothing about the state of a site
    }

    async def start(self) -> AsyncIterator[Request]:
        await self.process_pages()
        requests: tuple[Request, ...] = ()  # Scrapy expects an asynchronous generator
        for request in requests:
            yield request

    @abstractmethod
    async def process_pages(self) -> None:
        """Send each page through the pipelines."""

    @property
    def is_closing(self) -> bool:
        engine: Any = self.crawler.engine
        slot = engine.scraper.slot
        return not engine.running or slot is None or slot.closing is not None

    async def process(self, item: PageItem) -> None:
        """Send a page through all pipelines."""
        assert self.crawler.engine is not None
        try:
            await self.crawler.engine.scraper.start_itemproc_async(item, response=item.response)
        finally:
            self._let_close()

    def _let_close(self) -> None:
        """Let a spider close that is waiting for its last item, if this was it.

        Scrapy itself checks this only after the items of a downloaded response.
        """
        assert self.crawler.engine is not None
        slot = self.crawler.engine.scraper.slot
        if slot is None or slot.closing is None or slot.closing.called:
            return
        if slot.is_idle():
            slot.closing.callback(self)


def _saved_response(url: str, content_type: str, body: bytes) -> HtmlResponse:
    headers = {"Content-Type": content_type} if content_type else None
    return HtmlResponse(url, headers=headers, body=body)


class ArchiveSpider(SavedPageSpider):
    """Extracts the articles of saved pages; nothing is requested from any server.

    -a file=PATH[,PATH…]   WARC and WACZ files, and folders of saved pages
    and since, until, limit: the limit is for all pages together.

    An article needs a URL: that of its record or, in a folder, that in the column `url` of a
    `urls.csv` beside the pages. `newsclean extract` accepts pages without one.

    The time of an article is that in the list or in its URL, or else when it was fetched. An
    article on several pages is one article, with the time of its first page.
    """

    name = "archive"
    arguments = ("file",)

    def __init__(self, file: str | None = None, **kw: Any) -> None:
        super().__init__(**kw)
        self.files = listed(file)

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

    async def process_pages(self) -> None:
        with TemporaryDirectory(prefix="newsclean-") as folder:
            await self.process_archives(folder)

    async def process_archives(self, folder: str) -> None:
        """Send each page through the pipelines; joined pages are in a folder meanwhile."""
        index = await run_in_thread(self.find_pages, folder)
        for reason, number in index.left_out.items():
            self.count(f"dropped/{reason}" if reason in LOST else f"not_pages/{reason}", number)
        if not len(index):
            self.logger.error("No wanted page in %s", ", ".join(self.files))
            raise CloseSpider(NO_PAGES)
        method = method_named(self.setting("NEWSCLEAN_METHOD"), self.setting("NEWSCLEAN_MODEL"))
        max_size = int(self.setting("NEWSCLEAN_MAX_PAGE_SIZE")) or sys.maxsize
        pages = prepared_pages(index, method, max_size)
        while batch := await run_in_thread(self.read_batch, pages):
            with CrawlState.of(self.crawler).one_confirmation():
                for page in batch:
                    if self.is_closing:
                        return
                    await self.process_page(page)

    def read_batch(
        self, pages: Iterator[PreparedPage | UnusableSavedPage]
    ) -> list[PageItem | DroppedPage]:
        """Read the next pages, and do the work of the pipelines that needs no reactor."""
        batch = [_item_of(page) for page in islice(pages, _BATCH)]
        pipeline = self.crawler.get_item_pipeline(WorkerPipeline)  # the first one
        if pipeline is not None:
            pipeline.work_ahead(item for item in batch if isinstance(item, PageItem))
        return batch

    async def process_page(self, page: PageItem | DroppedPage) -> None:
        """Send a page through the pipelines, or count why it is of no use."""
        if isinstance(page, DroppedPage):
            self.drop(page)
            return
        if page.failure is None and not page.is_revised:
            # It may be another state of the article written last.
            CrawlState.of(self.crawler).confirm_deferred()
        await self.process(page)

    def find_pages(self, folder: str) -> PageIndex:
        """Find the wanted pages, and join those of articles on several pages."""

        def left_out(reason: str, what: object) -> None:
            if reason in LOST:
                self.logger.info("Dropped: [%s] %s", reason, what)

        index = build_index(
            self.files,
            int(self.setting("NEWSCLEAN_WINDOW")),
            wanted=self.window.has,
            left_out=left_out,
        )
        self.join_articles(index, folder)
        if self.window.limit is not None:
            index.keep_newest(self.window.limit)
        return index

    def join_articles(self, index: PageIndex, folder: str) -> None:
        max_pages = int(self.setting("NEWSCLEAN_ARTICLE_PAGES"))
        if max_pages < 2:
            return
        max_size = int(self.setting("NEWSCLEAN_MAX_PAGE_SIZE")) or sys.maxsize
        method = method_named(self.setting("NEWSCLEAN_METHOD"), self.setting("NEWSCLEAN_MODEL"))
        extractor = Extractor(method)

        def work(articles: Iterator[PagedArticle]) -> Iterator[JoinedArticle | None]:
            while not self.is_closing and (article := next(articles, None)):
                yield join_article(article, extractor, max_pages, max_size)

        joined = join_articles(index, folder, work)
        self.count("joined", joined.articles)
        self.count("joined/pages", joined.pages)


def _item_of(page: PreparedPage | UnusableSavedPage) -> PageItem | DroppedPage:
    """Return the item of a page, or why it is of no use."""
    if isinstance(page, UnusableSavedPage):
        return DroppedPage(str(page.position), page.reason, page.message)
    saved = page.saved
    if saved.url is None:
        return DroppedPage(str(saved.position), "no-url", _NO_URL)
    return PageItem(
        _saved_response(saved.url, saved.content_type, saved.body),
        category=saved.category,
        fetched_at=saved.fetched_at,
        prepared=page,
    )


class ReextractSpider(SavedPageSpider):
    """Extracts kept pages again, with a better method or model, or with more neighbors.

    -a url=URL[,URL…]      URLs of the sites whose pages are kept in the memory
    -a site=NAME[,NAME…]   or site files: NAME.toml in NEWSCLEAN_SITES, or paths
    and since, until, limit, by the time when a page was fetched.

    The articles have the number of their last revision, and `reextracted` in their field
    `extraction`.
    """

    name = "reextract"
    arguments = ("url", "site")

    def __init__(self, url: str | None = None, site: str | None = None, **kw: Any) -> None:
        super().__init__(**kw)
        self.url, self.site = url, site

    def prepare(self) -> None:
        urls, names = list(map(checked_url, listed(self.url))), listed(self.site)
        if bool(urls) == bool(names):
            raise ValueError("name the sites with either -a url=https://… or -a site=NAME")
        files = [read_site(name, self.setting("NEWSCLEAN_SITES")) for name in names]
        self.start_urls = [*urls, *(url for file in files for url in file.urls)]
        for file in files:  # the method is that of the command
            articles = SiteSettings(
                language=file.settings.language, timezone=file.settings.timezone
            )
            self.site_settings.add(file.own_urls, articles)

    async def process_pages(self) -> None:
        with CrawlState.of(self.crawler).ending_on_failure():
            await self.process_kept_pages()

    async def process_kept_pages(self) -> None:
        self.memory = CrawlState.of(self.crawler).memory
        kept = await run_in_thread(self.memory.kept.numbers, self.newsclean_sites)
        numbers = {url: number for number, url, _ in reversed(kept)}
        wanted = self.window.choose(Entry(url, date) for _, url, date in kept)
        if not wanted:
            self.logger.error("No pages of %s are kept", ", ".join(self.newsclean_sites))
            raise CloseSpider(NO_PAGES)
        for entry in wanted:
            if self.is_closing:
                return
            try:
                found = await run_in_thread(self.memory.kept.get, numbers[entry.url])
            except ValueError as error:
                self.drop(DroppedPage(entry.url, "kept-unreadable", str(error)))
                continue
            if found is not None:
                await self.process(await self.rendered(self.page_item(*found)))

    async def rendered(self, item: PageItem) -> PageItem:
        """Add a snapshot if the method needs one: kept pages have none.

        Nothing is downloaded, so external style sheets are missing.
        """
        rendering = self.crawler.get_downloader_middleware(RenderingMiddleware)
        if rendering is not None and rendering.takes_snapshots:
            assert isinstance(item.response, HtmlResponse)
            item.response = await rendering.with_snapshot(item.response)
        return item

    def page_item(self, name: str, page: StoredPage) -> PageItem:
        return PageItem(
            _saved_response(page.url, page.content_type, page.body),
            category=page.category,
            fetched_at=page.fetched_at,
            reextracted=self.memory.deliveries.revision_of(name),
            article_name=name,
        )
