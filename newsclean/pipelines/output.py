"""The last pipeline: from the `PageItem` to the item that the feeds get.

That is the article, or a third-party item with the article filled in. `FieldMap` says which of its
fields get which fields of the article; the values are converted to the types of the fields.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import fields
from datetime import date, datetime
from functools import cache, partial
from inspect import isclass
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Self, Union, get_args, get_origin, get_type_hints

from itemadapter import ItemAdapter
from scrapy.utils.misc import load_object

from newsclean.article import MarkdownArticle
from newsclean.crawl_state import CrawlState
from newsclean.error_hints import install_command, nearest
from newsclean.items import PageItem
from newsclean.pipelines.worker import EXPORTED, PipelineError, check_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from newsclean.article import Article


logger = logging.getLogger(__name__)

_MARKDOWN = "markdown"
_ARTICLE_FIELDS = tuple(field.name for field in fields(MarkdownArticle))

#: What zyte-common-items, newspaper, trafilatura, news-please and schema.org call the article's
#: text, in small letters and without underscores.
_TEXT_NAMES = frozenset(
    "content contents contenttext contentbody text articlebody articletext articlecontent "
    "bodytext fulltext maintext maincontent newsbody newstext newscontent storybody storytext "
    "postcontent posttext".split()
)
#: And the other fields, by our names.
_METADATA_NAMES = {
    "headline": frozenset("headline title articletitle newstitle".split()),
    "authors": frozenset("authors author byline".split()),
    "date_published": frozenset(
        "datepublished datepublish date published publishedat publisheddate publishdate "
        "publicationdate pubdate".split()
    ),
    "description": frozenset("description summary abstract excerpt".split()),
    "image": frozenset("image imageurl mainimage topimage leadimage".split()),
}
#: The fields of the article that replace what a spider has put into its item.
CONTENT = frozenset(("body", "body_html", _MARKDOWN))
#: The fields that only newsclean fills.
_PREDICTIONS = frozenset(
    "is_article article_probability revision unchanged content_hash copy_of extraction".split()
)
#: Fields that get one text, not a list, if they have neither a type nor a value.
_ONE_TEXT = frozenset("author byline".split())
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>")


def wants_markdown(settings: BaseSettings) -> bool:
    """Tell whether articles get the field `markdown`: by its setting, or for a field."""
    named = settings.getdict("NEWSCLEAN_FIELDS").values()
    return settings.getbool("NEWSCLEAN_MARKDOWN") or _MARKDOWN in named


def item_maker(settings: BaseSettings) -> Callable[[Article], Any]:
    """Return what makes the item of an article: that of `NEWSCLEAN_ITEM`, or the article itself."""
    name = settings["NEWSCLEAN_ITEM"]
    if not name:
        return lambda article: article
    try:
        from zyte_common_items import Article as ZyteArticle
        from zyte_common_items import ArticleList

        from newsclean.extensions.zyte_items import zyte_article

        kind = load_object(name)
    except (ImportError, NameError, ValueError) as error:
        missing = getattr(error, "name", "") == "zyte_common_items"
        why = f"it needs zyte-common-items: {install_command('zyte')}" if missing else str(error)
        raise ValueError(why) from None
    if isclass(kind) and issubclass(kind, ArticleList):
        raise ValueError(
            f"{name} has the links of a section page, and the items of a crawl are its articles: "
            "possible are zyte_common_items.Article and its subclasses. A callback gets an "
            "ArticleList from newsclean.extensions.poet_provider.ArticleProvider, or from "
            "zyte_article_list (docs/scrapy-packages.md)"
        )
    if not isclass(kind) or not issubclass(kind, ZyteArticle):
        raise ValueError(f"{name} is not zyte_common_items.Article, nor a subclass of it")
    if settings["NEWSCLEAN_INDEX"]:
        raise ValueError("NEWSCLEAN_INDEX takes only newsclean's own articles")
    return partial(zyte_article, kind=kind)


class FieldMap:
    """Which field of an item gets which field of the article: `NEWSCLEAN_FIELDS`, or a guess.

    If an item has no field `body` and exactly one field with a common name for the text, the text
    goes there. Headline, authors, date, description and image likewise, but only where the spider
    has left the field empty. Each guess is logged once.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self.is_guessed = settings.get("NEWSCLEAN_FIELDS") is None
        self.named: dict[str, str] = settings.getdict("NEWSCLEAN_FIELDS")
        for theirs, ours in self.named.items():
            if ours not in _ARTICLE_FIELDS:
                raise ValueError(
                    f"{theirs!r} is to get {ours!r}, but an article has no such field; "
                    f"did you mean {nearest(str(ours), _ARTICLE_FIELDS)!r}?"
                )
        without = () if wants_markdown(settings) else (_MARKDOWN,)
        self.names = [name for name in _ARTICLE_FIELDS if name not in without]
        #: what was logged, by class and fields
        self.reported: set[tuple[type, str]] = set()

    def places(self, adapter: ItemAdapter) -> dict[str, str]:
        """Return the field of the article for each field of the item, always in the same order.

        A dict takes all fields, other items take those that they declare.
        """
        item = adapter.item
        is_dict = isinstance(item, dict)
        declared = list(adapter) if is_dict else list(adapter.field_names())
        named = {
            theirs: ours for theirs, ours in self.named.items() if is_dict or theirs in declared
        }
        guessed: dict[str, str] = {}
        if self.is_guessed:
            if "body" not in declared:
                named = self._guess_text(adapter, declared)
            guessed = self._guess_metadata(adapter, declared)
        filled = set(named.values())
        own = [
            name
            for name in self.names
            if name not in named
            and (name in declared or (is_dict and name not in filled))
            # The `id` of a class is often the key of a table: only if it is named.
            and (name != "id" or is_dict)
        ]
        if not {"body", "body_html", _MARKDOWN} & {*filled, *own}:
            self._report_once(
                logging.WARNING,
                type(item),
                "",
                "%s has no field 'body': the article's text is not output. Name the field for it "
                "in NEWSCLEAN_FIELDS, add the fields that you want, or yield dicts.",
            )
        return named | guessed | dict(zip(own, own, strict=True))

    def _guess_text(self, adapter: ItemAdapter, declared: list[str]) -> dict[str, str]:
        theirs = self._only_one(adapter, declared, _TEXT_NAMES, "text")
        if theirs is None:
            return {}
        value = adapter.get(theirs)
        ours = "body_html" if isinstance(value, str) and _MARKUP.search(value) else "body"
        self._report_guess(adapter, theirs, ours)
        return {theirs: ours}

    def _guess_metadata(self, adapter: ItemAdapter, declared: list[str]) -> dict[str, str]:
        """Guess for empty fields; a dict still gets the fields under our names, too."""
        empty = [name for name in declared if not adapter.get(name)]
        guessed = {}
        for ours, names in _METADATA_NAMES.items():
            if ours in declared:
                continue
            theirs = self._only_one(adapter, empty, names, ours)
            if theirs is not None:
                self._report_guess(adapter, theirs, ours)
                guessed[theirs] = ours
        return guessed

    def _only_one(
        self, adapter: ItemAdapter, declared: list[str], names: frozenset[str], what: str
    ) -> str | None:
        found = [name for name in declared if _plain(name) in names]
        if len(found) > 1:
            self._report_once(
                logging.WARNING,
                type(adapter.item),
                repr(found),
                f"%s has several fields for the article's {what} ({', '.join(found)}): "
                "none of them is changed. Name the right one in NEWSCLEAN_FIELDS.",
            )
        return found[0] if len(found) == 1 else None

    def _report_guess(self, adapter: ItemAdapter, theirs: str, ours: str) -> None:
        self._report_once(
            logging.INFO,
            type(adapter.item),
            f"{theirs}: {ours}",
            f"%s: the article's {ours} goes into its field {theirs!r}; to set this yourself: "
            f"NEWSCLEAN_FIELDS = {{{theirs!r}: {ours!r}}}",
        )

    def _report_once(self, level: int, kind: type, key: str, message: str) -> None:
        if (kind, key) not in self.reported:
            self.reported.add((kind, key))
            logger.log(level, message, kind.__qualname__)


