"""From an exported line to a document that a search server can take.

Each field that the mappings know has one kind of value; what is of another kind is left out, so
that one odd value does not cost the whole article. Fields of a project's own pass as they are.
"""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Searched as text.
TEXTS = ("headline", "kicker", "lead", "description", "body")
#: Compared as a whole.
NAMES = (
    "id", "url", "canonical_url", "site", "category", "section", "publisher", "language", "image",
    "content_hash",
)  # fmt: skip
#: Several names.
LISTS = ("authors", "keywords")
DATES = ("date_published", "date_modified", "fetched_at")
FLAGS = ("is_article", "unchanged", "free_access")
#: Kept to be shown, and not searched.
STORED_TEXTS = ("body_html", "markdown", "source")
STORED_OBJECTS = ("images", "embeds", "extraction")

#: What all servers take as the key of a document: Meilisearch is the strictest of them.
KEY = re.compile(r"[A-Za-z0-9_-]{1,511}")
#: The largest number of a version or an int64.
MAX_REVISION = 2**63 - 1
#: Null bytes and halves of surrogate pairs, which are valid JSON and which databases refuse.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\ufffd"


class UnusableLineError(ValueError):
    """A line that cannot become a document."""


def document_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """The document of a line; raises `UnusableLineError` if it has no id or no revision."""
    key = line.get("id")
    if not isinstance(key, str):
        raise UnusableLineError("it has no id, by which indexes know an article")
    if not KEY.fullmatch(key):
        raise UnusableLineError(f"its id {key[:40]!r} is not made of letters, digits, - and _")
    document: dict[str, Any] = {}
    for name, value in line.items():
        kept = _READERS.get(name, storable)(value)
        if kept is not None:
            document[storable_text(name)] = kept
    if "revision" not in document:
        raise UnusableLineError(f"its revision {line.get('revision')!r} is not a number, 0 or more")
    return document


def storable_text(text: str) -> str:
    r"""A text that every database and every UTF-8 file can hold.

    >>> storable_text("a\x00b\ud800c")
    'a�b�c'
    """
    return UNSTORABLE.sub(REPLACEMENT, text)


def storable(value: Any) -> Any:
    """Any value of JSON with its texts storable; None if it holds what is not a number."""
    if isinstance(value, str):
        return storable_text(value)
    try:
        packed = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    if not UNSTORABLE.search(packed) and "\\u0000" not in packed:
        return value
    if isinstance(value, dict):
        return {storable_text(str(name)): storable(item) for name, item in value.items()}
    return [storable(item) for item in value]


def seconds_of(date: Any) -> int | None:
    """A date as whole seconds since 1970, UTC where it names no zone.

    >>> seconds_of("1970-01-02"), seconds_of("1970-01-01T01:00:00+01:00"), seconds_of("soon")
    (86400, 0, None)
    """
    moment = _moment(date)
    if moment is None:
        return None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def language_of(document: Mapping[str, Any]) -> str:
    """The language without its region, in small letters.

    >>> language_of({"language": "pt-BR"}), language_of({})
    ('pt', '')
    """
    return re.split("[-_]", str(document.get("language") or ""))[0].lower()


def full_text(document: Mapping[str, Any]) -> str:
    """All that is searched, in one text."""
    return "\n\n".join(document[name] for name in TEXTS if document.get(name))


def _moment(date: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(date)
    except (TypeError, ValueError):
        return None


def _text(value: Any) -> str | None:
    return storable_text(value) if isinstance(value, str) else None


def _texts(value: Any) -> list[str] | None:
    if not isinstance(value, list):
        return None
    return [storable_text(item) for item in value if isinstance(item, str)]


def _date(value: Any) -> str | None:
    """A date in the form that all servers read: seconds, and a zone where there is one."""
    moment = _moment(value)
    if moment is None:
        return None
    is_day = re.fullmatch(r"\d{4}-?\d{2}-?\d{2}|\d{4}-?W\d{2}-?\d", value)
    return moment.date().isoformat() if is_day else moment.isoformat(timespec="seconds")


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _revision(value: Any) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value <= MAX_REVISION else None


def _probability(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys((*TEXTS, *NAMES, *STORED_TEXTS), _text),
    **dict.fromkeys(LISTS, _texts),
    **dict.fromkeys(DATES, _date),
    **dict.fromkeys(FLAGS, _flag),
    "revision": _revision,
    "article_probability": _probability,
}
