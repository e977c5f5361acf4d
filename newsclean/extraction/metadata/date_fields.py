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
    is_shown_first,
    labelled_dates,
    may_show_other,
    only_date,
    originally_published,
)
from newsclean.extraction.metadata.dates import (
    SourcedDate,
    date_in_url,
    first_trusted,
    in_local_time,
    iso_date,
    month_in_url,
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
#: Sources that readers do not see.
_STATED = frozenset({"json-ld", "meta", "microdata", "time"})
#: A date beside the headline counts more than a stated one if it is earlier by more than this many
#: days: that is then the date of an update, or of a move to another system.
_MAX_DAYS_BEFORE = 1

#: Names of meta elements beyond `PUBLISHED`, such as `w-published-date` or `published_on`.
_PUBLISHED_NAME = re.compile(
    r"(?<!un)publi(?:sh|cation|c)[a-z]*[-_.: ]?(?:date|time|on|at)?\b|date[-_.: ]?publi|pub-?date|"
    r"date-?pub\b|post(?:ed)?[-_.: ]?(?:date|on)\b",
    re.I,
)
_COMMENTS = frozenset({"comment", "usercomments", "answer"})
_MODIFIED_NAME = re.compile(r"modif|updat|revis|expir|review", re.I)
_IN_SCRIPT = re.compile(
    r"""["']?datePublished\\{0,3}["']?\s*:\s*\\{0,3}["'](?P<date>\d{4}-\d\d-\d\d[^"'\\]{0,20})"""
)

#: Names of meta elements with the date of the document, in whatever sense.
_OF_DOCUMENT = ("dcterms.date", "dc.date", "dc:date", "date")

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
        if found is None or found.source not in _STATED:
            return found
        nearest = list(self.headline.area.nearest)
        if not may_show_other(nearest, found.date):
            return found
        beside = dates_beside(nearest, self.day_first)
        if beside.published is None:
            return found
        days = _days_between(beside.published, found.date)
        in_url = self._in_url
        if abs(days) == 1 and (local := in_local_time(found.date, beside.published)):
            return SourcedDate(local, found.source)
        if in_url is not None and in_url == beside.published[:10] and days:
            return SourcedDate(beside.published, "shown")
        if days < 0 and self._is_of_document(found):
            return SourcedDate(beside.published, "shown")
        if days <= _MAX_DAYS_BEFORE or self._is_confirmed(found.date, beside):
            return found
        return SourcedDate(beside.published, "shown")

    def _is_confirmed(self, date: str, beside: VisibleDates) -> bool:
        """Whether a stated date is right though an earlier one is shown: that of something else."""
        months = {month for url in self.sources.urls if (month := month_in_url(url))}
        if date[:7] in months and (beside.published or "")[:7] not in months:
            return True
        return not beside.is_labelled and is_shown_first(self.headline.area.nearest, date)

    def _is_of_document(self, found: SourcedDate) -> bool:
        """Whether only names such as `date` state a date, which may be that of the file."""
        stated = [iso_date(value) for value in self.sources.meta.each(*_OF_DOCUMENT)]
        named = (name for name in PUBLISHED if name not in _OF_DOCUMENT)
        others = (value for value in self.sources.meta.each(*named))
        return found.source == "meta" and found.date in stated and not any(map(iso_date, others))

    @cached_property
    def _in_url(self) -> str | None:
        return next(filter(None, map(date_in_url, self.sources.urls)), None)

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
        in_url = self._in_url
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
            if not _is_of_comment(element):
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


def _is_of_comment(element: HtmlElement) -> bool:
    """Whether the microdata around an element says that it belongs to a comment."""
    around = (above.get("itemtype") for above in element.iterancestors())
    name = next(filter(None, around), "").rpartition("/")[2]
    return name.strip().lower() in _COMMENTS


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
            if not _is_of_comment(element):
                marked.append(value)
        elif "modif" not in role and "updat" not in role:
            updated = written and "updat" in value[:_MAX_DATELINE].lower()
            (last if updated else plain).append(value)
    return marked, plain, last
