"""When an article was published and modified: each date with the source that gives it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import islice

from lxml.html import HtmlElement

from newsclean.extraction.metadata.datelines import (
    VisibleDates,
    dates_beside,
    day_first_by_language,
    day_first_in,
    labelled_dates,
    may_show_earlier,
    only_date,
    originally_published,
)
from newsclean.extraction.metadata.dates import (
    SourcedDate,
    date_in_url,
    first_trusted,
    iso_date,
)
from newsclean.extraction.metadata.headline import HeadlineFields
from newsclean.extraction.metadata.page_sources import (
    MODIFIED,
    PUBLISHED,
    PageSources,
    SiteFacts,
    has_offset,
)
from newsclean.extraction.metadata.small_elements import SmallElements, dates_by_class

_MAX_DATELINE = 100
_UTC_OFFSET = "+00:00"
_MAX_TIMES = 50  # time elements; more are a listing
_MAX_SCRIPT = 500_000  # characters of a script that are searched
#: A date beside the headline counts more than the head's if it is earlier by more than this many
#: days: the head then has the date of an update, or of a move to another system.
_MAX_DAYS_BEFORE = 1

#: Names of meta elements beyond `PUBLISHED`, such as `w-published-date` or `published_on`.
_PUBLISHED_NAME = re.compile(
    r"(?<!un)publi(?:sh|cation|c)[a-z]*[-_.: ]?(?:date|time|on|at)?\b|date[-_.: ]?publi|pub-?date|"
    r"date-?pub\b|post(?:ed)?[-_.: ]?(?:date|on)\b",
    re.I,
)
_MODIFIED_NAME = re.compile(r"modif|updat|revis|expir|review", re.I)
_IN_SCRIPT = re.compile(
    r"""["']?datePublished\\{0,3}["']?\s*:\s*\\{0,3}["'](?P<date>\d{4}-\d\d-\d\d[^"'\\]{0,20})"""
)

#: Cached properties that do not depend on the site's order of day and month, and those that depend
#: on its zone.
_WITHOUT_ORDER = ("in_head", "day_first_on_page")
_WITH_ZONE = ("published", "is_zone_of_site")


@dataclass(frozen=True, eq=False)
class DateFields:
    """The dates of one page; a source is only read if those before it have nothing."""

    sources: PageSources
    small_elements: SmallElements
    headline: HeadlineFields
    facts: SiteFacts

    def with_facts(self, facts: SiteFacts) -> "DateFields":
        """Return the dates in the light of the neighbors; what does not change is kept."""
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
        # If the heads of other pages use UTC, visible dates still use the local time.
        if zone == _UTC_OFFSET and found.source not in ("json-ld", "meta"):
            return found
        return SourcedDate(found.date + zone, found.source)

    @cached_property
    def is_zone_of_site(self) -> bool:
        """Whether the zone of the date is taken from the site's other pages."""
        return self.published != self._published_on_page

    @cached_property
    def modified(self) -> str | None:
        found = first_trusted(("", value) for value in self._modified_values())
        return None if found is None else found.date

    @cached_property
    def in_head(self) -> SourcedDate | None:
        """The date in JSON-LD or meta elements."""
        return first_trusted(self._head_sources())

    @cached_property
    def day_first(self) -> bool | None:
        """What 3/4/2024 means on this page: by its site, itself, its language and country."""
        if self.facts.day_first is not None:
            return self.facts.day_first
        own = self.day_first_on_page
        if own is not None:
            return own
        return day_first_by_language(self.sources.languages(), self.sources.urls)

    @cached_property
    def day_first_on_page(self) -> bool | None:
        in_head = self.in_head
        return day_first_in(self.sources.lines().text, None if in_head is None else in_head.date)

    @cached_property
    def _published_on_page(self) -> SourcedDate | None:
        found = first_trusted(self._published_sources())
        if found is None or found.source not in ("json-ld", "meta"):
            return found
        area = self.headline.area
        if not may_show_earlier(area.nearest, found.date):
            return found
        beside = dates_beside(area.nearest, self.day_first).published
        if beside is None or _days_between(beside, found.date) <= _MAX_DAYS_BEFORE:
            return found
        return SourcedDate(beside, "shown")

    def _head_sources(self) -> Iterator[tuple[str, object]]:
        yield from (("json-ld", value) for value in self.sources.linked("datePublished"))
        yield from (("meta", value) for value in self.sources.meta.each(*PUBLISHED))

    def _published_sources(self) -> Iterator[tuple[str, object]]:
        sources = self.sources
        if self.in_head is not None:
            yield self.in_head.source, self.in_head.date
        yield from (("microdata", value) for value in self._microdata("datepublished"))
        marked, plain, last = _times(sources.elements("time"))
        yield from (("time", value) for value in marked)
        named = filter(None, map(iso_date, sources.meta.each_like(_is_published_name)))
        yield from (("meta", value) for value in sorted(named))  # later ones are other editions'
        yield "shown", originally_published(sources.lines().text, self.day_first)
        in_url = next(filter(None, map(date_in_url, sources.urls)), None)
        beside = self._beside_headline.published
        if day := in_url or beside:
            visible = [("time", value) for value in plain] + [("shown", beside or "")]
            for source, value in visible:  # they may have the hour, too
                if (iso_date(value) or "")[:10] == day[:10]:
                    yield source, value
        yield "address", in_url
        yield "shown", beside
        yield from (("time", value) for value in plain + last)
        yield "shown", self._visible.published
        yield from (("json-ld", value) for value in sources.linked("dateCreated", "uploadDate"))
        yield from (("script", value) for value in self._in_scripts())
        yield "shown", only_date(sources.lines().text, self.day_first)
        yield "update", self.modified
        yield "update", self._visible.updated

    def _modified_values(self) -> Iterator[object]:
        yield from self.sources.linked("dateModified")
        yield from self.sources.meta.each(*MODIFIED)
        yield from self._microdata("datemodified")
        if self.in_head is None:
            yield self._visible.updated  # read anyway

    def _microdata(self, name: str) -> Iterator[str]:
        for element in self.small_elements.with_itemprop(name):
            yield element.get("content") or element.get("datetime") or ""

    @cached_property
    def _beside_headline(self) -> VisibleDates:
        return dates_beside(self.headline.area, self.day_first)

    @cached_property
    def _visible(self) -> VisibleDates:
        """The dates beside the headline, else in labelled lines, else by the class of elements."""
        beside = self._beside_headline
        if beside.published:
            return beside
        labelled = labelled_dates(self.sources.lines().text, self.day_first)
        if labelled.published:
            return labelled
        by_class = dates_by_class(self.small_elements, self.day_first)
        updated = beside.updated or labelled.updated or by_class.updated
        return VisibleDates(by_class.published, updated)

    def _in_scripts(self) -> Iterator[str]:
        """Yield the dates in scripts that build the page in the browser."""
        for script in self.sources.elements("script"):
            text = script.text
            if (
                text
                and "datePublished" in text
                and (found := _IN_SCRIPT.search(text[:_MAX_SCRIPT]))
            ):
                yield found["date"]


def _days_between(earlier: str, later: str) -> int:
    return (date.fromisoformat(later[:10]) - date.fromisoformat(earlier[:10])).days


def _is_published_name(name: str) -> bool:
    return bool(_PUBLISHED_NAME.search(name)) and not _MODIFIED_NAME.search(name)


def _times(elements: Iterable[HtmlElement]) -> tuple[list[str], list[str], list[str]]:
    """Return the dates of time elements: marked as the publication's, others, and updates.

    The last are those that only their text calls an update.
    """
    marked: list[str] = []
    plain: list[str] = []
    last: list[str] = []
    for element in islice(elements, _MAX_TIMES):
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
