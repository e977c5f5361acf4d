"""Tells new and changed articles from those that were delivered already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from newsclean.drops import DropPolicy, UnusablePage
from newsclean.identity import article_id
from newsclean.items import ArticleItem
from newsclean.memory.crawl import memory_of
from newsclean.memory.records import Duplicate
from newsclean.memory.texts import texts_of
from newsclean.methods.hybrid.context import BlockContext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler

    from newsclean.article import Article
    from newsclean.extraction import Extraction
    from newsclean.items import PageItem
    from newsclean.memory.records import Texts
    from newsclean.metadata import PageMetadata


class FoundArticle(NamedTuple):
    """The article of a page, and all by which its states are told apart."""

    item: PageItem
    article: Article
    #: None of an article that is made again, which is not compared
    texts: Texts | None

    @property
    def names(self) -> set[str]:
        """The addresses of which one is the article's name."""
        return {self.item.url, self.article.canonical_url or self.item.url}


class RevisionStep:
    def __init__(self, crawler: Crawler) -> None:
        self.memory = memory_of(crawler)
        self.policy = DropPolicy(crawler.settings)

    def read(self, item: PageItem, extraction: Extraction, article: Article) -> FoundArticle:
        """What the page shows of its article."""
        article.category = item.category
        article.fetched_at = item.fetched_at
        if item.reextracted is not None:
            return FoundArticle(item, article, None)
        metadata = extraction.metadata_alone  # neighbors do not make a revision
        scores = extraction.evidence.scores
        context = BlockContext(extraction.page) if scores is None else scores.context
        texts = texts_of(
            extraction.page,
            extraction.body_alone.text,
            extraction.body.text,
            context.slots,
            headlines=(metadata.headline, extraction.headline),
            bylines=bylines(metadata),
        )
        return FoundArticle(item, article, texts)

    def revise(self, found: FoundArticle) -> ArticleItem:
        """The article with the number of its revision, which is pending from now on.

        One that was delivered before is not pending: it is dropped, or only says so. One that is
        made again of a kept page has the number that it had, and is marked.
        """
        item, article, texts = found
        if texts is None:
            article.revision = item.reextracted or 1
            article.id = article_id(item.article_name) if item.article_name else article.id
            article.extraction["reextracted"] = True
            return ArticleItem(item, article, None)
        content_hash = article.content_hash or ""
        pending = self.memory.deliveries.add_pending(
            article.canonical_url, item.url, content_hash, texts
        )
        if pending is None or isinstance(pending, Duplicate):
            reason, message = "unchanged", "delivered already, or a copy"
            if pending is not None:
                reason, message = "duplicate", f"the same article as <{pending.url}>"
            if self.policy.drops(reason, is_foreign=item.is_foreign):
                raise UnusablePage(item.url, reason, message, is_known=True)
            article.unchanged = True
            name, article.revision = self.memory.deliveries.last_revision(
                article.canonical_url, item.url
            )
            article.id = article_id(name)
            return ArticleItem(item, article, None)
        article.revision = pending.revision
        # Another one than by its address alone where a template gives all pages one canonical URL.
        article.id = article_id(pending.name)
        return ArticleItem(item, article, pending.name)


def bylines(metadata: PageMetadata) -> Iterator[list[str]]:
    """Who may have written the article, by what is cheaper to find."""
    yield metadata.authors
    yield metadata.shown_authors
