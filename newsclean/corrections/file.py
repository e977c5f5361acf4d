"""The corrections of a site as a file that people can read, edit, version and share.

site = "example.org"

[[correction]]
id = "3f2a90c1"
page = "https://example.org/2026/rain"
date = "2026-03-14"
method = "hybrid"
note = "the newsletter box"
shown = { pages = 12, share = 0.04 }        # what it changed when it was accepted
fields = { byline = "html body div.head p.by" }
slots = [                                   # in which the method was wrong, then the others
    { path = "html body div.promo p", taken = true, wrong = 2, right = 0, log_odds = 1.25, text = "Sign up …" },
    { path = "html body div.story p", taken = true, wrong = 0, right = 14 },
]

It may come from a stranger: whatever does not fit is refused, with its place and what to do.
"""  # noqa: E501

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.corrections.checks import CorrectionsError, Entry
from newsclean.corrections.correction import FIELDS, MAX_SAMPLE, Correction, Slot
from newsclean.corrections.paths import MAX_PATH
from newsclean.toml import MAX_BYTES, TomlError, parse_toml, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable

SUFFIX = ".corrections.toml"

#: Corrections in a file, and slots of a correction.
MAX_CORRECTIONS = 200
MAX_SLOTS = 3000
#: Characters of the other texts, blocks of a slot, and log-odds.
MAX_TEXT = 2000
MAX_NOTE = 1000
MAX_COUNT = 100_000
MAX_LOG_ODDS = 100.0


def corrections_path(site_file: Path | str) -> Path:
    """The corrections file beside a site file, or of the name of a site.

    >>> corrections_path("sites/example.toml").as_posix()
    'sites/example.corrections.toml'
    """
    path = Path(site_file)
    if path.name.endswith(SUFFIX):
        return path
    name = path.name.removesuffix(".toml")
    return path.with_name(name + SUFFIX)


def site_file_path(path: Path) -> Path:
    """The site file beside a corrections file."""
    return path.with_name(path.name.removesuffix(SUFFIX) + ".toml")


def read_corrections(path: Path | str) -> tuple[str, tuple[Correction, ...]]:
    """The site of a file and its corrections."""
    path = Path(path)
    try:
        return _checked(path, read_toml(path))
    except OSError as error:
        raise CorrectionsError(f"cannot read the corrections {path}: {error.strerror}") from None
    except TomlError as error:
        raise CorrectionsError(str(error)) from None


def _checked(path: Path, values: dict[str, Any]) -> tuple[str, tuple[Correction, ...]]:
    top = Entry(str(path), values, ("site", "correction"))
    site = top.text("site", MAX_TEXT)
    entries = tuple(
        _correction(entry) for entry in top.entries("correction", MAX_CORRECTIONS, CORRECTION)
    )
    ids = [each.id for each in entries]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise CorrectionsError(f"{path}: two corrections have the id {twice!r}: change one")
    return site, entries


CORRECTION = ("id", "page", "date", "method", "note", "shown", "fields", "slots")


def _correction(entry: Entry) -> Correction:
    shown = entry.table("shown", ("pages", "share"))
    fields = entry.table("fields", FIELDS)
    slots = entry.entries(
        "slots", MAX_SLOTS, ("path", "taken", "wrong", "right", "log_odds", "text")
    )
    return Correction(
        id=entry.name("id"),
        page=entry.text("page", MAX_TEXT),
        date=entry.day("date"),
        method=entry.text("method", MAX_TEXT),
        note=entry.text("note", MAX_NOTE, default=""),
        shown_share=None if shown is None else shown.number("share", 0.0, 1e6),
        shown_pages=0 if shown is None else shown.count("pages", MAX_COUNT),
        fields={} if fields is None else {
            name: fields.text(name, MAX_PATH) for name in FIELDS if name in fields.values
        },
        slots=tuple(map(_slot, slots)),
    )  # fmt: skip


def _slot(entry: Entry) -> Slot:
    log_odds = None
    if "log_odds" in entry.values:
        log_odds = entry.number("log_odds", -MAX_LOG_ODDS, MAX_LOG_ODDS)
    return Slot(
        path=entry.text("path", MAX_PATH),
        taken=entry.truth("taken"),
        wrong=entry.count("wrong", MAX_COUNT),
        right=entry.count("right", MAX_COUNT),
        log_odds=log_odds,
        text=entry.text("text", 2 * MAX_SAMPLE, default=""),
    )


def write_corrections(path: Path | str, site: str, entries: Iterable[Correction]) -> None:
    """Write the file at once and whole; `CorrectionsError` if it cannot be written.

    What could not be read again is not written: the file stays as it was.
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
            f"{path} would have more than {MAX_BYTES:,} bytes: take back corrections first"
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
    """A text as TOML has it: its basic strings are those of JSON, but for U+007F."""
    clean = value.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
