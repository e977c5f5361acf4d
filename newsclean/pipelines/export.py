"""Hands the article on, to the feeds and to whatever pipelines the project has of its own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter

from newsclean.items import ArticleItem

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: What newsclean knows better than a spider's own selectors; elsewhere the spider's word stands.
OURS = frozenset(
    "body body_html is_article article_probability revision content_hash extraction".split()
)


class ExportPipeline:
    """Turns an `ArticleItem` into its article, or fills the article into the spider's own item."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        #: classes of items without a place for the text, of which the log has a warning
        self.warned: set[type] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, ArticleItem):
            return item
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value("newsclean/articles")
        if item.page.origin is None:
            return item.article
        self.fill(item.page.origin, item)
        return item.page.origin

    def fill(self, origin: Any, item: ArticleItem) -> None:
        """Put the article into the item of somebody else's spider."""
        adapter = ItemAdapter(origin)
        fields = item.article.to_dict()
        known = set(adapter.field_names()) if not isinstance(origin, dict) else set(fields)
        if "body" not in known and type(origin) not in self.warned:
            self.warned.add(type(origin))
            logger.warning(
                "%s has no field 'body': the article's text is not handed on. Add the fields "
                "that you want, or yield dicts.",
                type(origin).__qualname__,
            )
        page = raw_page(item)
        for name in list(adapter):
            if name not in OURS and adapter[name] in page:
                adapter[name] = item.article.body_html
        for name in known.intersection(fields):
            if name in OURS or not adapter.get(name):
                adapter[name] = fields[name]


def raw_page(item: ArticleItem) -> list[Any]:
    """The page as a spider may have put it into its item."""
    response = item.page.response
    return [response.body, getattr(response, "text", None) or response.body]
