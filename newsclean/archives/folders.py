"""The saved pages of a folder, and what a list beside them says of them."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.archives.saved import ArchiveError, Position
from newsclean.archives.warc import BAD_LINE, FoundPage
from newsclean.extraction.metadata.dates import iso_date
from newsclean.files import PAGE_SUFFIXES, is_page_name, ordinary_files
from newsclean.sources import Entry
from newsclean.urls import resolve_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.files import LeftOut

#: A list with the columns `file` and `url`, and perhaps `category` and `date`.
LIST = "urls.csv"


def folder_pages(folder: str, left_out: LeftOut) -> Iterator[FoundPage]:
    """The pages of a folder and of the folders in it, by name.

    A `urls.csv` says the addresses of the pages beside and below it. A page of which none says it
    has no address. `ArchiveError` if there is no page at all.
    """
    lists: dict[str, dict[str, Entry]] = {}
    has_pages = False
    try:
        for inner, names in ordinary_files(folder, _is_wanted, left_out):
            if LIST in names:
                names.remove(LIST)
                path = os.path.join(inner, LIST)
                lists[os.path.dirname(path)] = _read_list(Path(path), left_out)
            for name in names:
                path = os.path.join(inner, name)
                entry = _entry(path, lists) if lists else None
                position = Position(path, entry=entry, folder=folder)
                has_pages = True
                yield FoundPage(position, entry.url if entry else None)
    except OSError as error:
        raise ArchiveError(f"cannot read {folder}: {error.strerror}") from None
    if not has_pages:
        raise ArchiveError(f"no pages ({', '.join(PAGE_SUFFIXES)}) in {folder}")


def _is_wanted(name: str) -> bool:
    return name == LIST or is_page_name(name)


def _entry(path: str, lists: dict[str, dict[str, Entry]]) -> Entry | None:
    """What the nearest list says of a page."""
    folder, name = os.path.split(path)
    while True:
        if entry := lists.get(folder, {}).get(name):
            return entry
        folder, last = os.path.split(folder)
        if not last:
            return None
        name = f"{last}/{name}"


def _read_list(path: Path, left_out: LeftOut) -> dict[str, Entry]:
    """The pages of a list by their files; lines that name no page are left out."""
    entries: dict[str, Entry] = {}
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
            rows = csv.DictReader(lines)
            columns = {name.strip().lower(): name for name in rows.fieldnames or () if name}
            if not {"file", "url"} <= columns.keys():
                raise ArchiveError(f"{path} has no columns file and url in its first line")
            for row in rows:
                fields = {name: row.get(column) or "" for name, column in columns.items()}
                url = resolve_url(fields["url"], None)
                if url is None:
                    left_out(BAD_LINE, f"{path}:{rows.line_num}: {fields['url']!r} is not a URL")
                    continue
                date = iso_date(fields.get("date"))
                file = os.path.normpath(fields["file"].strip()).replace(os.sep, "/")
                entries[file] = Entry(url, date, fields.get("category") or None)
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ArchiveError(f"cannot read {path}: {reason}") from None
    return entries
