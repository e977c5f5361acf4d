"""Read the articles of JSON lines, each in its latest state, for lists and pages.

Bodies are not kept in memory: the line of an article is read again for its page.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from newsclean.apps.reader.article_body import Moment, direction, language_tag, moment
from newsclean.apps.reader.article_pages import (
    full_text,
    headline_of,
    section_of,
    site_name,
    text,
    web_url,
    whole_number,
)
from newsclean.files import BrokenLineError, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from newsclean.files import Line, Place


#: Characters of a file name, and hexadecimal digits of a digest in it.
_MAX_NAME = 60
_DIGEST = 16
#: Names that Windows reserves, with any extension.
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(10))]
)

_OTHER = re.compile("[^a-z0-9]+")
_PLAIN = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")

#: Articles per page of a list; the newest page has up to twice as many.
PAGE = 50
_TEASER = 240  # characters
#: A picture that this many articles of a site name is the site's own, usually its logo.
_MIN_HOUSE_USES = 3
_EARLIEST = datetime.min.replace(tzinfo=UTC)


def folder_name(name: str) -> str:
    """Return the folder name of a site or section: only `a-z`, `0-9`, `-` and `.`.

    A name that had to be changed gets a cryptographic digest of the original, so that nobody can
    make an article that takes the place of another.

    >>> folder_name("example.org"), folder_name("../etc")
    ('example.org', 'etc-f7f9121fdb53d8de')
    """
    if _PLAIN.fullmatch(name) and len(name) <= _MAX_NAME and name.split(".")[0] not in _RESERVED:
        return name
    return _with_digest(_slug(name), name)


def article_name(identity: str) -> str:
    """Return the file name of an article's page, without extension, from the end of its URL.

    >>> article_name("https://example.org/2026/Rain-in-Bergen.html?id=7")[:15]
    'rain-in-bergen-'
    """
    try:
        path = unquote(urlsplit(identity).path)
    except ValueError:
        path = ""
    parts = [part for part in path.split("/") if _slug(part)]
    last = parts[-1] if parts else ""
    return _with_digest(_slug(re.sub(r"\.\w{1,5}$", "", last) or last), identity)


def _slug(text: str) -> str:
    return _OTHER.sub("-", text.lower()).strip("-")[:_MAX_NAME].rstrip("-")


def _with_digest(slug: str, whole: str) -> str:
    digest = sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
    return f"{slug}-{digest}" if slug else digest


@dataclass(frozen=True, slots=True)
class Entry:
    """One article in a list."""

    identity: str
    headline: str
    site: str
    section: str
    teaser: str
    language: str
    published: Moment | None
    modified: Moment | None
    fetched: Moment | None
    place: Place
    revision: int
    picture: str | None

    @property
    def path(self) -> str:
        return f"articles/{folder_name(self.site)}/{article_name(self.identity)}.html"

    @property
    def direction(self) -> str:
        return direction(self.language)

    @property
    def moment(self) -> Moment | None:
        """The date that the page states. The download date is not used: it may be years later."""
        return self.published or self.modified

    @property
    def day(self) -> date | None:
        return self.moment.day if self.moment else None

    @property
    def order(self) -> tuple[str, datetime, str]:
        """Sort by day first, so that each day is one part of a list in spite of time zones.

        Undated articles come before the oldest, by download date.
        """
        if self.moment is None:
            return "", self.fetched.instant if self.fetched else _EARLIEST, self.identity
        return self.moment.day.isoformat(), self.moment.instant, self.identity

    def is_replaced_by(self, other: Entry) -> bool:
        """Whether a later line of the same article is at least as new."""
        if self.fetched and other.fetched and self.fetched.instant != other.fetched.instant:
            return other.fetched.instant > self.fetched.instant
        return other.revision >= self.revision


@dataclass
class Catalogue:
    """All articles, oldest first, and what was skipped in the input."""

    entries: list[Entry] = field(default_factory=list)
    broken: list[tuple[Place, str]] = field(default_factory=list)
    no_articles: int = 0
    older_states: int = 0

    def house_pictures(self) -> frozenset[str]:
        uses = Counter((entry.site, entry.picture) for entry in self.entries)
        return frozenset(
            picture for (_, picture), count in uses.items() if picture and count >= _MIN_HOUSE_USES
        )


def read_catalogue(paths: Sequence[Path], *, everything: bool = False) -> Catalogue:
    """Read the articles of files; with `everything`, also pages that are not articles."""
    catalogue = Catalogue()
    known: dict[tuple[str, str], int] = {}
    found: list[Entry] = []
    for place, line in read_lines(paths):
        if isinstance(line, BrokenLineError):
            catalogue.broken.append((place, str(line)))
        elif not _has_text(line):
            catalogue.broken.append((place, "neither body_html nor body has text"))
        elif line.get("is_article") is False and not everything:
            catalogue.no_articles += 1
        else:
            keys = _keys(line)
            index = next((known[key] for key in keys if key in known), len(found))
            if index == len(found):
                found.append(_entry(line, place, keys[-1][1]))
            else:
                catalogue.older_states += 1
                # Keep the first identity, so that links to the page stay valid.
                new = _entry(line, place, found[index].identity)
                if found[index].is_replaced_by(new):
                    found[index] = new
            known.update((key, known.get(key, index)) for key in keys)
    catalogue.entries = sorted(found, key=lambda entry: entry.order)
    return catalogue


def _has_text(line: Line) -> bool:
    return any(
        isinstance(value, str) and value.strip() for value in map(line.get, ("body_html", "body"))
    )


def _keys(line: Line) -> list[tuple[str, str]]:
    """Return what identifies an article: its id and URL, or whatever else it has."""
    url = web_url(line.get("url"))
    values = {"id": text(line.get("id")), "url": url or ""}
    if not any(values.values()):
        values = {"source": text(line.get("source")) or text(line.get("content_hash"))}
    if not any(values.values()):
        said = headline_of(line) + full_text(line.get("body")) + full_text(line.get("body_html"))
        values = {"said": sha256(said.encode("utf-8", "surrogatepass")).hexdigest()}
    return [(kind, value) for kind, value in values.items() if value]


def _entry(line: Line, place: Place, identity: str) -> Entry:
    return Entry(
        identity=identity,
        headline=headline_of(line),
        site=site_name(line),
        section=section_of(line),
        teaser=_teaser_of(line),
        language=language_tag(line.get("language")),
        published=moment(line.get("date_published")),
        modified=moment(line.get("date_modified")),
        fetched=moment(line.get("fetched_at")),
        place=place,
        revision=whole_number(line.get("revision")) or 1,
        picture=web_url(line.get("image")),
    )


def _teaser_of(line: Line) -> str:
    """Return the lead or description of an article, or the beginning of its text."""
    words = text(line.get("lead")) or text(line.get("description")) or text(line.get("body"))
    if len(words) <= _TEASER:
        return words
    cut = words[: _TEASER + 1].rpartition(" ")[0]
    return (cut if len(cut) > _TEASER // 2 else words[:_TEASER]).rstrip(" ,;:–-") + " …"


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list, newest first, with the pages before and after it."""

    path: str
    entries: list[Entry]
    number: int | None = None
    newer: str | None = None
    older: str | None = None

    @property
    def days(self) -> list[tuple[date | None, list[Entry]]]:
        return [(day, list(some)) for day, some in groupby(self.entries, key=lambda e: e.day)]


def paginated(entries: Sequence[Entry], folder: str) -> Iterator[ListPage]:
    """Split entries, oldest first, into pages, newest first.

    Pages are numbered from the oldest article, so that a new one changes only `index.html` and now
    and then adds a page.
    """
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
