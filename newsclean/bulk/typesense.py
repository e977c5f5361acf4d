"""Typesense: lines for its import, and the schema of a collection.

A field has one language there: the text of an article is also in a field of its language, split
into words by it and stemmed where Typesense can. Dates are int64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsclean.bulk.document import DATES, FLAGS, LISTS, TEXTS, full_text, language_of
from newsclean.bulk.meilisearch import SECONDS, with_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Languages that it stems, by Snowball.
STEMMED = tuple(
    "ar ca da de el en es eu fi fr ga hi hu hy id it lt nl no pt ro ru sr sv ta tr".split()
)
#: Languages whose words it finds where no space is.
SEGMENTED = ("ja", "ko", "th", "zh")
SAME_LANGUAGE = {"nb": "no", "nn": "no"}
#: Values to filter and to count by.
FACETS = ("site", "section", "category", "publisher", "language")
COLLECTION = "newsclean"


def import_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The line of a document."""
    language = language_of(document)
    language = SAME_LANGUAGE.get(language, language)
    line = with_seconds(document)
    if language in STEMMED or language in SEGMENTED:
        line[f"text_{language}"] = full_text(document)
    return line


def collection_schema() -> dict[str, Any]:
    """What creates the collection."""
    fields: list[dict[str, Any]] = [{"name": name, "type": "string"} for name in TEXTS]
    fields += [{"name": name, "type": "string", "facet": True} for name in FACETS]
    fields += [{"name": name, "type": "string"} for name in ("url", "content_hash")]
    fields += [{"name": name, "type": "string[]", "facet": True} for name in LISTS]
    fields += [{"name": f"{name}{SECONDS}", "type": "int64"} for name in DATES]
    fields += [{"name": name, "type": "bool", "facet": True} for name in FLAGS]
    fields += [
        {"name": "revision", "type": "int64"},
        {"name": "article_probability", "type": "float"},
    ]
    fields += [
        {"name": f"text_{language}", "type": "string", "locale": language, "stem": True}
        for language in STEMMED
    ]
    fields += [
        {"name": f"text_{language}", "type": "string", "locale": language} for language in SEGMENTED
    ]
    # An article need not have any of them.
    return {"name": COLLECTION, "fields": [{**field, "optional": True} for field in fields]}