def _plain(name: object) -> str:
    return re.sub(r"[_-]", "", str(name)).lower()


def _in_kind(value: Any, before: Any, wanted: Any = None) -> Any:
    """Convert a value of the article to the type that a field had, or else is declared with.

    >>> _in_kind("One.\\n\\nTwo.", ["raw one", "raw two"])
    ['One.', 'Two.']
    >>> _in_kind(["Ada Berg", "Ole Dahl"], "")
    'Ada Berg, Ole Dahl'
    >>> _in_kind("2026-03-01", None, datetime | None)
    datetime.datetime(2026, 3, 1, 0, 0)
    """
    if not value and not before and before is not None:
        return before
    kind, of_each = _unpacked(wanted)
    if isinstance(before, str | list):
        kind = type(before)
    is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if kind is list and (is_list or isinstance(value, str)):
        return [_in_class(each, of_each) for each in (value if is_list else value.split("\n\n"))]
    if is_list and (kind is str or _key_field(kind)):
        value = ", ".join(value) or None
    return _in_class(value, kind)


def _wanted_type(item: Any, name: str) -> Any:
    """Return the type with which the class of an item declares a field, None if it is unknown."""
    kind: Any = type(item)
    return _type_hints(kind).get(name, str if _plain(name) in _ONE_TEXT else None)


