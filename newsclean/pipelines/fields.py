"""Which fields of somebody else's items get which fields of the article."""

from __future__ import annotations

import logging
import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from newsclean.article import MarkdownArticle
from newsclean.usage import nearest

if TYPE_CHECKING:
    from itemadapter import ItemAdapter
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

MARKDOWN = "markdown"
ARTICLE_FIELDS = tuple(field.name for field in fields(MarkdownArticle))

#: What others call the article's text, in small letters and without underscores.
TEXT_NAMES = frozenset(
    "content contents contenttext contentbody text articlebody articletext articlecontent "
    "bodytext fulltext maintext maincontent newsbody newstext newscontent storybody storytext "
    "postcontent posttext".split()
)
MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>")


def wants_markdown(settings: BaseSettings) -> bool:
    """Whether articles have the field `markdown`, by its setting, or because a field gets it."""
    named = settings.getdict("NEWSCLEAN_FIELDS").values()
    return settings.getbool("NEWSCLEAN_MARKDOWN") or MARKDOWN in named


class FieldMap:
    """From a field of theirs to one of ours: `NEWSCLEAN_FIELDS`, or a guess without that setting.

    The guess concerns the text: an item without a field `body`, in which exactly one field has a
    name that others give to the text, gets it there. Each guess is in the log once.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self.is_guessed = settings.get("NEWSCLEAN_FIELDS") is None
        self.named: dict[str, str] = settings.getdict("NEWSCLEAN_FIELDS")
        for theirs, ours in self.named.items():
            if ours not in ARTICLE_FIELDS:
                raise ValueError(
                    f"{theirs!r} is to get {ours!r}, which is no field of an article; "
                    f"did you mean {nearest(str(ours), ARTICLE_FIELDS)!r}?"
                )
        without = () if wants_markdown(settings) else (MARKDOWN,)
        self.names = [name for name in ARTICLE_FIELDS if name not in without]
        #: what the log has, by class and fields
        self.reported: set[tuple[type, str]] = set()

    def places(self, adapter: ItemAdapter) -> dict[str, str]:
        """Which field of the item gets which field of the article, always in the same order.

        A dict has a place for everything; other items for what they declare.
        """
        item = adapter.item
        is_dict = isinstance(item, dict)
        declared = list(adapter) if is_dict else list(adapter.field_names())
        named = {
            theirs: ours for theirs, ours in self.named.items() if is_dict or theirs in declared
        }
        if self.is_guessed and "body" not in declared:
            named = self._guess(adapter, declared)
        filled = set(named.values())
        own = [
            name
            for name in self.names
            if name not in named
            and (name in declared or (is_dict and name not in filled))
            # The `id` of somebody's own class is often the key of a table: only if it is named.
            and (name != "id" or is_dict)
        ]
        if not {"body", "body_html", MARKDOWN} & {*filled, *own}:
            self._report_once(
                logging.WARNING,
                type(item),
                "",
                "%s has no field 'body': the article's text is not handed on. Name the field for "
                "it in NEWSCLEAN_FIELDS, add the fields that you want, or yield dicts.",
            )
        return named | dict(zip(own, own, strict=True))

    def _guess(self, adapter: ItemAdapter, declared: list[str]) -> dict[str, str]:
        kind = type(adapter.item)
        found = [name for name in declared if re.sub(r"[_-]", "", str(name)).lower() in TEXT_NAMES]
        if len(found) > 1:
            self._report_once(
                logging.WARNING,
                kind,
                repr(found),
                f"%s has several fields for the article's text ({', '.join(found)}): "
                "none of them is changed. Name the right one in NEWSCLEAN_FIELDS.",
            )
        if len(found) != 1:
            return {}
        theirs = found[0]
        value = adapter.get(theirs)
        ours = "body_html" if isinstance(value, str) and MARKUP.search(value) else "body"
        self._report_once(
            logging.INFO,
            kind,
            f"{theirs}: {ours}",
            f"%s: the article's {ours} goes into its field {theirs!r}, as if by "
            f"NEWSCLEAN_FIELDS = {{{theirs!r}: {ours!r}}}",
        )
        return {theirs: ours}

    def _report_once(self, level: int, kind: type, key: str, message: str) -> None:
        if (kind, key) not in self.reported:
            self.reported.add((kind, key))
            logger.log(level, message, kind.__qualname__)


def in_kind(value: Any, before: Any) -> Any:
    """A text as a list of paragraphs where the spider had a list.

    >>> in_kind("One.\\n\\nTwo.", ["raw one", "raw two"])
    ['One.', 'Two.']
    """
    return value.split("\n\n") if isinstance(before, list) and isinstance(value, str) else value
