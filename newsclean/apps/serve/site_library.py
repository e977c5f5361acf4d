"""The sites, kept pages and corrections that the server works on."""

from __future__ import annotations

import csv
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from newsclean import Neighborhood
from newsclean.discovery.site_files import corrections_file_of
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.corrections.site_corrections import domain_of
from newsclean.extraction.page import Page, PageError
from newsclean.memory.sharing import kept_extraction
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newsclean.extraction.corrections import Correction
    from newsclean.extraction.extractor import Extraction, Extractor
    from newsclean.memory import Memory
    from newsclean.memory.site_health import SiteRun


_SUFFIXES = (".html", ".htm", ".xhtml")
#: Pages of a folder.
_MAX_PAGES = 500
#: Bytes of a saved page.
_MAX_SIZE = 20_000_000
#: Cached extractions of all sites; one takes some hundred kilobytes.
_MAX_HELD = 120


class NoPageError(LookupError):
    """A site or page that is not kept, or is damaged."""


@dataclass(frozen=True)
class KeptPage:
    """A page that can be displayed; `name` is its place in the URLs of the server."""

    name: str
    url: str
    site: str
    fetched_at: str = ""


class PageSource(Protocol):
    """Where pages come from: a memory, or a folder of saved pages."""

    def sites(self) -> dict[str, int]:
        """Return the number of kept pages per site."""
        ...

    def history(self) -> dict[str, list[SiteRun]]:
        """Return the runs of each site."""
        ...

    def pages(self, site: str) -> list[KeptPage]:
        """Return the pages of a site and of the other hosts of its domain, newest first.

        Corrections apply to all of them.
        """
        ...

    def extraction(self, site: str, name: str, extractor: Extractor) -> Extraction:
        """Extract a page with the evidence of its neighbors; raise `NoPageError`."""
        ...


class NoPages:
    """No pages: there is an index to search, but no memory."""

    def sites(self) -> dict[str, int]:
        return {}

    def history(self) -> dict[str, list[SiteRun]]:
        return {}

    def pages(self, site: str) -> list[KeptPage]:
        return []

    def extraction(self, site: str, name: str, extractor: Extractor) -> Extraction:
        raise NoPageError(f"No page of {site} is kept.")


