"""What the pages of the server show: sites, kept pages as extractions, corrections."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.discovery.site_files import corrections_file_of
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.corrections.site_corrections import domain_of
from newsclean.serve.kept import NoPageError

if TYPE_CHECKING:
    from newsclean.extraction.corrections import Correction
    from newsclean.extraction.extractor import Extraction, Extractor
    from newsclean.serve.kept import KeptPage, PageSource

#: Extractions that are held, of all sites; one takes some hundred kilobytes.
_MAX_HELD = 120


@dataclass(frozen=True)
class ShownPage:
    """A kept page with its extraction."""

    kept: KeptPage
    extraction: Extraction


class Library:
    """Sites, pages and corrections; safe to use from several threads."""

    def __init__(self, source: PageSource, extractor: Extractor, folder: Path) -> None:
        self.source, self.extractor, self.folder = source, extractor, folder
        self._held: OrderedDict[tuple[str, str], Extraction] = OrderedDict()
        self._lock = threading.RLock()
        #: corrections that gave way to another one of the same page, by the id of that one
        self._replaced: dict[str, tuple[Correction, ...]] = {}

    def page(self, site: str, name: str) -> Extraction:
        """The extraction of a kept page as the method has it, without corrections."""
        with self._lock:
            if (site, name) in self._held:
                self._held.move_to_end((site, name))
                return self._held[site, name]
            read = self.source.extraction(site, name, self.extractor)
            extraction = replace(read, corrections=None)
            self._held[site, name] = extraction
            while len(self._held) > _MAX_HELD:
                self._held.popitem(last=False)
            return extraction

    def corrected(self, site: str, name: str) -> Extraction:
        """The extraction of a kept page with the site's corrections."""
        return replace(self.page(site, name), corrections=self.corrections(site))

    def pages(self, site: str) -> list[ShownPage]:
        """All kept pages of a site that can be read."""
        shown = []
        for kept in self.source.pages(site):
            try:
                shown.append(ShownPage(kept, self.page(site, kept.name)))
            except NoPageError:
                continue
        return shown

    def file(self, site: str) -> Path:
        """The corrections file of a site: the one that is there, else beside its site file."""
        return corrections_file_of(site, self.folder)

    def corrections(self, site: str) -> Corrections:
        """Those of a site, as they are in the file now; `CorrectionsError` if it is damaged."""
        path = self.file(site)
        return Corrections.read(path) if path.is_file() else Corrections(domain_of(site))

    def accept(self, site: str, *corrections: Correction) -> Path:
        """Write corrections to the site's file."""
        with self._lock:
            path, before = self.file(site), self.corrections(site)
            after = before.with_(*corrections)
            gone = {each.id for each in before} - {each.id for each in after}
            for correction in corrections:
                self._replaced[correction.id] = tuple(
                    each for each in before if each.id in gone and each.page == correction.page
                )
            after.write(path)
            return path

    def take_back(self, site: str, *names: str) -> None:
        """Remove corrections; one that was replaced comes back. `KeyError` if one is unknown."""
        with self._lock:
            before = self.corrections(site)
            ids = [before[name].id for name in names]
            earlier = [each for name in ids for each in self._replaced.pop(name, ())]
            before.without(*ids).with_(*earlier).write(self.file(site))
