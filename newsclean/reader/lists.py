"""Lists of articles in pages of a bounded length, which new articles leave as they are.

Pages are counted from the oldest article on. A new one changes `index.html`, and once in a while
makes a page; it does not push all others through all pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from newsclean.reader.catalogue import Entry

PAGE = 50  # articles; the newest page has up to twice as many


@dataclass(frozen=True, slots=True)
class ListPage:
    """A part of a list, newest first, with the pages before and after it."""

    path: str
    entries: list[Entry]
    number: int | None = None
    newer: str | None = None
    older: str | None = None

    @property
    def days(self) -> list[tuple[date | None, list[Entry]]]:
        return [(day, list(some)) for day, some in groupby(self.entries, key=lambda e: e.day)]


def paginated(entries: Sequence[Entry], folder: str) -> Iterator[ListPage]:
    """The pages of a list of entries, which come oldest first; the newest page is the first."""
    full = max(0, len(entries) // PAGE - 1)

    def path(number: int) -> str | None:
        if number < 1:
            return None
        return f"{folder}index.html" if number > full else f"{folder}page-{number}.html"

    for number in range(full + 1, 0, -1):
        end = len(entries) if number > full else number * PAGE
        yield ListPage(
            path(number) or "",
            list(reversed(entries[(number - 1) * PAGE : end])),
            None if number > full else number,
            path(number + 1) if number <= full else None,
            path(number - 1),
        )
