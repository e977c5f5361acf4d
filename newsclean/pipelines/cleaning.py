"""The pipelines from a page to its article, in the order of `ITEM_PIPELINES`.

A `PageItem` goes in and gets what each of them finds: the page, what its neighbors repeat, the
noise marks, the content, the article and its revision. They all run in worker threads.
"""

from __future__ import annotations

import gc
import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from newsclean.browser.snapshot import Rendering
from newsclean.crawl_state import neighborhood_ready
from newsclean.extraction.corrections import CorrectionsFolder
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.is_article.walls import RepeatedPages, wall_of_page
from newsclean.extraction.methods.chain import Choice, Evidence, Stage
from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.page import PageError
from newsclean.extraction.text import counted, seconds_of
from newsclean.items import BlockedPage, ParkedPage, UnusablePage
from newsclean.memory import StoredPage
from newsclean.memory.deliveries import Duplicate
from newsclean.memory.revisions import texts_of
from newsclean.middlewares.blocked import start_of
from newsclean.middlewares.responses import ShownResponse, fetch_of, page_of
from newsclean.pipelines.output import wants_markdown
from newsclean.pipelines.worker import WorkerPipeline
from newsclean.urls import article_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scrapy.crawler import Crawler

    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.metadata.page_metadata import PageMetadata
    from newsclean.extraction.neighborhood import NeighborSupport
    from newsclean.extraction.page import Page
    from newsclean.items import PageItem
    from newsclean.memory.revisions import Texts


logger = logging.getLogger(__name__)

#: Either means that the page must not be used.
_NOINDEX = frozenset(("noindex", "none"))
#: Rules with a value after a colon; anything else before a colon is the name of a crawler.
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")


class PagePipeline(WorkerPipeline):
    """Read the page; refuse responses that are not pages, and pages with a `noindex`.

    If the method has a network, it scores the blocks of the page here.
    """

    gives = ("page", "evidence", "choice")

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.max_size = settings.getint("NEWSCLEAN_MAX_PAGE_SIZE")
        self.obeys_noindex = settings.getbool("NEWSCLEAN_OBEY_NOINDEX")
        self.repeated = RepeatedPages()

    def open_spider(self) -> None:
        super().open_spider()
        if not gc.get_freeze_count():
            # What is loaded by now lasts to the end: the collector need not look at it again.
            gc.collect()
            gc.freeze()

    def process_page(self, item: PageItem) -> None:
        try:
            page = item.page = self.read(item)
            self.check_wall(item, page)
            self.check_noindex(item, page)
            item.evidence = self.evidence_on(item, page)
        except PageError as error:
            raise UnusablePage(item.url, error.reason, str(error)) from None
        item.choice = Choice.everything(page)

    def read(self, item: PageItem) -> Page:
        response = item.response
        if response.status != 200:
            reason = f"http-{response.status}"
            raise UnusablePage(item.url, reason, "error status")
        if self.max_size and len(response.body) > self.max_size:
            size = f"{len(response.body):,} bytes, NEWSCLEAN_MAX_PAGE_SIZE is {self.max_size:,}"
            raise UnusablePage(item.url, "too-large", f"page too large: {size}")
        return page_of(response) if item.prepared is None else item.prepared.page

    def check_wall(self, item: PageItem, page: Page) -> None:
        wall = wall_of_page(page, start_of(item.response.request))
        if wall is None and item.prepared is None:
            wall = self.repeated.wall_of(page, item.site, item.url)
        if wall is not None:
            raise BlockedPage(item.url, wall.reason, f"blocked by {wall}")

    def check_noindex(self, item: PageItem, page: Page) -> None:
        """Obey `<meta name="robots">` and the header `X-Robots-Tag`."""
        if not self.obeys_noindex or item.is_third_party:  # what a project asks for, it wants
            return
        headers = [
            value.decode("latin-1") for value in item.response.headers.getlist(b"X-Robots-Tag")
        ]
        if _rules_for_all(headers) & _NOINDEX or _meta_rules(page) & _NOINDEX:
            raise UnusablePage(
                item.url, "noindex", "the page says noindex (NEWSCLEAN_OBEY_NOINDEX)"
            )

    def evidence_on(self, item: PageItem, page: Page) -> Evidence:
        """Return what the page itself tells a method, without its neighbors."""
        rendering, method = None, self.state.method_of(item.url)
        if method.needs_rendering:
            snapshot = item.response.snapshot if isinstance(item.response, ShownResponse) else None
            if snapshot is None:
                raise UnusablePage(item.url, "not-rendered", "page was not rendered")
            rendering = Rendering.of(page, snapshot)
        if item.prepared is not None:
            return Evidence(item.prepared.scores, rendering=rendering)
        return Evidence(method.score_blocks(page), rendering=rendering)


