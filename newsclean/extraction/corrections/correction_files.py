"""Corrections as values, and as a file that people can read, edit, version and share.

site = "example.org"

[[correction]]
id = "3f2a90c1"
page = "https://example.org/2026/rain"
date = "2026-03-14"
method = "hybrid"
note = "the newsletter box"
shown = { pages = 12, share = 0.04 }        # what it changed when it was accepted
fields = { byline = "html body div.head p.by" }
slots = [                                   # those in which the method was wrong come first
    { path = "html body div.promo p", taken = true, wrong = 2, right = 0, log_odds = 1.25,
      text = "Sign up …" },
    { path = "html body div.story p", taken = true, wrong = 0, right = 14 },
]

A stranger may have written the file: a value that does not fit is refused, with its place and what
to do.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import xxhash

from newsclean.extraction.page.slots import MAX_PATH
from newsclean.files import MAX_BYTES, TomlError, parse_toml, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUFFIX = ".corrections.toml"

#: The fields of an article whose slots a person can name.
FIELDS = ("headline", "byline", "date")
#: Characters of a block's text that are kept to recognise it.
MAX_SAMPLE = 60

_NO_FIELDS: Mapping[str, str] = MappingProxyType({})

#: Corrections in a file, and slots of a correction.
_MAX_CORRECTIONS = 200
_MAX_SLOTS = 3000
#: Characters of notes and of other texts, blocks of a slot, and log-odds.
_MAX_NOTE = 1000
_MAX_TEXT = 2000
_MAX_COUNT = 100_000
_MAX_LOG_ODDS = 100.0
#: Characters of a wrong value that an error shows.
_MAX_SHOWN = 60

_CORRECTION = ("id", "page", "date", "method", "note", "shown", "fields", "slots")
_SLOT = ("path", "taken", "wrong", "right", "log_odds", "text")
_ID = re.compile(r"[0-9A-Za-z_-]{1,40}")


class CorrectionsError(ValueError):
    """A corrections file that cannot be read or written, or has a value that does not fit."""


@dataclass(frozen=True)
class Slot:
    """The blocks of a labelled page with one path that the method took, or did not take."""

    path: str
    #: whether the method took them for the article
    taken: bool
    #: in how many of them the method was wrong, and right
    wrong: int = 0
    right: int = 0
    #: the log-odds for the article of the wrong one of which the method was surest, None if the
    #: method has none
    log_odds: float | None = None
    #: the beginning of the first wrong one, to recognise it
    text: str = ""

    @property
    def belongs(self) -> int:
        """The number of blocks that belong to the article."""
        return self.right if self.taken else self.wrong

    @property
    def noise(self) -> int:
        """The number of blocks that do not."""
        return self.wrong if self.taken else self.right


@dataclass(frozen=True)
class Correction:
    """The labels of one page: for each of its slots, whether the method was right."""

    #: the URL of the page, or its file
    page: str
    #: the day, such as 2026-03-14
    date: str
    #: the method that was corrected
    method: str
    slots: tuple[Slot, ...] = ()
    #: by field, the path of the block that holds it
    fields: Mapping[str, str] = field(default_factory=lambda: _NO_FIELDS)
    note: str = ""
    #: the largest share of a page's words that changed in the preview, None without a preview; and
    #: the number of pages in it
    shown_share: float | None = None
    shown_pages: int = 0
    id: str = ""

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", self._made_id())

    def _made_id(self) -> str:
        """Return a short name, the same for the same labels of a page on the same day."""
        slots = (repr(slot) for slot in self.slots)
        parts = (self.page, self.date, self.method, *slots, repr(sorted(self.fields.items())))
        return xxhash.xxh3_64_hexdigest("\n".join(parts).encode("utf-8", "replace"))[:8]

    @property
    def contradictions(self) -> tuple[Slot, ...]:
        """The slots in which the method was wrong."""
        return tuple(slot for slot in self.slots if slot.wrong)

    @property
    def is_empty(self) -> bool:
        """Whether the method was right everywhere."""
        return not self.contradictions and not self.fields


def corrections_path(site_file: Path | str) -> Path:
    """Return the corrections file beside a site file, which may be given without its suffix.

    >>> corrections_path("sites/example.toml").as_posix()
    'sites/example.corrections.toml'
    """
    path = Path(site_file)
    if path.name.endswith(SUFFIX):
        return path
    name = path.name.removesuffix(".toml")
    return path.with_name(name + SUFFIX)


def site_file_path(path: Path) -> Path:
    """Return the site file beside a corrections file."""
    return path.with_name(path.name.removesuffix(SUFFIX) + ".toml")


def read_corrections(path: Path | str) -> tuple[str, tuple[Correction, ...]]:
    """Return the site of a file and its corrections; raise `CorrectionsError`."""
    path = Path(path)
    try:
        return _checked(path, read_toml(path))
    except OSError as error:
        raise CorrectionsError(f"cannot read the corrections {path}: {error.strerror}") from None
    except TomlError as error:
        raise CorrectionsError(str(error)) from None


def _checked(path: Path, values: dict[str, Any]) -> tuple[str, tuple[Correction, ...]]:
    top = _Entry(str(path), values, ("site", "correction"))
    site = top.text("site", _MAX_TEXT)
    entries = tuple(
        _correction(entry) for entry in top.entries("correction", _MAX_CORRECTIONS, _CORRECTION)
    )
    ids = [each.id for each in entries]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise CorrectionsError(f"{path}: two corrections have the id {twice!r}: change one")
    return site, entries


def _correction(entry: _Entry) -> Correction:
    shown = entry.table("shown", ("pages", "share"))
    fields = entry.table("fields", FIELDS)
    return Correction(
        id=entry.id(),
        page=entry.text("page", _MAX_TEXT),
        date=entry.day(),
        method=entry.text("method", _MAX_TEXT),
        note=entry.text("note", _MAX_NOTE, default=""),
        shown_share=None if shown is None else shown.number("share", 0.0, 1e6),
        shown_pages=0 if shown is None else shown.count("pages", _MAX_COUNT),
        fields={} if fields is None else {
            name: fields.text(name, MAX_PATH) for name in FIELDS if name in fields.values
        },
        slots=tuple(map(_slot, entry.entries("slots", _MAX_SLOTS, _SLOT))),
    )  # fmt: skip


def _slot(entry: _Entry) -> Slot:
    log_odds = None
    if "log_odds" in entry.values:
        log_odds = entry.number("log_odds", -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
    return Slot(
        path=entry.text("path", MAX_PATH),
        taken=entry.truth("taken"),
        wrong=entry.count("wrong", _MAX_COUNT),
        right=entry.count("right", _MAX_COUNT),
        log_odds=log_odds,
        text=entry.text("text", 2 * MAX_SAMPLE, default=""),
    )


def write_corrections(path: Path | str, site: str, entries: Iterable[Correction]) -> None:
    """Replace the file at once; raise `CorrectionsError` if it cannot be written.

    The file stays as it was if the new one could not be read again.
    """
    path = Path(path)
    lines = [
        "# What people have said of pages of this site: docs/teach.md explains the fields.",
        f"site = {_text(site)}",
    ]
    for correction in entries:
        lines += ["", *_lines(correction)]
    content = ("\n".join(lines) + "\n").encode("utf-8", "replace")
    if len(content) > MAX_BYTES:
        raise CorrectionsError(
            f"{path} would have more than {MAX_BYTES:,} bytes: remove corrections first"
        )
    try:
        _checked(path, parse_toml(path, content))
    except (CorrectionsError, TomlError) as error:
        raise CorrectionsError(f"nothing is written, it could not be read again: {error}") from None
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        raise CorrectionsError(f"cannot write the corrections {path}: {error.strerror}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _lines(correction: Correction) -> list[str]:
    texts = {name: getattr(correction, name) for name in ("id", "page", "date", "method", "note")}
    lines = ["[[correction]]", *(f"{name} = {_text(text)}" for name, text in texts.items() if text)]
    if correction.shown_share is not None:
        share = round(correction.shown_share, 4)
        lines.append(f"shown = {{ pages = {correction.shown_pages}, share = {share} }}")
    if correction.fields:
        pairs = (f"{name} = {_text(path)}" for name, path in correction.fields.items())
        lines.append(f"fields = {{ {', '.join(pairs)} }}")
    if correction.slots:
        slots = (f"    {{ {_slot_line(slot)} }}," for slot in correction.slots)
        lines += ["slots = [", *slots, "]"]
    return lines


def _slot_line(slot: Slot) -> str:
    parts: dict[str, Any] = {"path": _text(slot.path), "taken": str(slot.taken).lower()}
    parts |= {"wrong": slot.wrong, "right": slot.right}
    if slot.log_odds is not None:
        parts["log_odds"] = round(slot.log_odds, 4)
    if slot.text:
        parts["text"] = _text(slot.text)
    return ", ".join(f"{name} = {value}" for name, value in parts.items())


def _text(value: str) -> str:
    """Return a text as TOML: its basic strings are those of JSON, except for U+007F."""
    clean = value.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True)
class _Entry:
    """One table of a file: returns its values, or raises an error with their place."""

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
        """Return a text of one line."""
        value = self.values.get(name, default) if default is not None else self._value(name)
        if not isinstance(value, str) or (not value.strip() and value != default):
            raise self.error(f"{name} = {_shown(value)} is not a text")
        if len(value) > longest:
            raise self.error(f"{name} has {len(value):,} characters: at most {longest:,}")
        if not value.isprintable():
            raise self.error(f"{name} = {_shown(value)} has characters that cannot be printed")
        return value

    def id(self) -> str:
        value = self._value("id")
        if not isinstance(value, str) or not _ID.fullmatch(value):
            raise self.error(f"id = {_shown(value)} is not up to 40 letters and digits")
        return value

    def day(self) -> str:
        """Return the date, which may be a text or a date of TOML."""
        value = self._value("date")
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            raise self.error(f"date = {_shown(value)} is not a day as 2026-03-14") from None

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

    def table(self, name: str, known: tuple[str, ...]) -> _Entry | None:
        if name not in self.values:
            return None
        value = self.values[name]
        if not isinstance(value, dict):
            raise self.error(f"{name} = {_shown(value)} is not a table: {{ … }}")
        return _Entry(f"{self.where}, {name}", value, known)

    def entries(self, name: str, most: int, known: tuple[str, ...]) -> Iterator[_Entry]:
        rows = self.values.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.error(f"{name} is a list of tables: [[{name}]], or a list of {{ … }}")
        if len(rows) > most:
            raise self.error(f"{name} has {len(rows):,} entries: at most {most:,}")
        for number, row in enumerate(rows, 1):
            yield _Entry(f"{self.where}, {name} {number}", row, known)


def _shown(value: object) -> str:
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # a number of too many digits
        return "it"
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
