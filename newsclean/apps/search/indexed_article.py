"""Turn exported articles into documents of an index, and decide which ones replace older states."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import xxhash

from newsclean.apps.search.index_target import IndexTargetError, Refused, Written
from newsclean.apps.search.search_words import normalized, stemmed_language

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

#: Fields that do not belong to the content.
_NOT_CONTENT = frozenset(("article_probability", "extraction", "fetched_at", "unchanged"))

_MAX_ID = 512
_MAX_REVISION = 2**62
_LEVEL = 3  # of zstd


class BadArticleError(ValueError):
    """A line that cannot be indexed."""


@dataclass(frozen=True)
class State:
    """The state of an article, comparable with other states of it."""

    revision: int
    #: whether it was extracted again from a kept page
    reextracted: bool
    fetched_at: str
    #: hash of the content
    digest: bytes

    def replaces(self, known: State) -> bool:
        """Whether this state replaces the one in the index.

        A newer revision does. Within a revision, a state that was extracted again wins, then one
        that was fetched later, then the one that comes last.
        """
        return self.digest != known.digest and self._order >= known._order

    @property
    def _order(self) -> tuple[int, bool, str]:
        return self.revision, self.reextracted, self.fetched_at


@dataclass(frozen=True)
class Document:
    """An article with its searchable and visible fields."""

    id: str
    state: State
    url: str | None
    site: str | None
    section: str | None
    language: str | None
    #: publication date as in the line
    date: str | None
    #: publication date in seconds since 1970, if it is valid
    published: float | None
    #: the visible headline
    title: str | None
    #: the searchable headline, with the kicker before it
    headline: str
    #: with the lead before it
    body: str
    authors: str
    keywords: str
    #: the whole line, as JSON
    line: str

    @property
    def stemmed_language(self) -> str:
        return stemmed_language(self.language)


def document_of(line: Mapping[str, Any]) -> Document:
    """Return the document of an exported article; raise `BadArticleError` if it is invalid.

    >>> document_of({"id": "1", "headline": "Rain", "body": "It rains.", "revision": 2}).headline
    'Rain'
    """
    article_id = line.get("id")
    if not isinstance(article_id, str) or not article_id.strip():
        raise BadArticleError("it has no id")
    if len(article_id) > _MAX_ID:
        raise BadArticleError(f"its id has more than {_MAX_ID} characters")
    try:
        written = json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArticleError(f"it cannot be written as JSON: {error}") from None
    date = _text(line, "date_published") or _text(line, "date_modified")
    return Document(
        id=normalized(article_id),
        state=_state_of(line),
        url=_text(line, "url"),
        site=_text(line, "site"),
        section=_text(line, "section") or _text(line, "category"),
        language=_text(line, "language"),
        date=date,
        published=_seconds_of(date),
        title=_text(line, "headline"),
        headline=_joined((_text(line, "kicker"), _text(line, "headline")), " "),
        body=body_of(line),
        authors=_joined(_texts(line, "authors"), "\n"),
        keywords=_joined(_texts(line, "keywords"), "\n"),
        line=written if written.isascii() else written.encode("utf-8", "replace").decode(),
    )


def body_of(line: Mapping[str, Any]) -> str:
    """Return the searchable text of an article, with the lead before it."""
    return _joined((_text(line, "lead"), _text(line, "body")), "\n\n")


def _state_of(line: Mapping[str, Any]) -> State:
    """Return the state of an article; a line without a revision is the first one."""
    revision = line.get("revision", 1)
    if revision is None:
        revision = 1
    if not isinstance(revision, int) or not 0 <= revision <= _MAX_REVISION:
        raise BadArticleError(f"its revision is {revision!r:.40}, not a whole number of at least 0")
    extraction = line.get("extraction")
    reextracted = isinstance(extraction, dict) and extraction.get("reextracted") is True
    content = {name: line[name] for name in sorted(line) if name not in _NOT_CONTENT}
    written = json.dumps(content, ensure_ascii=True, sort_keys=True)
    digest = xxhash.xxh3_128_digest(written.encode())
    return State(int(revision), reextracted, _text(line, "fetched_at") or "", digest)


def documents_of(articles: Sequence[Mapping[str, Any]]) -> tuple[list[Document], list[Refused]]:
    """Return the documents of a batch, and the refused articles."""
    documents, refused = [], []
    for place, line in enumerate(articles):
        try:
            documents.append(document_of(line))
        except BadArticleError as error:
            refused.append(Refused(place, str(error)))
    return documents, refused


def to_be_written(
    documents: Sequence[Document], known: Mapping[str, State]
) -> tuple[list[Document], Written]:
    """Return the documents that replace those in the index, each article once, and the counts."""
    states = dict(known)
    last: dict[str, Document] = {}
    counts: Counter[str] = Counter()
    for document in documents:
        state = states.get(document.id)
        if state is None or document.state.replaces(state):
            states[document.id] = document.state
            last[document.id] = document
        counts[_outcome(document.state, state)] += 1
    written = Written(counts["new"], counts["changed"], counts["same"], counts["older"])
    return list(last.values()), written


def packed(line: str) -> bytes:
    """Compress the line of an article."""
    return zstd.compress(line.encode(), _LEVEL)


def unpacked(stored: bytes) -> dict[str, Any]:
    """
    >>> unpacked(packed('{"headline": "Rain"}'))
    {'headline': 'Rain'}
    """
    try:
        line = _JSON.decode(zstd.decompress(stored).decode())
        if not isinstance(line, dict):
            raise ValueError("a line is not an object")
    except (zstd.ZstdError, ValueError, RecursionError) as error:
        raise IndexTargetError(f"the index is damaged, make it again: {error}") from error
    return line


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


_JSON = json.JSONDecoder(parse_constant=_refuse)


def _seconds_of(date: str | None) -> float | None:
    """Return the seconds since 1970 of an ISO 8601 date; UTC is assumed without a time zone.

    >>> _seconds_of("1970-01-02"), _seconds_of("1970-01-01T01:00:00+01:00"), _seconds_of("soon")
    (86400.0, 0.0, None)
    """
    if not date:
        return None
    try:
        moment = datetime.fromisoformat(date)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _text(line: Mapping[str, Any], name: str) -> str | None:
    value = line.get(name)
    return normalized(value) or None if isinstance(value, str) else None


def _texts(line: Mapping[str, Any], name: str) -> list[str]:
    value = line.get(name)
    values = value if isinstance(value, list) else [value]
    return [normalized(each) for each in values if isinstance(each, str)]


def _joined(parts: Iterable[str | None], between: str) -> str:
    return between.join(part for part in parts if part)


def _outcome(state: State, known: State | None) -> str:
    if known is None:
        return "new"
    if state.replaces(known):
        return "changed"
    return "same" if state.digest == known.digest else "older"