def _meta_rules(page: Page) -> set[str]:
    """Return the rules for all crawlers in the head of a page."""
    contents = (
        element.get("content") or ""
        for element in page.elements("meta")
        if (element.get("name") or "").strip().lower() == "robots"
    )
    return {rule.strip() for content in contents for rule in content.lower().split(",")}


def _rules_for_all(headers: Iterable[str]) -> set[str]:
    """Return the rules of `X-Robots-Tag` headers that apply to all crawlers.

    >>> sorted(_rules_for_all(["noarchive, NoIndex", "otherbot: none, nofollow"]))
    ['noarchive', 'noindex']
    >>> _rules_for_all(["unavailable_after: 25 Jun 2030 15:00:00 PST, none"])
    {'none'}
    """
    rules = set()
    for header in headers:
        is_for_all = True
        for part in header.lower().split(","):
            name, colon, rule = part.partition(":")
            if colon and name.strip() in _WITH_VALUE:
                continue
            if colon:
                is_for_all = name.strip() == "*"
            if is_for_all:
                rules.add((rule if colon else name).strip())
    return rules


class NeighborhoodPipeline(WorkerPipeline):
    """Learn what the site repeats; park the page if too few neighbors are known.

    The page is stored until its article is delivered. No item waits here for other items: Scrapy
    would count its response as active and stop downloading, and the neighbors would never come.
    Without this pipeline, each page is read without its neighbors, and after a kill, unfinished
    pages are downloaded again.
    """

    needs = ("page", "evidence")
    gives = ("evidence",)

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.memory = self.state.memory
        self.min_neighbors = crawler.settings.getint("NEWSCLEAN_MIN_NEIGHBORS")
        #: whether a third-party item may leave and come back: a pipeline of the project's own in
        #: front of newsclean's would get it twice, and a filter of duplicates drop it
        self.parks_third_party = True
        #: sites whose new template has been reported
        self.reported: set[str] = set()

    def join(self, pipelines: Sequence[Any]) -> None:
        super().join(pipelines)
        before = pipelines[: pipelines.index(self)]
        self.parks_third_party = all(isinstance(each, WorkerPipeline) for each in before)

    def process_page(self, item: PageItem) -> None:
        assert item.page is not None
        assert item.evidence is not None
        neighbors = self.neighbors_of(item, item.page)
        item.neighbors = neighbors.count
        item.evidence = replace(item.evidence, neighbors=neighbors)

    def neighbors_of(self, item: PageItem, page: Page) -> NeighborSupport:
        """Return what the neighbors know of a page; raise `ParkedPage` if they are too few."""
        if item.prepared is not None:
            return item.prepared.support(item.category, self.min_neighbors)
        assert item.evidence is not None
        keys = self.state.method_of(item.url).keys(page, item.evidence.scores)
        if item.number is None and item.reextracted is None:  # it doesn't come from the memory
            arrival = self.memory.store_and_learn(_stored(item), item.url, keys)
            item.number, item.new_template = arrival
        neighbors = self.memory.sites.support_for(
            item.site, item.category, item.url, keys, self.min_neighbors
        )
        item.neighbors = neighbors.count
        may_park = item.number and not item.final_attempt
        if item.is_third_party and not self.parks_third_party:
            may_park = False
        if may_park and neighbors.count < self.min_neighbors:
            assert item.number is not None
            self.memory.pages.park(item.number)
            raise ParkedPage(item.url, neighbors.count)
        return neighbors

    def page_done(self, item: PageItem) -> None:
        """Let the parked pages of the site return once it has enough; report a new template."""
        if item.failure is not None and isinstance(item.failure[1], ParkedPage):
            self.state.count("parked")
        is_learned = item.prepared is None  # parked pages have other neighbors than an archive's
        if is_learned and item.neighbors >= self.min_neighbors > 0:
            self.crawler.signals.send_catch_log(neighborhood_ready, site=item.site)
        if item.new_template:
            self.report_template(item)

    def report_template(self, item: PageItem) -> None:
        self.state.count("relearned")
        self.state.counts.of(item.url).new_templates += 1
        if item.site in self.reported:
            return
        self.reported.add(item.site)
        where = item.site
        if item.new_template == "category":
            where = f"{item.site}, category {item.category}"
        logger.warning(
            "%s has a new template: what was learned from the old one is discarded", where
        )


