"""The way of a page through a crawl, from its response to its article."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import DropItem

from newsclean.corrections import CorrectionsFolder
from newsclean.downloadermiddlewares.parked import ParkedPagesMiddleware
from newsclean.drops import DropPolicy, ParkedPage, UnstoredPage, UnusablePage
from newsclean.extensions.delivery import DeliveryTracker
from newsclean.extensions.in_flight import InFlight
from newsclean.extraction import Extractor
from newsclean.items import ArticleItem, PageItem
from newsclean.pipelines.article import ArticleStep
from newsclean.pipelines.corrections import CorrectionsStep
from newsclean.pipelines.fields import wants_markdown
from newsclean.pipelines.neighborhood import NeighborhoodStep
from newsclean.pipelines.page import PageStep
from newsclean.pipelines.rendering import RenderingStep
from newsclean.pipelines.revision import RevisionStep
from newsclean.pipelines.robots import RobotsStep
from newsclean.reports.counts import counts_of
from newsclean.scrapy_versions import run_in_thread
from newsclean.storage import StorageError, end_crawl, has_failed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler

    from newsclean.pipelines.revision import FoundArticle

logger = logging.getLogger(__name__)


def seconds_since_1970(date: str | None) -> float | None:
    """The time of a date in ISO 8601, UTC where it names no zone; None if there is none.

    >>> seconds_since_1970("1970-01-02"), seconds_since_1970("soon")
    (86400.0, None)
    """
    try:
        moment = datetime.fromisoformat(date or "")
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


class ExtractionPipeline:
    """Turns each `PageItem` into an `ArticleItem`; other items pass untouched.

    All work of a page, the memory's included, is one call in a worker thread, so that no page,
    however large, keeps the crawl from downloading. No item waits here for other items: Scrapy
    would count its response as active and stop downloading, and the neighbors would never come.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.crawler = crawler
        corrections = CorrectionsFolder.read(settings["NEWSCLEAN_SITES"])
        self.extractor = Extractor(
            settings["NEWSCLEAN_METHOD"],
            model=settings["NEWSCLEAN_MODEL"],
            images=settings.getbool("NEWSCLEAN_IMAGES"),
            corrections=corrections,
        )
        self.markdown = wants_markdown(settings)
        self.policy = DropPolicy(settings)
        self.page = PageStep(crawler)
        self.robots = RobotsStep(crawler)
        self.neighborhood = NeighborhoodStep(crawler, self.extractor.method)
        self.rendering = RenderingStep(self.extractor.method)
        self.article = ArticleStep(crawler)
        self.revision = RevisionStep(crawler)
        self.corrections = CorrectionsStep(crawler, corrections)
        #: sites whose new template has been reported
        self.reported: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        if not isinstance(item, PageItem):
            return item
        if has_failed(self.crawler):
            raise UnstoredPage(item.url)
        try:
            article = await self._worked(item)
        except StorageError as error:
            end_crawl(self.crawler, error)
            raise UnstoredPage(item.url) from None
        except ParkedPage:
            self._count("parked")
            raise
        except UnusablePage as drop:
            if not self.policy.drops(drop.reason, is_foreign=item.is_foreign):
                return self._pass_on(item, drop)
            self._count(f"dropped/{drop.reason}")
            raise
        finally:
            self.corrections.count(item)
            self._after_neighborhood(item)
        for kind in ("static", "dynamic"):
            self._count(f"{kind}_noise/chars", article.article.extraction[f"{kind}_chars"])
        self._track(item, InFlight.of(article))
        return article

    async def _worked(self, item: PageItem) -> ArticleItem:
        outcome, item.outcome = item.outcome, None
        if outcome is None:
            article: ArticleItem = await run_in_thread(self.work, item)
            return article
        if isinstance(outcome, DropItem):
            raise outcome
        return outcome

    def work(self, item: PageItem) -> ArticleItem:
        """All work on one page."""
        return self.revision.revise(self.find(item))

    def work_ahead(self, items: Iterable[PageItem]) -> None:
        """All work on several pages of archives, before they come here: one hop, one transaction.

        What fails is left to `work`, and so is all from the second page of an article on: two
        states of it cannot be pending at once.
        """
        found: list[FoundArticle] = []
        names: set[str] = set()
        for item in items:
            try:
                page = self.find(item)
            except UnusablePage as drop:
                item.outcome = drop
            except Exception:  # `work` meets it again, and its own handling
                break
            else:
                if names & page.names:
                    break
                names |= page.names
                found.append(page)

        def revise() -> list[ArticleItem | UnusablePage]:
            outcomes: list[ArticleItem | UnusablePage] = []
            for page in found:
                try:
                    outcomes.append(self.revision.revise(page))
                except UnusablePage as drop:
                    outcomes.append(drop)
            return outcomes

        try:
            outcomes = self.revision.memory.database.atomically(revise)
        except Exception:  # as above; nothing is pending
            return
        for page, outcome in zip(found, outcomes, strict=True):
            page.item.outcome = outcome

    def find(self, item: PageItem) -> FoundArticle:
        """One page, step by step; each step needs what those above it return."""
        page = self.page.read(item)
        self.robots.check(item, page)
        evidence = self.neighborhood.learn(item, page)
        evidence = self.rendering.add(item, page, evidence)
        choice = self.extractor.mark_static_noise(page, evidence)
        choice = self.extractor.mark_dynamic_noise(page, evidence, choice)
        extraction = self.extractor.choose_content(page, evidence, choice)
        self.corrections.read(item, extraction)
        self.article.check(item, extraction)
        article = extraction.article(markdown=self.markdown)  # with its metadata
        item.published = seconds_since_1970(article.date_published)
        return self.revision.read(item, extraction, article)

    def _pass_on(self, item: PageItem, drop: UnusablePage) -> Any:
        """Somebody else's item as it came, of a page that cannot be used."""
        self._count(f"not_cleaned/{drop.reason}")
        logger.info("Its item passes as it is: %s", drop)
        self._track(item, InFlight(item.number))
        return item.origin

    def _track(self, item: PageItem, page: InFlight) -> None:
        tracker = self.crawler.get_extension(DeliveryTracker)
        if tracker is not None:
            tracker.track(item.response, page)

    def _after_neighborhood(self, item: PageItem) -> None:
        """Let parked pages of the site come back once there are enough; report a new template."""
        parked_pages = self.crawler.get_downloader_middleware(ParkedPagesMiddleware)
        is_learned = item.prepared is None  # parked pages have other neighbors than an archive's
        enough = item.neighbors >= self.neighborhood.min_neighbors > 0
        if parked_pages is not None and is_learned and enough:
            parked_pages.release(item.site)
        if item.new_template:
            self._count("relearned")
            counts_of(self.crawler).of(item.url).new_templates += 1
            if item.site not in self.reported:
                self.reported.add(item.site)
                where = item.site
                if item.new_template == "category":
                    where = f"{item.site}, category {item.category}"
                logger.warning(
                    "%s has a new template: what was known of the old one is forgotten", where
                )

    def _count(self, name: str, value: int = 1) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/{name}", value)
