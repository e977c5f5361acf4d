"""Lists of addresses: a line each, CSV with a heading, or JSON lines."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

from newsclean.extraction.metadata.dates import iso_date
from newsclean.sources.entries import Entry
from newsclean.urls import resolve_url, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def read_url_list(
    lines: Iterable[str], refused: Callable[[int, str], object] = lambda number, why: None
) -> Iterator[Entry]:
    """The entries of a list, each address once; `refused` is called with the number of a bad line.

    CSV is known by a heading with a column `url`, JSON lines by their braces; both may have
    `category` and `date`. Empty lines and lines that begin with # are left out.

    >>> [entry.category for entry in read_url_list(["url,category", "https://a.org/1,sport"])]
    ['sport']
    """
    columns: list[str] | None = None
    is_first = True
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        line = line.strip().removeprefix("\ufeff")
        if not line or line.startswith("#"):
            continue
        if is_first:
            is_first = False
            heading = [name.strip(' "').lower() for name in line.split(",")]
            if "url" in heading:
                columns = heading
                continue
        try:
            fields = _fields(line, columns)
        except ValueError as error:
            refused(number, str(error))
            continue
        url = resolve_url(fields.get("url"), None)
        if url is None or site_of(url) is None:
            refused(number, f"{fields.get('url')!r} is not a URL of a web page")
        elif url not in seen:
            seen.add(url)
            yield Entry(url, iso_date(fields.get("date")), fields.get("category") or None)


def _fields(line: str, columns: list[str] | None) -> dict[str, str]:
    if columns is not None:
        try:
            return dict(zip(columns, next(csv.reader([line], strict=True)), strict=False))
        except csv.Error as error:
            raise ValueError(f"not a line of CSV: {error}") from None
    if not line.startswith("{"):
        return {"url": line}
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a line of JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    return {name: value for name, value in record.items() if isinstance(value, str)}