def _stored(item: PageItem) -> StoredPage:
    """Return what the memory stores of a page until its article is delivered."""
    return StoredPage(
        url=item.url,
        site=item.site,
        category=item.category,
        content_type=(item.response.headers.get("Content-Type") or b"").decode("latin-1"),
        fetched_at=item.fetched_at or "",
        body=item.response.body,
        origin=item.third_party_item,
        fetch=fetch_of(item.response),
    )


class StagePipeline(WorkerPipeline):
    """Base class of the pipelines that run one stage of `NEWSCLEAN_METHOD`."""

    needs = ("page", "evidence", "choice")
    stage: ClassVar[Stage]

    def run_stage(self, item: PageItem) -> Choice:
        assert item.page is not None
        assert item.evidence is not None
        assert item.choice is not None
        method = self.state.method_of(item.url)
        return method.run_stage(self.stage, item.page, item.evidence, item.choice)


class StaticNoisePipeline(StagePipeline):
    """Mark what neighbors repeat: menus, footers, cookie texts (StaDyNoT 3.1).

    `stadynot` marks here, alone or in a chain such as `stadynot+coreex`. `hybrid` does not: it
    reads what neighbors repeat as evidence on each block, when it chooses the content. The other
    methods look at one page at a time.
    """

    gives = ("choice",)
    stage = Stage.STATIC

    def process_page(self, item: PageItem) -> None:
        item.choice = self.run_stage(item)


class DynamicNoisePipeline(StagePipeline):
    """Mark the branches that are least common ancestors of links: "most read" (StaDyNoT 3.2).

    `stadynot` marks here, alone or in a chain such as `stadynot+coreex`. `hybrid` does not: links
    are part of its evidence on each block.
    """

    gives = ("choice",)
    stage = Stage.DYNAMIC

    def process_page(self, item: PageItem) -> None:
        item.choice = self.run_stage(item)


class ContentPipeline(StagePipeline):
    """Choose the article from what is left: CoreEx, hybrid, or another `NEWSCLEAN_METHOD`.

    To choose it in another way, subclass this pipeline, override `process_page` and set
    `item.content` to a `newsclean.extraction.methods.chain.Choice`.
    """

    gives = ("content",)
    stage = Stage.CONTENT

    def process_page(self, item: PageItem) -> None:
        item.content = self.run_stage(item)


