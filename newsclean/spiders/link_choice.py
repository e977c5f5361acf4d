"""Which links of section pages are worth a download, and why the others are not followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.spiders.link_ranking import MENU, NEVER_FOLLOWED, NOT_ALLOWED, SHAPE, RankedLink
from newsclean.spiders.links import page_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from newsclean.spiders.link_shapes import LinkShapes
    from newsclean.spiders.sites import Section, SiteFile
    from newsclean.spiders.window import Window


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
