"""What a crawl finds of one site, and what of it waits until all of its sources are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from newsclean.spiders.link_ranking import MenuLinks, RankedLink
from newsclean.spiders.links import is_inside

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.sources import Entry
    from newsclean.spiders.sites import Section, SiteFile
    from newsclean.spiders.window import Window

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
