"""Which links of section pages are followed, which are not and why, and which wait.

`LinkChoice` decides on each link. `LinkPatterns` adds what earlier runs have learned about URLs of
the same pattern. `SiteCrawl` holds the links and entries of a site that cannot be decided on until
all of its sources are read.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from newsclean.discovery.entries import entries_by_site
from newsclean.discovery.links import (
    MENU,
    NEVER_FOLLOWED,
    NOT_ALLOWED,
    URL_PATTERN,
    MenuLinks,
    RankedLink,
    is_inside,
    page_key,
)
from newsclean.files import StorageError
from newsclean.memory.learned_sites import UNKNOWN_PATTERN, PatternCounts
from newsclean.urls import site_of, url_pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from newsclean.discovery.entries import Entry, Window
    from newsclean.discovery.site_files import Section, SiteFile
    from newsclean.memory import Memory
    from newsclean.memory.fetches import RecheckSchedule

#: Of the URLs of a pattern that has never been an article's, the first of a run is requested, and
#: every tenth after it: if one turns out to be an article, the pattern is followed again.
_PROBE_EVERY = 10

#: Priority of an article that a feed or sitemap announces: above links that only look like one.
ANNOUNCED_PRIORITY = 140


class LinkChoice:
    """Decides which links to follow, and remembers why the others are not."""

    def __init__(
        self,
        sections: Iterable[Section],
        window: Window,
        patterns: LinkPatterns,
        *,
        skip_links: bool,
    ) -> None:
        #: the first pages of all sections
        self.section_fronts = {page_key(section.url) for section in sections}
        self.window = window
        self.patterns = patterns
        #: whether links that are clearly not articles are skipped
        self.skip_links = skip_links
        self._skipped: dict[str, str] = {}

    def wants(self, ranked: RankedLink, file: SiteFile) -> bool:
        """Tell whether to follow a link; raises `StorageError`."""
        url = ranked.link.url
        if page_key(url) in self.section_fronts:  # read as a section
            return False
        reason = ranked.reason if file.allows(url) else NOT_ALLOWED
        if not reason and self.patterns.is_skipped(url, ranked.counts):
            reason = URL_PATTERN
        if not reason or (not self.skip_links and reason not in NEVER_FOLLOWED):
            entry = ranked.link.entry
            return file.wants(entry) and self.window.wants(entry)
        self._skipped[url] = reason
        return False

    def skip_menu(self, links: Iterable[RankedLink]) -> None:
        self._skipped |= {ranked.link.url: MENU for ranked in links}

    def not_followed(self, requested: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the links that no section page gave a reason to follow, and why."""
        return ((url, why) for url, why in self._skipped.items() if url not in requested)


class LinkPatterns:
    """What the memory knows about the URL patterns of each site, and what this run has tried."""

    def __init__(self, memory: Memory, schedule: RecheckSchedule) -> None:
        self.memory = memory
        self.schedule = schedule
        self._counts: dict[str, dict[str, PatternCounts]] = {}
        #: the decision on each URL, and the number of candidates of each site and pattern
        self._skipped: dict[str, bool] = {}
        self._candidates: dict[tuple[str, str], int] = {}

    def reload(self) -> None:
        """Read the counts from the memory again, with what was learned since the last time."""
        self._counts.clear()

    def counts(self, url: str) -> PatternCounts:
        """Return what URLs of the same pattern have turned out to be."""
        site = site_of(url) or ""
        if site not in self._counts:
            try:
                self._counts[site] = self.memory.patterns.of(site)
            except StorageError:  # in a worker thread: the next page ends the crawl
                return UNKNOWN_PATTERN
        return self._counts[site].get(url_pattern(url), UNKNOWN_PATTERN)

    def is_skipped(self, url: str, counts: PatternCounts) -> bool:
        """Tell whether a URL is skipped for its pattern, and is not a probe of that pattern."""
        if url not in self._skipped:
            self._skipped[url] = counts.is_surely_never_article and not self._is_probe(url)
        return self._skipped[url]

    def _is_probe(self, url: str) -> bool:
        last = self.memory.fetches.get(url)
        if last is not None and not self.schedule.is_due(last, time.time()):
            return False
        pattern = site_of(url) or "", url_pattern(url)
        number = self._candidates.get(pattern, 0)
        self._candidates[pattern] = number + 1
        return number % _PROBE_EVERY == 0


class Candidate(NamedTuple):
    """A URL that may be an article's."""

    entry: Entry
    category: str
    priority: int


class SiteCrawl:
    """The sections and sources of one site; it does not wait for other sites."""

    def __init__(self, file: SiteFile, sections: Iterable[Section]) -> None:
        self.file = file
        self.sections = tuple(sections)
        #: number of section pages, feeds and sitemaps that were requested and are not read yet
        self.pending_sources = 0
        self.menu_links = MenuLinks()
        #: links and entries that wait until all sources are read, with their section
        self._deferred: list[tuple[RankedLink, Section]] = []
        self._announced: list[tuple[Entry, Section]] = []

    def section_of(self, url: str, section: Section) -> Section:
        """Return the section whose URL is a prefix of this one, or else the given section."""
        return next((s for s in self.sections if is_inside(url, s.url)), section)

    def defer(self, ranked: RankedLink, section: Section) -> None:
        """Keep a link of a section page until all sources are read."""
        self._deferred.append((ranked, section))

    def announce(self, entries: Iterable[Entry], section: Section) -> None:
        """Keep the entries of a feed or sitemap until all sources are read."""
        self._announced += [(entry, section) for entry in entries]

    def take_links_of_menu(self) -> list[RankedLink]:
        """Remove and return the deferred links that turn out to belong to the site's menu."""
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
        """Remove and return all that has waited: each URL once, the newest first.

        The limit of the window applies to each registered domain.
        """
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
        by_site = entries_by_site(candidate.entry for candidate in found.values())
        return [found[entry.url] for each in by_site.values() for entry in window.choose(each)]
