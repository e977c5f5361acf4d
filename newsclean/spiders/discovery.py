"""The feeds and sitemaps that a site file names, or that pages and robots.txt declare."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from scrapy.utils.sitemap import sitemap_urls_from_robots

from newsclean.sources import Entry, declared_feeds, newest_first, parse_feed, parse_sitemap
from newsclean.spiders.window import main_site
from newsclean.urls import registered_domain, same_site, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newsclean.extraction.page import Page
    from newsclean.spiders.sites import Section, SiteFile

Kind = Literal["feed", "sitemap", "robots"]

#: Feeds of one page that are read.
MAX_FEEDS = 10
#: Sitemaps of one site that are read: of those that robots.txt declares, and of those that a site
#: file names or that are named in these.
MAX_SITEMAPS = 20
MAX_NAMED_SITEMAPS = 100


@dataclass(frozen=True)
class Found:
    """What a source names."""

    pages: list[Entry] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    #: how many entries lead to other sites
    elsewhere: int = 0
    #: how many entries cannot be read
    unreadable: int = 0


@dataclass(frozen=True)
class Source:
    url: str
    kind: Kind
    #: whether all that it names is wanted; else only what a news sitemap names
    is_named: bool = False

    def read(self, body: bytes, url: str) -> Found:
        """The entries of the source's own site; `SourceError` if it cannot be read."""
        if self.kind == "robots":
            return Found(sources=_sitemaps(sitemap_urls_from_robots(body, url), url))
        if self.kind == "feed":
            feed = parse_feed(body, url)
            pages = _of_site(feed.pages, url)
            if self.is_named and not pages:  # a feed may be kept at another host
                pages = _of_site(feed.pages, main_site(feed.pages) or url)
            elsewhere = len(feed.pages) - len(pages)
            return Found(pages, elsewhere=elsewhere, unreadable=feed.unreadable)
        sitemap = parse_sitemap(body, url)
        newest = [entry.url for entry in newest_first(_of_site(sitemap.sitemaps, url))]
        entries = sitemap.pages if sitemap.is_news or self.is_named else []
        pages = _of_site(entries, url)
        nested = _sitemaps(newest, url) if not self.is_named else _named_sitemaps(newest)
        return Found(pages, nested, len(entries) - len(pages), sitemap.unreadable)


def _of_site(entries: Iterable[Entry], url: str) -> list[Entry]:
    return [entry for entry in entries if same_site(entry.url, url)]


def _named_sitemaps(urls: Iterable[str]) -> list[Source]:
    return [Source(url, "sitemap", is_named=True) for url in urls]


def _sitemaps(urls: Iterable[str], base: str) -> list[Source]:
    """Those that may be news sitemaps by their names, or all if there are few."""
    found = [url for url in urls if same_site(url, base)]
    news = [url for url in found if "news" in urlsplit(url).path.lower()]
    return [Source(url, "sitemap") for url in news or found[:1]]


class Discovery:
    """Remembers which sources have been found, each once, and how many sitemaps a site has."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._sitemaps: Counter[str] = Counter()
        #: how many sitemaps were found and not read, because a site has too many
        self.not_read = 0

    def of_site(self, file: SiteFile, section: Section) -> Iterator[Source]:
        """The sources that a site file names."""
        yield from self.new([Source(url, "feed", is_named=True) for url in file.feeds])
        yield from self.new([Source(url, "sitemap", is_named=True) for url in file.sitemaps])

    def on_page(self, page: Page, file: SiteFile) -> list[Source]:
        """The sources that a section's page declares, and the site's robots.txt."""
        if page.url is None:
            return []
        feeds = [url for url in declared_feeds(page) if same_site(url, page.url)]
        found = [Source(url, "feed") for url in feeds[:MAX_FEEDS]]
        return self.new([*found, Source(urljoin(page.url, "/robots.txt"), "robots")])

    def new(self, sources: Iterable[Source]) -> list[Source]:
        """Those of them that have not been found before and are to be read."""
        found = []
        for source in sources:
            if source.url in self._seen:
                continue
            self._seen.add(source.url)
            if source.kind == "sitemap" and not self._has_room(source):
                self.not_read += 1
                continue
            found.append(source)
        return found

    def _has_room(self, sitemap: Source) -> bool:
        """Whether a site may have one more sitemap: indexes may name others without an end."""
        site = registered_domain(site_of(sitemap.url) or "")
        self._sitemaps[site] += 1
        most = MAX_NAMED_SITEMAPS if sitemap.is_named else MAX_SITEMAPS
        return self._sitemaps[site] <= most
