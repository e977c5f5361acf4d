"""Outputs the article, to the feeds and to the pipelines that the project has of its own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, ClassVar, Self

from itemadapter import ItemAdapter

from newsclean.items import PageItem
from newsclean.pipelines.fields import FieldMap, in_kind, wanted_type
from newsclean.pipelines.worker import EXPORTED, PipelineError, check_order
from newsclean.reports.counts import counts_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.article import Article

logger = logging.getLogger(__name__)

#: What newsclean finds better than a spider's own selectors; elsewhere the spider's word stands.
CONTENT = frozenset(("body", "body_html", "markdown"))
#: What only newsclean can say.
VERDICTS = frozenset(
    "is_article article_probability revision unchanged content_hash extraction".split()
)


class ExportPipeline:
    """Turn a `PageItem` into its article, or fill the article into the project's own item."""

    needs: ClassVar = ("article",)
    gives: ClassVar = (EXPORTED,)

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.fields = FieldMap(crawler.settings)
        #: fields that could not be filled, by class, of which the log has a warning
        self.refused: set[tuple[type, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        check_order(crawler)
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, PageItem):
            return item
        if item.article is None:
            raise PipelineError(f"no pipeline has made an article of {item!r}")
        self.count(item, item.article)
        if item.third_party_item is None:
            return item.article
        self.fill(item.third_party_item, item, item.article)
        return item.third_party_item

    def count(self, item: PageItem, article: Article) -> None:
        stats = self.crawler.stats
        assert stats is not None
        stats.inc_value("newsclean/articles")
        for kind in ("static", "dynamic"):
            chars = article.extraction.get(f"{kind}_chars", 0)
            stats.inc_value(f"newsclean/{kind}_noise/chars", chars)
        counts_of(self.crawler).of(item.url).count_article(article)

    def fill(self, own: Any, item: PageItem, found: Article) -> None:
        """Put the article into a third-party item.

        If the page is not an article, what the spider has read stays, and gaps are filled.
        """
        adapter = ItemAdapter(own)
        places = self.fields.places(adapter)
        article = found.to_dict()
        finds = VERDICTS | CONTENT if found.is_article else VERDICTS
        page = raw_page(item)
        for name in list(adapter):
            if (
                found.is_article
                and places.get(name) not in VERDICTS | CONTENT
                and adapter[name] in page
            ):
                self._set(adapter, name, article["body_html"])
        for theirs, ours in places.items():
            before = adapter.get(theirs)
            if ours in finds or not before:
                wanted = wanted_type(own, theirs)
                self._set(adapter, theirs, in_kind(article[ours], before, wanted))

    def _set(self, adapter: ItemAdapter, name: str, value: Any) -> None:
        """Fill a field; an item that does not take the value goes on without it."""
        try:
            adapter[name] = value
        except (AttributeError, TypeError, ValueError) as error:  # frozen, or of another type
            kind = type(adapter.item)
            if (kind, name) not in self.refused:
                self.refused.add((kind, name))
                why = str(error).partition("\n")[0]
                logger.warning("%s does not take %r: %s", kind.__qualname__, name, why)


def raw_page(item: PageItem) -> list[Any]:
    """The page as a spider may have put it into its item."""
    response = item.response
    return [response.body, getattr(response, "text", None) or response.body]
