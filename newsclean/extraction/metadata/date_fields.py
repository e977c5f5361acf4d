"""When an article was published and modified: each date with the source that says so."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import islice
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from newsclean.extraction.metadata import visible_lines as shown
from newsclean.extraction.metadata.dates import (
    MAX_TRUSTED_FUTURE,
    date_in_url,
    first_trusted,
    iso_date,
)
from newsclean.extraction.metadata.headline import HeadlineArea, Lines
from newsclean.extraction.metadata.language import primary_subtag
from newsclean.extraction.metadata.site_facts import SiteFacts, has_offset
from newsclean.extraction.metadata.structured_data import MODIFIED, PUBLISHED, LinkedData, MetaTags
from newsclean.extraction.metadata.visible_lines import (
    ShownDates,
    SmallElements,
    dates_beside,
    day_first_in,
    labelled_dates,
    may_show_earlier,
    only_date,
    originally_published,
)

# Whether 3/4/2024 is in April or in March: by language and country, where the page is silent.

#: Countries of the English language that write the day first, by the end of an address.
_DAY_FIRST_DOMAINS = frozenset("uk ie au nz in za pk ng ke gh sg my hk mt bd lk".split())
_MONTH_FIRST_DOMAINS = frozenset("us gov edu mil ph".split())
#: Languages whose dates begin with the year, so that one which ends with it tells nothing.
_YEAR_FIRST = frozenset("zh ja ko hu lt mn".split())


def _day_first_by_language(tags: Iterable[object], urls: Iterable[str | None]) -> bool | None:
    """What language and country say of the order of day and month; None if they do not.

    >>> _day_first_by_language(["de"], []), _day_first_by_language(["en-US"], [])
    (True, False)
    >>> _day_first_by_language(["en-US"], ["https://example.co.uk/"])
    True
    """
    named = [tag for tag in tags if isinstance(tag, str) and primary_subtag(tag)]
    tag = named[0] if named else ""
    language = primary_subtag(tag)
    if language not in (None, "en"):
        return None if language in _YEAR_FIRST else True
    for url in urls:
        end = _top_level_domain(url)
        if end in _DAY_FIRST_DOMAINS:
            return True  # many sites leave the language as their system came: en-US
        if end in _MONTH_FIRST_DOMAINS:
            return False
    region = tag.strip().replace("_", "-").partition("-")[2].lower()
    if not region:
        return None
    return region not in ("us", "ph")


def _top_level_domain(url: str | None) -> str:
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return ""
    return host.rpartition(".")[2]


_MAX_DATELINE = 100
_UTC_OFFSET = "+00:00"
MAX_ELEMENTS = 50  # of time; more is a listing
_MAX_SCRIPT = 500_000  # characters of a script that are searched
#: A date beside the headline counts more than the head's if it is earlier by more than this many
#: days: the head then has that of an update, or of a move to another system.
_MAX_DAYS_BEFORE = 1

#: Names of meta elements beyond those of `vocabularies`: `w-published-date`, `published_on`.
_PUBLISHED_NAME = re.compile(
    r"(?<!un)publi(?:sh|cation|c)[a-z]*[-_.: ]?(?:date|time|on|at)?\b|date[-_.: ]?publi|pub-?date|"
    r"date-?pub\b|post(?:ed)?[-_.: ]?(?:date|on)\b",
    re.I,
)
_MODIFIED_NAME = re.compile(r"modif|updat|revis|expir|review", re.I)
_IN_SCRIPT = re.compile(
    r"""["']?datePublished\\{0,3}["']?\s*:\s*\\{0,3}["'](?P<date>\d{4}-\d\d-\d\d[^"'\\]{0,20})"""
)

_Elements = Callable[[str], Sequence[HtmlElement]]

#: What does not depend on the site's order of day and month, and what depends on its zone.
_WITHOUT_ORDER = ("in_head", "day_first_on_page")
_WITH_ZONE = ("published", "is_zone_of_site")


class SourcedDate(NamedTuple):
    """A date in ISO 8601, and where it was found."""

    date: str
    source: str


@dataclass(frozen=True, eq=False)
class DateFields:
    """The dates of one page; each source is asked when those before it have nothing."""

    elements: _Elements
    small_elements: SmallElements
    meta: MetaTags
    data: LinkedData
    urls: tuple[str | None, ...]
    #: tags of languages, the page's own first
    languages: Callable[[], Iterable[object]]
    lines: Callable[[], Lines]
    area: Callable[[], HeadlineArea]
    facts: SiteFacts

    def with_facts(self, facts: SiteFacts) -> "DateFields":
        """The same dates with what neighbors tell; what that does not change is not read again."""
        other = replace(self, facts=facts)
        read = {name: value for name, value in vars(self).items() if name not in vars(other)}
        vars(other).update({name: read[name] for name in _WITHOUT_ORDER if name in read})
        if other.day_first == self.day_first:
            vars(other).update({name: read[name] for name in read if name not in _WITH_ZONE})
        return other

    @cached_property
    def published(self) -> SourcedDate | None:
        found = self._published_on_page
        zone = self.facts.zone
        if found is None or zone is None or "T" not in found.date or has_offset(found.date):
            return found
        # What the head of other pages says in UTC is not the clock of what a page shows.
        if zone == _UTC_OFFSET and found.source not in ("json-ld", "meta"):
            return found
        return SourcedDate(found.date + zone, found.source)

    @cached_property
    def is_zone_of_site(self) -> bool:
        """Whether the zone of the date is taken from the site's other pages."""
        return self.published != self._published_on_page

    @cached_property
    def _published_on_page(self) -> SourcedDate | None:
        found = _first_trusted(self._published_sources())
        if found is None or found.source not in ("json-ld", "meta"):
            return found
        if not may_show_earlier(self.area().nearest, found.date):
            return found
        beside = dates_beside(self.area().nearest, self.day_first).published
        if beside is None:
            return found
        if _days_between(beside, found.date) > _MAX_DAYS_BEFORE:
            return SourcedDate(beside, "shown")
        return found

    @cached_property
    def modified(self) -> str | None:
        return first_trusted(self._modified_values())

    @cached_property
    def in_head(self) -> SourcedDate | None:
        """What JSON-LD and meta elements say."""
        return _first_trusted(self._head_sources())

    @cached_property
    def beside_headline(self) -> ShownDates:
        return dates_beside(self.area(), self.day_first)

    @cached_property
    def day_first(self) -> bool | None:
        """What 3/4/2024 means on this page: by its site, itself, its language and country."""
        if self.facts.day_first is not None:
            return self.facts.day_first
        own = self.day_first_on_page
        return _day_first_by_language(self.languages(), self.urls) if own is None else own

    @cached_property
    def day_first_on_page(self) -> bool | None:
        in_head = self.in_head
        return day_first_in(self.lines().text, None if in_head is None else in_head.date)

    def _linked(self, *keys: str) -> Iterator[str]:
        for work in (self.data.article, self.data.web_page):
            for key in keys:
                yield from self.data.strings(work.get(key))

    def _head_sources(self) -> Iterator[tuple[str, object]]:
        yield from (("json-ld", value) for value in self._linked("datePublished"))
        yield from (("meta", value) for value in self.meta.each(*PUBLISHED))

    def _published_sources(self) -> Iterator[tuple[str, object]]:
        if self.in_head is not None:
            yield self.in_head.source, self.in_head.date
        yield from (("microdata", value) for value in self._microdata("datepublished"))
        marked, plain, last = _times(self.elements("time"))
        yield from (("time", value) for value in marked)
        named = filter(None, map(iso_date, self.meta.each_like(_is_published_name)))
        yield from (("meta", value) for value in sorted(named))  # the later is of another edition
        yield "shown", originally_published(self.lines().text, self.day_first)
        address = next(filter(None, map(date_in_url, self.urls)), None)
        beside = self.beside_headline.published
        if day := address or beside:
            shown_dates = [("time", value) for value in plain] + [("shown", beside or "")]
            for source, value in shown_dates:  # they may have the hour, too
                if (iso_date(value) or "")[:10] == day[:10]:
                    yield source, value
        yield "address", address
        yield "shown", beside
        yield from (("time", value) for value in plain + last)
        yield "shown", self._shown.published
        yield from (("json-ld", value) for value in self._linked("dateCreated", "uploadDate"))
        yield from (("script", value) for value in self._in_scripts())
        yield "shown", only_date(self.lines().text, self.day_first)
        yield "update", self.modified
        yield "update", self._shown.updated

    def _modified_values(self) -> Iterator[object]:
        yield from self._linked("dateModified")
        yield from self.meta.each(*MODIFIED)
        yield from self._microdata("datemodified")
        if self.in_head is None:
            yield self._shown.updated  # looked for anyway

    def _microdata(self, name: str) -> Iterator[str]:
        for element in self.small_elements.with_itemprop(name):
            yield element.get("content") or element.get("datetime") or ""

    @cached_property
    def _shown(self) -> ShownDates:
        """Beside the headline; else where a line, or the class of an element, says it is a date."""
        beside = self.beside_headline
        if beside.published:
            return beside
        labelled = labelled_dates(self.lines().text, self.day_first)
        if labelled.published:
            return labelled
        by_class = shown.shown_dates(self.small_elements, self.day_first)
        updated = beside.updated or labelled.updated or by_class.updated
        return ShownDates(by_class.published, updated)

    def _in_scripts(self) -> Iterator[str]:
        """What the scripts of the page, that build it in the browser, call its date."""
        for script in self.elements("script"):
            text = script.text
            if (
                text
                and "datePublished" in text
                and (found := _IN_SCRIPT.search(text[:_MAX_SCRIPT]))
            ):
                yield found["date"]


def _first_trusted(values: Iterable[tuple[str, object]]) -> SourcedDate | None:
    """The first value that is a date of today or before, else the first date at all."""
    distrusted = None
    limit = (datetime.now(UTC) + MAX_TRUSTED_FUTURE).date().isoformat()
    for source, value in values:
        found = iso_date(value)
        if found is None:
            continue
        if found[:10] <= limit:
            return SourcedDate(found, source)
        distrusted = distrusted or SourcedDate(found, source)
    return distrusted


def _days_between(earlier: str, later: str) -> int:
    return (date.fromisoformat(later[:10]) - date.fromisoformat(earlier[:10])).days


def _is_published_name(name: str) -> bool:
    return bool(_PUBLISHED_NAME.search(name)) and not _MODIFIED_NAME.search(name)


def _times(elements: Iterable[HtmlElement]) -> tuple[list[str], list[str], list[str]]:
    """The dates of the time elements: those that say they are the publication's, others, updates'.

    The last are those whose text alone says that they are an update's.
    """
    marked: list[str] = []
    plain: list[str] = []
    last: list[str] = []
    for element in islice(elements, MAX_ELEMENTS):
        value = element.get("datetime") or element.get("content") or ""
        role = f"{element.get('itemprop') or ''} {element.get('class') or ''}".lower()
        written = iso_date(value) is None
        if written:
            value = "".join(element.itertext())
        if "publi" in role or element.get("pubdate") is not None:
            marked.append(value)
        elif "modif" not in role and "updat" not in role:
            updated = written and "updat" in value[:_MAX_DATELINE].lower()
            (last if updated else plain).append(value)
    return marked, plain, last
