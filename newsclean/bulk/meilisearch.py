"""Meilisearch: documents, and the settings of an index.

Meilisearch finds the language of a text by itself, and compares numbers, not dates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsclean.bulk.document import DATES, TEXTS, seconds_of

if TYPE_CHECKING:
    from collections.abc import Mapping

#: What a date is called as seconds since 1970.
SECONDS = "_seconds"
#: The most telling first, for the rule `attribute`.
SEARCHED = ("headline", "kicker", "lead", "description", "keywords", "authors", "body")
FILTERED = (
    "site", "section", "category", "publisher", "language", "authors", "keywords", "is_article",
    "free_access", "content_hash", "revision",
)  # fmt: skip


def with_seconds(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with each date as seconds, too, to filter and to sort by.

    >>> with_seconds({"date_published": "1970-01-02"})
    {'date_published': '1970-01-02', 'date_published_seconds': 86400}
    """
    seconds = {f"{name}{SECONDS}": seconds_of(document.get(name)) for name in DATES}
    return {**document, **{name: value for name, value in seconds.items() if value is not None}}


def index_settings() -> dict[str, Any]:
    """What the settings of the index are replaced by."""
    assert set(TEXTS) <= set(SEARCHED)
    dates = [f"{name}{SECONDS}" for name in DATES]
    return {
        "searchableAttributes": list(SEARCHED),
        "filterableAttributes": [*FILTERED, *dates],
        "sortableAttributes": dates,
    }
