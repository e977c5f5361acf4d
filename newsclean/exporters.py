"""CSV with the same columns in each run."""

from __future__ import annotations

import csv
import json
import os
import re
from typing import IO, TYPE_CHECKING, Any

from scrapy.exporters import CsvItemExporter

if TYPE_CHECKING:
    from collections.abc import Mapping


#: What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), also in the
#: full width of East Asian keyboards.
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


class ArticleCsvExporter(CsvItemExporter):
    """Scrapy's own, with lists and objects as JSON in their cells, and no cell that is a formula.

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
        cell = super().serialize_field(field, name, value)
        if cell is None or isinstance(cell, int | float):
            return cell
        text = cell.decode(self.encoding or "utf-8") if isinstance(cell, bytes) else str(cell)
        return without_formula(text)


def without_formula(text: str) -> str:
    """A text that no spreadsheet runs: with a single quote before it where it looks like a formula.

    >>> without_formula("=1+1"), without_formula("-0.5")
    ("'=1+1", '-0.5')
    """
    is_formula = text.startswith(FORMULA_STARTS) and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text


def columns_in(file: IO[bytes], encoding: str) -> list[str]:
    """The headings of a CSV file, empty if there is nothing in it yet."""
    path = getattr(file, "name", None)
    if not isinstance(path, str) or not os.path.isfile(path):
        return []
    with open(path, encoding=encoding, errors="replace", newline="") as lines:
        return next(csv.reader(lines), [])