@cache
def _type_hints(kind: type) -> dict[str, Any]:
    try:
        return get_type_hints(kind)
    except (NameError, TypeError):  # names that exist only for a type checker
        return {}


def _unpacked(wanted: Any) -> tuple[Any, Any]:
    """Return the class of a type hint without `None`, and that of the members of a list."""
    if get_origin(wanted) in (Union, UnionType):
        wanted = next(each for each in get_args(wanted) if each is not NoneType)
    origin = get_origin(wanted)
    if origin in (list, Sequence):
        return list, next(iter(get_args(wanted)), None)
    return origin or wanted, None


def _key_field(kind: Any) -> str | None:
    """Return the field of an item class such as `Author` or `Image` that gets a text."""
    if not isclass(kind) or not ItemAdapter.is_item_class(kind):
        return None
    declared: Any = kind
    return next((name for name in ("name", "url") if name in _type_hints(declared)), None)


def _in_class(value: Any, kind: Any) -> Any:
    """Convert a text to a date, or to an item with a name or a URL, if such a class is wanted."""
    if not isinstance(value, str) or not isclass(kind):
        return value
    try:
        if issubclass(kind, date):
            moment = datetime.fromisoformat(value)
            return moment if issubclass(kind, datetime) else moment.date()
        if name := _key_field(kind):
            return kind(**{name: value})
    except (TypeError, ValueError):  # it takes no such value: the pipeline reports what is refused
        pass
    return value


class ExportPipeline:
    """Turn a `PageItem` into its article, or fill the article into the project's own item."""

    needs: ClassVar = ("article",)
    gives: ClassVar = (EXPORTED,)

    def __init__(self, crawler: Crawler) -> None:
        self.state = CrawlState.of(crawler)
        self.fields = FieldMap(crawler.settings)
        self.make_item = item_maker(crawler.settings)
        #: fields that could not be filled, by class: each is logged once
        self.refused: set[tuple[type, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        check_order(crawler)
        return cls(crawler)

    def process_item(self, item: Any) -> Any:
        if not isinstance(item, PageItem):
            return item
        if item.article is None:
            raise PipelineError(f"no pipeline has set the article of {item!r}")
        self.count(item, item.article)
        if item.third_party_item is None:
            return self.make_item(item.article)
        self.fill(item.third_party_item, item, item.article)
        return item.third_party_item

    def count(self, item: PageItem, article: Article) -> None:
        self.state.count("articles")
        for kind in ("static", "dynamic"):
            self.state.count(f"{kind}_noise/chars", article.extraction.get(f"{kind}_chars", 0))
        self.state.counts.of(item.url).count_article(article)

    def fill(self, own: Any, item: PageItem, found: Article) -> None:
        """Put the article into a third-party item.

        If the page is not an article, what the spider has read stays, and gaps are filled.
        """
        adapter = ItemAdapter(own)
        places = self.fields.places(adapter)
        article = found.to_dict()
        finds = _PREDICTIONS | CONTENT if found.is_article else _PREDICTIONS
        page = _raw_page(item)
        for name in list(adapter):
            if (
                found.is_article
                and places.get(name) not in _PREDICTIONS | CONTENT
                and adapter[name] in page
            ):
                self._set(adapter, name, article["body_html"])
        for theirs, ours in places.items():
            before = adapter.get(theirs)
            if ours in finds or not before:
                wanted = _wanted_type(own, theirs)
                self._set(adapter, theirs, _in_kind(article[ours], before, wanted))

    def _set(self, adapter: ItemAdapter, name: str, value: Any) -> None:
        """Fill a field; an item that refuses the value goes on without it."""
        try:
            adapter[name] = value
        except (AttributeError, TypeError, ValueError) as error:  # frozen, or of another type
            kind = type(adapter.item)
            if (kind, name) not in self.refused:
                self.refused.add((kind, name))
                why = str(error).partition("\n")[0]
                logger.warning("%s: field %r not filled: %s", kind.__qualname__, name, why)


def _raw_page(item: PageItem) -> list[Any]:
    """Return the page as a spider may have put it into its item: as bytes and as text."""
    response = item.response
    return [response.body, getattr(response, "text", None) or response.body]
