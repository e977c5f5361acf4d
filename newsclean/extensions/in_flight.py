"""A page between its extraction and its output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

from itemadapter import ItemAdapter
from scrapy.utils.serialize import ScrapyJSONEncoder

from newsclean.memory.article_table import ArticleRow
from newsclean.memory.storable import storable

if TYPE_CHECKING:
    from newsclean.article import Article
    from newsclean.items import PageItem


class InFlight(NamedTuple):
    """A page on its way to the output."""

    #: its number in the memory, None if it is not stored there
    number: int | None
    #: the name of its pending article, None if it has none
    name: str | None = None
    #: when its article was published, in seconds since 1970, if that is known
    published: float | None = None
    is_article: bool = True
    #: its article, None if it has none
    article: Article | None = None
    #: and what a table takes of it
    row: ArticleRow | None = None

    @classmethod
    def of(cls, item: PageItem) -> Self:
        article = item.article
        is_article = article is None or article.is_article
        return cls(item.number, item.pending_name, item.published, is_article, article)

    def with_row(self, item: Any) -> Self:
        """With the item that came out of the pipelines, as a table takes it.

        Raises TypeError if the item holds what JSON cannot.
        """
        article = self.article
        if article is None or article.id is None:
            return self
        plain = storable(ItemAdapter(item).asdict())
        row = ArticleRow(
            article.id,
            article.revision or 1,
            article.url,
            article.site,
            article.headline,
            article.language,
            self.published,
            ScrapyJSONEncoder(ensure_ascii=False).encode(plain),
        )
        return self._replace(row=row)