class ArticlePipeline(WorkerPipeline):
    """Drop pages that aren't articles; add metadata, body and what people have corrected."""

    needs = ("page", "evidence", "content")
    gives = ("extraction", "article")

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        corrections = CorrectionsFolder.read(settings["NEWSCLEAN_SITES"])
        for problem in corrections.problems:
            logger.error("Corrections ignored: %s", problem)
            self.state.count("corrections/unreadable")
        self.new_extractor = partial(
            Extractor, images=settings.getbool("NEWSCLEAN_IMAGES"), corrections=corrections
        )
        #: by method
        self.extractors: dict[str, Extractor] = {}
        self.markdown = wants_markdown(settings)

    def process_page(self, item: PageItem) -> None:
        assert item.page is not None
        assert item.evidence is not None
        assert item.content is not None
        method = self.state.method_of(item.url)
        if method.name not in self.extractors:
            self.extractors[method.name] = self.new_extractor(method)
        extractor = self.extractors[method.name]
        extraction = extractor.extraction(item.page, item.evidence, item.content)
        item.extraction = extraction
        if extraction.corrections is not None:
            item.corrected = extraction.correction_result
        prediction = extraction.prediction
        reason = f"no-article/{prediction.reason}"
        if not prediction.is_article and self.policy.drops(
            reason, is_third_party=item.is_third_party
        ):
            raise UnusablePage(item.url, reason, "not an article")
        article = item.article = extraction.article(markdown=self.markdown)
        self.state.settings_of(item.url).complete(article)
        article.category = item.category
        article.fetched_at = item.fetched_at
        item.published = seconds_of(article.date_published)

    def page_done(self, item: PageItem) -> None:
        """Count what corrections have changed."""
        result, item.corrected = item.corrected, None
        if result is None:
            return
        self.state.counts.of(item.url).corrections.add(result)
        if result.is_changed:
            self.state.count("corrections/pages")
            self.state.count("corrections/words", result.words)
        for name, words in result.held_back.items():
            self.state.count("corrections/held_back")
            logger.warning(
                "<%s>: correction %s held back: it would change %s, far more than on the "
                "labelled pages; newsclean teach shows what it does",
                item.url, name, counted(words, "word"),
            )  # fmt: skip


class RevisionPipeline(WorkerPipeline):
    """Number the revisions of an article, and drop a state of it that was delivered already.

    A new or changed article is pending until it is in the output. Without this pipeline every
    crawl outputs every article that it downloads.
    """

    needs = ("extraction", "article")
    writes = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.memory = self.state.memory

    def process_page(self, item: PageItem) -> None:
        article = item.article
        assert article is not None
        assert item.extraction is not None
        item.is_revised = True
        if item.reextracted is not None:  # a kept page: the same revision, extracted again
            article.revision = item.reextracted
            article.id = article_id(item.article_name) if item.article_name else article.id
            article.extraction["reextracted"] = True
            return
        pending = self.memory.deliveries.add_pending(
            article.canonical_url, item.url, article.content_hash or "", _texts_in(item.extraction)
        )
        if pending is None or isinstance(pending, Duplicate):
            reason, message = "unchanged", "this state was delivered already"
            if pending is not None:
                reason, message = "duplicate", f"the same article as <{pending.url}>"
            if self.policy.drops(reason, is_third_party=item.is_third_party):
                raise UnusablePage(item.url, reason, message, is_known=True)
            article.unchanged = True
            name, article.revision = self.memory.deliveries.last_revision(
                article.canonical_url, item.url
            )
            article.id = article_id(name)
            return
        article.revision = pending.revision
        # Not the id of its URL alone where a template gives all pages one canonical URL.
        article.id = article_id(pending.name)
        item.pending_name = pending.name


def _texts_in(extraction: Extraction) -> Texts:
    """Return what a page shows of its article, by which two states of it are compared."""
    metadata = extraction.metadata_alone  # neighbors don't make a revision
    scores = extraction.evidence.scores
    context = BlockContext(extraction.page) if scores is None else scores.context
    return texts_of(
        extraction.page,
        extraction.body_alone.text,
        extraction.body.text,
        context.slots,
        headlines=(metadata.headline, extraction.headline),
        bylines=_bylines(metadata),
    )


def _bylines(metadata: PageMetadata) -> Iterator[list[str]]:
    """Yield who may have written the article, what is cheaper to find first."""
    yield metadata.authors
    yield metadata.visible_authors
