"""Where the pages of the sites come from: a memory, or a folder of saved pages."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from newsclean import Neighborhood
from newsclean.methods import Evidence
from newsclean.page import Page, PageError
from newsclean.site import registered_domain, site_of

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean.memory import Memory
    from newsclean.methods import Method
    from newsclean.reports.history import SiteRun

SUFFIXES = (".html", ".htm", ".xhtml")
#: Pages of a folder that are shown.
MAX_PAGES = 500
#: Bytes of a saved page.
MAX_SIZE = 20_000_000
#: With fewer neighbors of its category, a page is compared with all of its site.
MIN_NEIGHBORS = 5


class NoPageError(LookupError):
    """A site or page that is not kept, or is damaged."""


@dataclass(frozen=True)
class KeptPage:
    """One page that can be shown: its name in addresses, its own address, when it was fetched."""

    name: str
    url: str
    fetched_at: str = ""


class PageSource(Protocol):
    """Sites, their pages, and what the neighbors of a page say."""

    def sites(self) -> dict[str, int]:
        """The sites, and how many of their pages are kept."""
        ...

    def history(self) -> dict[str, list[SiteRun]]:
        """The runs of the sites."""
        ...

    def pages(self, site: str) -> list[KeptPage]:
        """The pages of a site, newest first."""
        ...

    def read(self, site: str, name: str) -> tuple[Page, str]:
        """A page and its category; raises `NoPageError`."""
        ...

    def evidence(self, site: str, page: Page, category: str, method: Method) -> Evidence:
        """What the network and the neighbors say of a page."""
        ...


class NoPages:
    """Nothing is kept: there is an index to search, and no memory."""

    def sites(self) -> dict[str, int]:
        return {}

    def history(self) -> dict[str, list[SiteRun]]:
        return {}

    def pages(self, site: str) -> list[KeptPage]:
        return []

    def read(self, site: str, name: str) -> tuple[Page, str]:
        raise NoPageError(f"no page of {site} is kept")

    def evidence(self, site: str, page: Page, category: str, method: Method) -> Evidence:
        raise NoPageError(f"no page of {site} is kept")


class MemoryPages:
    """The pages that a crawl has kept."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def sites(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for (host, _), count in self.memory.kept.counts().items():
            site = registered_domain(host)
            counts[site] = counts.get(site, 0) + count.pages
        return counts

    def history(self) -> dict[str, list[SiteRun]]:
        runs: dict[str, list[SiteRun]] = {}
        for host, own in self.memory.site_runs.history().items():
            runs.setdefault(registered_domain(host), []).extend(own)
        return {site: sorted(own, key=lambda run: run.started) for site, own in runs.items()}

    def pages(self, site: str) -> list[KeptPage]:
        kept = self.memory.kept.numbers([site])
        return [KeptPage(str(number), url, fetched) for number, url, fetched in kept]

    def read(self, site: str, name: str) -> tuple[Page, str]:
        try:
            found = self.memory.kept.get(int(name)) if name.isascii() and name.isdigit() else None
        except (ValueError, OverflowError) as error:
            raise NoPageError(f"the page is damaged: {error}") from None
        if found is None or registered_domain(found[1].site) != registered_domain(site):
            raise NoPageError(f"no page {name} of {site} is kept")
        stored = found[1]
        return _parsed(stored.body, stored.url, stored.content_type or None), stored.category

    def evidence(self, site: str, page: Page, category: str, method: Method) -> Evidence:
        scores = method.score_blocks(page)
        keys = method.keys(page, scores)
        url = page.url or keys.fingerprint
        host = site_of(page.url) or site
        sites = self.memory.sites
        return Evidence(scores, sites.support_for(host, category, url, keys, MIN_NEIGHBORS))


class FolderPages:
    """The pages of a folder, as one site. A `urls.csv` in it says their addresses."""

    def __init__(self, folder: Path, site: str | None = None) -> None:
        self.folder = folder.resolve()
        urls = _addresses(self.folder)
        names = sorted(
            path.relative_to(self.folder).as_posix()
            for path in self.folder.rglob("*")
            if path.suffix.lower() in SUFFIXES and path.is_file()
        )
        #: what can be asked for: only files that were found in the folder, and no way out of it
        self._pages = {
            name: KeptPage(name, urls.get(name, ""))
            for name in names[:MAX_PAGES]
            if (self.folder / name).resolve().is_relative_to(self.folder)
        }
        hosts = [host for host in map(site_of, urls.values()) if host]
        self.site = site or (max(set(hosts), key=hosts.count) if hosts else self.folder.name)
        self._neighborhood: Neighborhood | None = None

    def sites(self) -> dict[str, int]:
        return {self.site: len(self._pages)}

    def history(self) -> dict[str, list[SiteRun]]:
        return {}

    def pages(self, site: str) -> list[KeptPage]:
        return list(self._pages.values()) if site == self.site else []

    def read(self, site: str, name: str) -> tuple[Page, str]:
        found = self._pages.get(name) if site == self.site else None
        if found is None:
            raise NoPageError(f"{self.folder.name} has no page {name}")
        path = self.folder / name
        try:
            if not path.resolve().is_relative_to(self.folder):
                raise NoPageError(f"{self.folder.name} has no page {name}")
            if path.stat().st_size > MAX_SIZE:
                raise NoPageError(f"{name} has more than {MAX_SIZE:,} bytes")
            body = path.read_bytes()
        except OSError as error:
            raise NoPageError(f"cannot read {name}: {error.strerror}") from None
        return _parsed(body, found.url or f"https://{self.site}/{name}"), ""

    def evidence(self, site: str, page: Page, category: str, method: Method) -> Evidence:
        if self._neighborhood is None:
            hood = Neighborhood(method, window=max(len(self._pages), 1))
            for name in self._pages:
                try:
                    other, _ = self.read(site, name)
                except NoPageError:
                    continue
                hood.learn(other, other.url)
            self._neighborhood = hood
        return self._neighborhood.evidence_on(page)


def _parsed(body: bytes, url: str, content_type: str | None = None) -> Page:
    try:
        return Page.from_html(body, url, content_type)
    except PageError as error:
        raise NoPageError(f"the page cannot be used: {error}") from None


def _addresses(folder: Path) -> dict[str, str]:
    """The addresses in a `urls.csv`, with the columns file and url."""
    try:
        with (folder / "urls.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error):
        return {}
    return {row["file"]: row["url"] for row in rows if row.get("file") and row.get("url")}
