"""CSV with the same columns in each run."""

from __future__ import annotations

import csv
import json
import os
from typing import IO, TYPE_CHECKING, Any

from scrapy.exporters import CsvItemExporter

if TYPE_CHECKING:
    from collections.abc import Mapping


class ArticleCsvExporter(CsvItemExporter):
    """Scrapy's own, with lists and objects as JSON in their cells.

    A file to which is appended keeps its columns, and gets no second line of headings.
    """

    def __init__(self, file: IO[bytes], **options: Any) -> None:
        columns = columns_in(file, options.get("encoding") or "utf-8")
        if columns:
            options |= {"fields_to_export": columns, "include_headers_line": False}
        super().__init__(file, **options)  # type: ignore[arg-type]

    def serialize_field(self, field: Mapping[str, Any], name: str, value: Any) -> Any:
        if isinstance(value, list | dict):
            return json.dumps(value, ensure_ascii=False)
        return super().serialize_field(field, name, value)


def columns_in(file: IO[bytes], encoding: str) -> list[str]:
    """The headings of a CSV file, empty if there is nothing in it yet."""
    path = getattr(file, "name", None)
    if not isinstance(path, str) or not os.path.isfile(path):
        return []
    with open(path, encoding=encoding, errors="replace", newline="") as lines:
        return next(csv.reader(lines), [])
