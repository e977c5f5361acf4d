"""Hands the article on, to the feeds and to whatever pipelines the project has of its own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter

from newsclean.items import PageItem

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: What newsclean knows better than a spider's own selectors; elsewhere the spider's word stands.
OURS = frozenset(
    "body body_html is_article article_probability revision content_hash extraction".split()
)


class ExportPipeline:
    """Turns a `PageItem` into its article, or fills the article into the spider's own item."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.told: set[type] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, PageItem):
            return item
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value("newsclean/articles")
        if item.origin is None:
            return item.article
        self.fill(item)
        return item.origin

    def fill(self, item: PageItem) -> None:
        adapter = ItemAdapter(item.origin)
        fields = item.article.to_dict()
        known = set(adapter.field_names()) if not isinstance(item.origin, dict) else set(fields)
        if "body" not in known and type(item.origin) not in self.told:
            self.told.add(type(item.origin))
            logger.warning(
                "%s has no field 'body': the article's text is not handed on. Add the fields "
                "that you want, or yield dicts.",
                type(item.origin).__qualname__,
            )
        page = raw_page(item)
        for name in list(adapter):
            if name not in OURS and adapter[name] in page:
                adapter[name] = item.article.body_html
        for name in known.intersection(fields):
            if name in OURS or not adapter.get(name):
                adapter[name] = fields[name]


def raw_page(item: PageItem) -> list[Any]:
    """The page as a spider may have put it into its item."""
    response = item.response
    return [response.body, getattr(response, "text", None) or response.body]
