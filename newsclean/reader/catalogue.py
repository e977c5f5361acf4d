"""The articles of some JSON lines, each in its last state: what lists show, and where the rest is.

Bodies are not held: a site of any size fits into memory, and a line is read again for its page.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from newsclean.files import BrokenLineError, read_lines
from newsclean.reader.article import (
    address,
    full_text,
    headline_of,
    section_of,
    site_name,
    text,
    whole_number,
)
from newsclean.reader.dates import Moment, moment
from newsclean.reader.names import article_name, folder_name
from newsclean.reader.writing import direction, language_tag

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path

    from newsclean.files import Line, Place

_TEASER = 240  # characters
#: A picture that as many articles of a site name is the site's own: its logo, most often.
_MIN_HOUSE_USES = 3
_EARLIEST = datetime.min.replace(tzinfo=UTC)


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
        """The date that the page gives. The day of its download is not one: it may be years old."""
        return self.published or self.modified

    @property
    def day(self) -> date | None:
        return self.moment.day if self.moment else None

    @property
    def order(self) -> tuple[str, datetime, str]:
        """Days first, so that each day is one piece of a list whatever zones its articles have.

        Undated articles come before the oldest, by their download.
        """
        if self.moment is None:
            return "", self.fetched.instant if self.fetched else _EARLIEST, self.identity
        return self.moment.day.isoformat(), self.moment.instant, self.identity

    def is_replaced_by(self, other: Entry) -> bool:
        """Whether another state of the article, from a later line, is at least as new."""
        if self.fetched and other.fetched and self.fetched.instant != other.fetched.instant:
            return other.fetched.instant > self.fetched.instant
        return other.revision >= self.revision


@dataclass
class Catalogue:
    """All articles, oldest first, and what was left out of the input."""

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
    """The articles of these files; with `everything`, also pages that are none."""
    catalogue = Catalogue()
    known: dict[tuple[str, str], int] = {}
    found: list[Entry] = []
    for place, line in read_lines(paths):
        if isinstance(line, BrokenLineError):
            catalogue.broken.append((place, str(line)))
        elif not _has_text(line):
            catalogue.broken.append((place, "neither body_html nor body has a text"))
        elif line.get("is_article") is False and not everything:
            catalogue.no_articles += 1
        else:
            keys = _keys(line)
            index = next((known[key] for key in keys if key in known), len(found))
            if index == len(found):
                found.append(_entry(line, place, keys[-1][1]))
            else:
                catalogue.older_states += 1
                # The first address stays: links to the page go on leading to it.
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
    """What an article is known by: its id and its address, or else what there is."""
    url = address(line.get("url"))
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
        picture=address(line.get("image")),
    )


def _teaser_of(line: Line) -> str:
    """Some words on an article: those of its author, or the first of its text."""
    words = text(line.get("lead")) or text(line.get("description")) or text(line.get("body"))
    if len(words) <= _TEASER:
        return words
    cut = words[: _TEASER + 1].rpartition(" ")[0]
    return (cut if len(cut) > _TEASER // 2 else words[:_TEASER]).rstrip(" ,;:–-") + " …"
