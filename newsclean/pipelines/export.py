"""Hands the article on, to the feeds and to whatever pipelines the project has of its own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter

from newsclean.items import ArticleItem
from newsclean.pipelines.fields import FieldMap, in_kind, wanted_type
from newsclean.reports.counts import counts_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: What newsclean finds better than a spider's own selectors; elsewhere the spider's word stands.
CONTENT = frozenset(("body", "body_html", "markdown"))
#: What only newsclean can say.
VERDICTS = frozenset(
    "is_article article_probability revision unchanged content_hash extraction".split()
)


class ExportPipeline:
    """Turns an `ArticleItem` into its article, or fills the article into the spider's own item."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.fields = FieldMap(crawler.settings)
        #: fields that could not be filled, by class, of which the log has a warning
        self.refused: set[tuple[type, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        if not isinstance(item, ArticleItem):
            return item
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value("newsclean/articles")
        counts_of(self.crawler).of(item.page.url).count_article(item.article)
        if item.page.origin is None:
            return item.article
        self.fill(item.page.origin, item)
        return item.page.origin

    def fill(self, origin: Any, item: ArticleItem) -> None:
        """Put the article into the item of somebody else's spider.

        Of a page that is not an article, what the spider has read stays, and gaps are filled.
        """
        adapter = ItemAdapter(origin)
        places = self.fields.places(adapter)
        article = item.article.to_dict()
        finds = VERDICTS | CONTENT if item.article.is_article else VERDICTS
        page = raw_page(item)
        for name in list(adapter):
            if (
                item.article.is_article
                and places.get(name) not in VERDICTS | CONTENT
                and adapter[name] in page
            ):
                self._set(adapter, name, article["body_html"])
        for theirs, ours in places.items():
            before = adapter.get(theirs)
            if ours in finds or not before:
                wanted = wanted_type(origin, theirs)
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


def raw_page(item: ArticleItem) -> list[Any]:
    """The page as a spider may have put it into its item."""
    response = item.page.response
    return [response.body, getattr(response, "text", None) or response.body]
