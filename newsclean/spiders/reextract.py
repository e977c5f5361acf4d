"""The spider `reextract`: the articles of kept pages, made again without a download."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse
from scrapy.utils.asyncio import run_in_thread

from newsclean.downloadermiddlewares.rendering import RenderingMiddleware
from newsclean.items import PageItem
from newsclean.memory.crawl import memory_of
from newsclean.sources import Entry
from newsclean.spiders.failures import DroppedPage
from newsclean.spiders.saved_pages import NO_PAGES, SavedPageSpider, saved_response
from newsclean.spiders.sites import read_site, web_address
from newsclean.storage import ending_crawl

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy import Request

    from newsclean.memory import StoredPage


class ReextractSpider(SavedPageSpider):
    """Makes articles again, by a better method or model, or with more neighbors.

    -a url=URL[,URL…]      of the sites whose pages are kept in the memory
    -a site=NAME[,NAME…]   or site files: NAME.toml in NEWSCLEAN_SITES, or paths
    and since, until, limit, by when a page was fetched.

    An article that is made again has the number of its last revision, and says `reextracted` in
    its field `extraction`.
    """

    name = "reextract"
    arguments = ("url", "site")

    def __init__(self, url: str | None = None, site: str | None = None, **kw: Any) -> None:
        super().__init__(**kw)
        self.url, self.site = url, site

    def prepare(self) -> None:
        urls = [web_address(url) for url in (self.url or "").split(",") if url.strip()]
        names = [name.strip() for name in (self.site or "").split(",") if name.strip()]
        if bool(urls) == bool(names):
            raise ValueError("say of which sites: -a url=https://… or -a site=NAME, one of them")
        files = [read_site(name, self.setting("NEWSCLEAN_SITES")) for name in names]
        self.start_addresses = [*urls, *(url for file in files for url in file.addresses)]

    async def start(self) -> AsyncIterator[Request]:
        with ending_crawl(self.crawler):
            async for request in self.make_again():
                yield request

    async def make_again(self) -> AsyncIterator[Request]:
        """Hand each kept page to the pipelines."""
        self.memory = memory_of(self.crawler)
        kept = await run_in_thread(self.memory.kept.numbers, self.newsclean_sites)
        numbers = {url: number for number, url, _ in reversed(kept)}
        wanted = self.window.choose(Entry(url, date) for _, url, date in kept)
        if not wanted:
            self.logger.error("No page of %s is kept", ", ".join(self.newsclean_sites))
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
                await self.process(await self.shown(self.page_item(*found)))
        requests: tuple[Request, ...] = ()  # Scrapy expects a generator
        for request in requests:
            yield request

    async def shown(self, item: PageItem) -> PageItem:
        """The item with a snapshot, where the method needs one: a kept page has none.

        Nothing is downloaded, so that it lacks the style sheets that are not in the page.
        """
        rendering = self.crawler.get_downloader_middleware(RenderingMiddleware)
        if rendering is not None and rendering.takes_snapshots:
            assert isinstance(item.response, HtmlResponse)
            item.response = await rendering.with_snapshot(item.response)
        return item

    def page_item(self, name: str, page: StoredPage) -> PageItem:
        return PageItem(
            saved_response(page.url, page.content_type, page.body),
            category=page.category,
            fetched_at=page.fetched_at,
            reextracted=self.memory.deliveries.revision_of(name),
            article_name=name,
        )