class MemoryPages:
    """The pages that a crawl has kept."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def sites(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for (site, _), count in self.memory.kept.counts().items():
            counts[site] = counts.get(site, 0) + count.pages
        return counts

    def history(self) -> dict[str, list[SiteRun]]:
        return self.memory.site_runs.history()

    def pages(self, site: str) -> list[KeptPage]:
        kept = self.memory.kept.numbers([site])
        return [
            KeptPage(str(number), url, site_of(url) or "", fetched) for number, url, fetched in kept
        ]

    def extraction(self, site: str, name: str, extractor: Extractor) -> Extraction:
        try:
            found = self.memory.kept.get(int(name)) if name.isascii() and name.isdigit() else None
        except (ValueError, OverflowError) as error:
            raise NoPageError(f"The page is damaged: {error}") from None
        if found is None or registered_domain(found[1].site) != registered_domain(site):
            raise NoPageError(f"No page {name} of {site} is kept.")
        try:
            return kept_extraction(self.memory, found[1], extractor)
        except PageError as error:
            raise NoPageError(f"The page cannot be used: {error}") from None


class FolderPages:
    """The pages of a folder, as one site. A `urls.csv` in the folder lists their URLs."""

    def __init__(self, folder: Path, site: str | None = None) -> None:
        self.folder = folder.resolve()
        urls = _urls_in(self.folder)
        names = sorted(
            path.relative_to(self.folder).as_posix()
            for path in self.folder.rglob("*")
            if path.suffix.lower() in _SUFFIXES and path.is_file()
        )
        hosts = [host for host in map(site_of, urls.values()) if host]
        self.site = site or (max(set(hosts), key=hosts.count) if hosts else self.folder.name)
        #: only files found in the folder; links that lead out of it are refused
        self._pages = {
            name: KeptPage(name, urls.get(name, ""), self.site)
            for name in names[:_MAX_PAGES]
            if (self.folder / name).resolve().is_relative_to(self.folder)
        }
        self._neighborhood: Neighborhood | None = None

    def sites(self) -> dict[str, int]:
        return {self.site: len(self._pages)}

    def history(self) -> dict[str, list[SiteRun]]:
        return {}

    def pages(self, site: str) -> list[KeptPage]:
        return list(self._pages.values()) if site == self.site else []

    def read(self, site: str, name: str) -> Page:
        """Read a page of the folder; raise `NoPageError`."""
        found = self._pages.get(name) if site == self.site else None
        if found is None:
            raise NoPageError(f"{self.folder.name} has no page {name}")
        path = self.folder / name
        try:
            if not path.resolve().is_relative_to(self.folder):
                raise NoPageError(f"{self.folder.name} has no page {name}")
            if path.stat().st_size > _MAX_SIZE:
                raise NoPageError(f"{name} has more than {_MAX_SIZE:,} bytes")
            body = path.read_bytes()
        except OSError as error:
            raise NoPageError(f"Cannot read {name}: {error.strerror}") from None
        try:
            return Page.from_html(body, found.url or f"https://{self.site}/{name}")
        except PageError as error:
            raise NoPageError(f"The page cannot be used: {error}") from None

    def extraction(self, site: str, name: str, extractor: Extractor) -> Extraction:
        page = self.read(site, name)
        if self._neighborhood is None:
            hood = Neighborhood(extractor.method, window=max(len(self._pages), 1))
            for other in self._pages:
                with suppress(NoPageError):
                    hood.learn(self.read(site, other))
            self._neighborhood = hood
        return extractor(page, self._neighborhood.evidence_on(page))


def _urls_in(folder: Path) -> dict[str, str]:
    """Read a `urls.csv` with the columns file and url."""
    try:
        with (folder / "urls.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error):
        return {}
    return {row["file"]: row["url"] for row in rows if row.get("file") and row.get("url")}


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
        #: corrections that were replaced, by the id of the one that replaced them
        self._replaced: dict[str, tuple[Correction, ...]] = {}

    def site_of(self, host: str, history: Mapping[str, Sequence[SiteRun]]) -> str:
        """Return the site under which a host is crawled: its own, or the one of its domain.

        A crawl of example.org also keeps pages of sport.example.org.
        """
        if host in history:
            return host
        domain = registered_domain(host)
        sites = [site for site in history if registered_domain(site) == domain]
        return min(sites, key=lambda site: (len(site), site), default=host)

    def sites(self, history: Mapping[str, Sequence[SiteRun]]) -> dict[str, int]:
        """Return the number of kept pages of each site, by the names that reports give them."""
        counts = dict.fromkeys(history, 0)
        for host, pages in self.source.sites().items():
            site = self.site_of(host, history)
            counts[site] = counts.get(site, 0) + pages
        return counts

    def page(self, site: str, name: str) -> Extraction:
        """Return the extraction of a kept page, without corrections."""
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
        """Return the extraction of a kept page, with the site's corrections."""
        return replace(self.page(site, name), corrections=self.corrections(site))

    def pages(self, site: str) -> list[ShownPage]:
        """Return all kept pages of a site that can be read."""
        shown = []
        for kept in self.source.pages(site):
            try:
                shown.append(ShownPage(kept, self.page(site, kept.name)))
            except NoPageError:
                continue
        return shown

    def file(self, site: str) -> Path:
        """Return the path of a site's corrections file, which may not exist yet."""
        return corrections_file_of(site, self.folder)

    def corrections(self, site: str) -> Corrections:
        """Read the corrections of a site; raise `CorrectionsError` if the file is damaged."""
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
        """Remove corrections and restore those they replaced; raise `KeyError` for unknown ids."""
        with self._lock:
            before = self.corrections(site)
            ids = [before[name].id for name in names]
            earlier = [each for name in ids for each in self._replaced.pop(name, ())]
            before.without(*ids).with_(*earlier).write(self.file(site))
