"""Articles as arguments of callbacks, by scrapy-poet (extra `poet`).

The add-on `newsclean.extensions.package_addons.Poet` names the provider in `SCRAPY_POET_PROVIDERS`.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable  # scrapy-poet reads the types of `__call__`
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from scrapy.http import Response
from scrapy.utils.asyncio import run_in_thread
from scrapy_poet.page_input_providers import PageObjectInputProvider

from newsclean.article import Article
from newsclean.crawl_state import CrawlState
from newsclean.extraction.extractor import Extractor, Neighborhood
from newsclean.extraction.page import Page, PageError
from newsclean.middlewares.responses import page_of
from newsclean.urls import site_of

try:
    import zyte_common_items
except ModuleNotFoundError:  # it provides newsclean's own article all the same
    zyte_common_items = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from scrapy_poet.injection import Injector

logger = logging.getLogger(__name__)

#: Sites whose neighborhoods are in memory; those that were not used for longest are dropped.
_MAX_SITES = 100


class ArticleProvider(PageObjectInputProvider):
    """Provides the article of a response: `newsclean.Article`, or that of zyte-common-items.

    Of a section page, it also provides the `ArticleList` of zyte-common-items. The pages of a site
    that a crawl has seen are the neighbors of those that follow.
    """

    name = "newsclean"

    def __init__(self, injector: Injector) -> None:
        super().__init__(injector)  # type: ignore[no-untyped-call]
        settings = injector.crawler.settings
        self.state = CrawlState.of(injector.crawler)
        method = settings.get("NEWSCLEAN_METHOD") or "hybrid"
        self.extractor = Extractor(method, model=settings.get("NEWSCLEAN_MODEL"))
        self.neighborhoods: OrderedDict[str, Neighborhood] = OrderedDict()
        self.lock = threading.Lock()

    def provided_classes(self, kind: Callable[..., Any]) -> bool:
        ours: tuple[Any, ...] = (Article,)
        if zyte_common_items is not None:
            ours += (zyte_common_items.Article, zyte_common_items.ArticleList)
        return kind in ours

    async def __call__(self, to_provide: set[Callable[..., Any]], response: Response) -> list[Any]:
        return await run_in_thread(self.provide, to_provide, response)

    def provide(self, to_provide: set[Callable[..., Any]], response: Response) -> list[Any]:
        """Return an object of each class, in a worker thread."""
        page = article = None
        try:
            page = page_of(response)
            if to_provide - {zyte_common_items and zyte_common_items.ArticleList}:
                article = self.article_of(page, response.url)
        except PageError as error:
            logger.warning("No article of <%s>: %s", response.url, error)
            self.state.count(f"poet/{error.reason}")
        if article is None:
            article = Article(url=response.url, site=site_of(response.url))
        article.fetched_at = datetime.now(UTC).isoformat(timespec="seconds")
        return [self._as(kind, article, page, response.url) for kind in to_provide]

    def article_of(self, page: Page, url: str) -> Article:
        with self.lock:
            site = site_of(url) or ""
            neighborhood = self.neighborhoods.pop(site, None)
            if neighborhood is None:
                neighborhood = Neighborhood(self.extractor.method)
            self.neighborhoods[site] = neighborhood
            if len(self.neighborhoods) > _MAX_SITES:
                self.neighborhoods.popitem(last=False)
            neighborhood.learn(page, url)
            return self.extractor(page, neighborhood.evidence_on(page, url)).article()

    def _as(self, kind: Any, article: Article, page: Page | None, url: str) -> Any:
        if kind is Article:
            return article
        from newsclean.extensions.zyte_items import zyte_article, zyte_article_list

        if kind is zyte_common_items.Article:
            return zyte_article(article)
        if page is None:
            return zyte_common_items.ArticleList(url=url, articles=[])
        return zyte_article_list(page, url)
