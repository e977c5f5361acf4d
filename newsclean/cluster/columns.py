"""The columns of the Parquet files, and the rows for them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A page by what the headers of its record say.
INDEX = "file int, row int, offset bigint, original bigint, site string, category string"

#: A page that the neighborhoods of its site remember; pages of a site are in one file, in order.
NEIGHBORHOOD = (
    "site string, position int, category string, name string, seen double, "
    "keys binary, facts binary, keying string"
)

_PICTURE = ("url", "caption", "credit", "width", "height", "role")
_EMBED = ("provider", "address", "text")
_TEXTS = "array<string>"

#: The fields of an article (docs/article.schema.json) in their order; what was noted of the
#: extraction differs from method to method, and stays JSON.
_ARTICLE = {
    "source": "string",
    "id": "string",
    "url": "string",
    "canonical_url": "string",
    "site": "string",
    "category": "string",
    "section": "string",
    "kicker": "string",
    "headline": "string",
    "lead": "string",
    "description": "string",
    "authors": _TEXTS,
    "publisher": "string",
    "free_access": "boolean",
    "date_published": "string",
    "date_modified": "string",
    "language": "string",
    "image": "string",
    "images": "array<struct<url: string, caption: string, credit: string, width: bigint, "
    "height: bigint, role: string>>",
    "embeds": "array<struct<provider: string, address: string, text: string>>",
    "keywords": _TEXTS,
    "body": "string",
    "body_html": "string",
    "is_article": "boolean",
    "article_probability": "double",
    "fetched_at": "string",
    "revision": "int",
    "unchanged": "boolean",
    "content_hash": "string",
    "extraction": "string",
}


def article_columns(*, markdown: bool = False) -> str:
    """The columns of articles, as Spark writes them down."""
    columns = _ARTICLE | ({"markdown": "string"} if markdown else {})
    return ", ".join(f"{name} {kind}" for name, kind in columns.items())


def article_row(line: bytes, *, markdown: bool = False) -> tuple[Any, ...]:
    """The row of a line."""
    record = json.loads(line)
    record["images"] = [tuple(picture[name] for name in _PICTURE) for picture in record["images"]]
    record["embeds"] = [tuple(embed[name] for name in _EMBED) for embed in record["embeds"]]
    record["extraction"] = json.dumps(record["extraction"], ensure_ascii=False)
    names = [*_ARTICLE, "markdown"] if markdown else _ARTICLE
    return tuple(record[name] for name in names)


def article_line(row: Sequence[Any], *, markdown: bool = False) -> bytes:
    """The line of a row: what `newsclean extract` would have written."""
    names = [*_ARTICLE, "markdown"] if markdown else _ARTICLE
    record = dict(zip(names, row, strict=True))
    record["images"] = [dict(zip(_PICTURE, picture, strict=True)) for picture in record["images"]]
    record["embeds"] = [dict(zip(_EMBED, embed, strict=True)) for embed in record["embeds"]]
    record["extraction"] = json.loads(record["extraction"])
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
