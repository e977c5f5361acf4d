"""Tells new and changed articles from those that were delivered already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.drops import UnusablePage
from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.memory.crawl import memory_of
from newsclean.memory.records import Duplicate
from newsclean.memory.texts import texts_of
from newsclean.pipelines.worker import WorkerPipeline
from newsclean.urls import article_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler

    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.metadata import PageMetadata
    from newsclean.items import PageItem
    from newsclean.memory.records import Texts


class RevisionPipeline(WorkerPipeline):
    """Number the revisions of an article, and drop a state of it that was delivered already.

    A new or changed article is pending until it is in the output. Without this pipeline every
    crawl outputs every article that it downloads.
    """

    needs = ("extraction", "article")
    writes = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.memory = memory_of(crawler)

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
            article.canonical_url, item.url, article.content_hash or "", texts_in(item.extraction)
        )
        if pending is None or isinstance(pending, Duplicate):
            reason, message = "unchanged", "delivered already, or a copy"
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


def texts_in(extraction: Extraction) -> Texts:
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
        bylines=bylines(metadata),
    )


def bylines(metadata: PageMetadata) -> Iterator[list[str]]:
    """Return who may have written the article, what is cheaper to find first."""
    yield metadata.authors
    yield metadata.visible_authors
