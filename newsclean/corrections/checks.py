"""The checks of a corrections file: each value is what it should be, or the error says what is."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Characters of a wrong value that an error shows.
MAX_SHOWN = 60

_NAME = re.compile(r"[0-9A-Za-z_-]{1,40}")


class CorrectionsError(ValueError):
    """A corrections file that cannot be read or written, or makes no sense."""


@dataclass(frozen=True)
class Entry:
    """One table of a file, with its place for errors."""

    where: str
    values: dict[str, Any]
    known: tuple[str, ...]

    def __post_init__(self) -> None:
        if unknown := sorted(self.values.keys() - set(self.known)):
            names = ", ".join(map(_shown, unknown[:5]))
            raise self.error(f"unknown: {names}; there are {', '.join(self.known)}")

    def error(self, problem: str) -> CorrectionsError:
        return CorrectionsError(f"{self.where}: {problem}")

    def _value(self, name: str) -> Any:
        if name not in self.values:
            raise self.error(f"{name} is missing: add it, or take the whole entry out")
        return self.values[name]

    def text(self, name: str, longest: int, default: str | None = None) -> str:
        """A text of one line."""
        value = self.values.get(name, default) if default is not None else self._value(name)
        if not isinstance(value, str) or (not value.strip() and value != default):
            raise self.error(f"{name} = {_shown(value)} is not a text")
        if len(value) > longest:
            raise self.error(f"{name} has {len(value):,} characters: at most {longest:,}")
        if not value.isprintable():
            raise self.error(f"{name} = {_shown(value)} has signs that cannot be printed")
        return value

    def name(self, name: str) -> str:
        value = self._value(name)
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise self.error(f"{name} = {_shown(value)} is not up to 40 letters and digits")
        return value

    def day(self, name: str) -> str:
        """A day as a text, or as TOML has dates."""
        value = self._value(name)
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            problem = f"{name} = {_shown(value)} is not a day as 2026-03-14"
            raise self.error(problem) from None

    def truth(self, name: str) -> bool:
        value = self._value(name)
        if not isinstance(value, bool):
            raise self.error(f"{name} = {_shown(value)} is neither true nor false")
        return value

    def count(self, name: str, most: int) -> int:
        value = self._value(name)
        if type(value) is not int or not 0 <= value <= most:
            raise self.error(f"{name} = {_shown(value)} is not a number from 0 to {most:,}")
        return value

    def number(self, name: str, least: float, most: float) -> float:
        value = self._value(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"{name} = {_shown(value)} is not a number")
        if not math.isfinite(value) or not least <= value <= most:
            raise self.error(f"{name} = {_shown(value)} is not from {least:g} to {most:g}")
        return float(value)

    def table(self, name: str, known: tuple[str, ...]) -> Entry | None:
        if name not in self.values:
            return None
        value = self.values[name]
        if not isinstance(value, dict):
            raise self.error(f"{name} = {_shown(value)} is not a table: {{ … }}")
        return Entry(f"{self.where}, {name}", value, known)

    def entries(self, name: str, most: int, known: tuple[str, ...]) -> Iterator[Entry]:
        """The tables of a list, each with its number."""
        rows = self.values.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.error(f"{name} is a list of tables: [[{name}]], or a list of {{ … }}")
        if len(rows) > most:
            raise self.error(f"{name} has {len(rows):,} entries: at most {most:,}")
        for number, row in enumerate(rows, 1):
            yield Entry(f"{self.where}, {name} {number}", row, known)


def _shown(value: object) -> str:
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # a number of too many digits
        return "it"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
