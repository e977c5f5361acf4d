"""Which links of section pages are worth a download, and why the others are not followed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from newsclean.crawl_state import CrawlState
from newsclean.discovery.links import (
    MENU,
    NEVER_FOLLOWED,
    NOT_ALLOWED,
    SHAPE,
    MenuLinks,
    RankedLink,
    is_inside,
    page_key,
)
from newsclean.files import StorageError
from newsclean.memory.schedule import RecheckSchedule
from newsclean.memory.shapes import UNKNOWN_SHAPE, ShapeCounts
from newsclean.urls import address_shape, site_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from scrapy.crawler import Crawler

    from newsclean.discovery.site_files import Section, SiteFile, Window
    from newsclean.discovery.sources import Entry


class LinkChoice:
    """Decides on links, and remembers those that are surely not articles."""

    def __init__(
        self,
        sections: Iterable[Section],
        window: Window,
        link_shapes: LinkShapes,
        *,
        skip_links: bool,
    ) -> None:
        #: the first pages of all sections
        self.section_fronts = {page_key(section.url) for section in sections}
        self.window = window
        #: what the addresses of the sites have turned out to be
        self.link_shapes = link_shapes
        #: whether links that are surely not articles are left out
        self.skip_links = skip_links
        self._skipped: dict[str, str] = {}

    def wants(self, ranked: RankedLink, file: SiteFile) -> bool:
        """Whether a link is worth a download; what is not is remembered with the reason."""
        url = ranked.link.url
        if page_key(url) in self.section_fronts:  # read as a section
            return False
        reason = ranked.reason if file.allows(url) else NOT_ALLOWED
        if not reason and self.link_shapes.is_skipped(url, ranked.counts):
            reason = SHAPE
        if not reason or (not self.skip_links and reason not in NEVER_FOLLOWED):
            entry = ranked.link.entry
            return file.wants(entry) and self.window.wants(entry)
        self._skipped[url] = reason
        return False

    def skip_menu(self, links: Iterable[RankedLink]) -> None:
        """Remember entries of a site's menu."""
        self._skipped |= {ranked.link.url: MENU for ranked in links}

    def not_followed(self, requested: Collection[str]) -> Iterator[tuple[str, str]]:
        """The links that no section page has given a reason to follow, and why."""
        return ((url, why) for url, why in self._skipped.items() if url not in requested)


# Which links are left out because addresses of their shape were never articles.

#: Of the addresses of a shape that was never an article's, the first of a run is requested, and
#: every so many after it: what turns out to be an article speaks for the others.
_PROBE_EVERY = 10


class LinkShapes:
    """What the memory knows of the addresses of each site, and what this run has tried."""

    def __init__(self, crawler: Crawler) -> None:
        self.state = CrawlState.of(crawler)
        self.memory = self.state.memory
        self.schedule = RecheckSchedule.of(crawler.settings)
        self._counts: dict[str, dict[str, ShapeCounts]] = {}
        #: the decision on each address, and how many candidates each shape of a site had
        self._skipped: dict[str, bool] = {}
        self._candidates: dict[tuple[str, str], int] = {}

    def load(self) -> None:
        """Let what was learned since the last time count from now on."""
        self._counts.clear()

    def counts(self, url: str) -> ShapeCounts:
        """What addresses of the same shape have turned out to be."""
        site = site_of(url) or ""
        if site not in self._counts:
            try:
                self._counts[site] = self.memory.shapes.of(site)
            except StorageError:  # in a worker thread: the next page ends the crawl
                return UNKNOWN_SHAPE
        return self._counts[site].get(address_shape(url), UNKNOWN_SHAPE)

    def is_skipped(self, url: str, counts: ShapeCounts) -> bool:
        """Whether an address is left out: its shape never was an article's, and it is no probe.

        A probe is an address that would be requested but for its shape.
        """
        if url not in self._skipped:
            self._skipped[url] = counts.is_surely_never_article and not self._is_probe(url)
        return self._skipped[url]

    def _is_probe(self, url: str) -> bool:
        last = None
        with self.state.ending_on_failure():
            last = self.memory.fetches.get(url)
        if last is not None and not self.schedule.is_due(last, time.time()):
            return False
        shape = site_of(url) or "", address_shape(url)
        number = self._candidates.get(shape, 0)
        self._candidates[shape] = number + 1
        return number % _PROBE_EVERY == 0


# What a crawl finds of one site, and what of it waits until all of its sources are read.

#: Of an article that a feed announces: before those that only look like one.
ANNOUNCED_PRIORITY = 140


class Candidate(NamedTuple):
    """An address that may be an article's."""

    entry: Entry
    category: str
    priority: int


class SiteCrawl:
    """The sections and sources of one site: no site waits for those of another."""

    def __init__(self, file: SiteFile, sections: Iterable[Section]) -> None:
        self.file = file
        self.sections = tuple(sections)
        #: how many section pages, feeds and sitemaps have been requested and not been read yet
        self.pending_sources = 0
        #: what appears on all section pages
        self.menu_links = MenuLinks()
        #: links and entries that wait until all sources are read, with their section
        self._deferred: list[tuple[RankedLink, Section]] = []
        self._announced: list[tuple[Entry, Section]] = []

    def section_of(self, url: str, section: Section) -> Section:
        """The section in whose folder an address is, else the one that named it."""
        return next((s for s in self.sections if is_inside(url, s.url)), section)

    def defer(self, ranked: RankedLink, section: Section) -> None:
        """Keep a link of a section page until all sources are read."""
        self._deferred.append((ranked, section))

    def announce(self, entries: Iterable[Entry], section: Section) -> None:
        """Keep the entries of a feed or sitemap until all sources are read."""
        self._announced += [(entry, section) for entry in entries]

    def take_links_of_menu(self) -> list[RankedLink]:
        """The deferred links that turn out to be entries of the site's menu; they wait no more."""
        links: list[RankedLink] = []
        others: list[tuple[RankedLink, Section]] = []
        for ranked, section in self._deferred:
            if self.menu_links.has(ranked, section.url):
                links.append(ranked)
            else:
                others.append((ranked, section))
        self._deferred = others
        return links

    def take_candidates(self, window: Window) -> list[Candidate]:
        """All that has waited, each address once, the newest first; it waits no more."""
        deferred, self._deferred = self._deferred, []
        announced, self._announced = self._announced, []
        found: dict[str, Candidate] = {}
        for entry, section in announced:
            if known := found.get(entry.url):
                found[entry.url] = known._replace(entry=known.entry.merged_with(entry))
            else:
                category = self.section_of(entry.url, section).category
                found[entry.url] = Candidate(entry, category, ANNOUNCED_PRIORITY)
        for ranked, section in deferred:
            entry = ranked.link.entry
            found.setdefault(entry.url, Candidate(entry, section.category, ranked.priority))
        chosen = window.choose(candidate.entry for candidate in found.values())
        return [found[entry.url] for entry in chosen]
