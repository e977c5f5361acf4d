"""What a home page says of its site: sections, feeds and sitemaps, each tried."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from scrapy.utils.sitemap import sitemap_urls_from_robots

from newsclean.discovery.links import (
    FILE,
    OTHER_SITE,
    is_same_page,
    links_of,
    page_key,
    rank_link,
    rank_links,
)
from newsclean.discovery.paging import is_numbered
from newsclean.discovery.site_files import main_site
from newsclean.discovery.sources import (
    Entry,
    SourceError,
    declared_feeds,
    newest_first,
    parse_feed,
    parse_sitemap,
)
from newsclean.extraction.is_article.link_target import SERVICES, is_reserved, plain
from newsclean.extraction.metadata.structured_data import MetaTags
from newsclean.extraction.page import Page, PageError
from newsclean.urls import registered_domain, same_site, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from newsclean.discovery.links import Link
    from newsclean.discovery.site_files import Section, SiteFile

    #: The bytes of a page, its address and its content type; `SurveyError` if there is none.
    _Fetch = Callable[[str], tuple[bytes, str, str | None]]

_Kind = Literal["section", "feed", "sitemap"]

#: Pages, feeds and sitemaps that are tried.
_MAX_SECTIONS, _MAX_FEEDS, MAX_SITEMAPS = 20, 5, 5
#: Links to articles on a page that is a section.
_MIN_ARTICLES = 3
#: On fewer pages, a link is the same by chance, and not because all pages have it.
_MIN_PAGES = 3
_FILE_EXTENSION_ONLY = re.compile(r"\.[a-z]{2,5}$", re.I)
_BETWEEN_PARTS = re.compile(r"\s+[|–—·-]\s+")
#: Where a page has its menu.
_MENUS = "//nav | //header | //*[@role='navigation']"


class SurveyError(Exception):
    """An address that cannot be fetched or read."""


@dataclass
class Tried:
    """An address that was tried, and what it leads to."""

    kind: _Kind
    url: str
    #: its label in the menu
    label: str = ""
    articles: int = 0
    problem: str = ""

    @property
    def is_useful(self) -> bool:
        return not self.problem


@dataclass
class Survey:
    home: str
    title: str = ""
    tried: list[Tried] = field(default_factory=list)

    def useful(self, kind: _Kind) -> list[Tried]:
        return [one for one in self.tried if one.kind == kind and one.is_useful]


def survey(url: str, fetch: _Fetch) -> Survey:
    """Look at a home page, and try what it names; `SurveyError` if there is no such page."""
    page = _page(url, fetch)
    home = page.url or url
    titles = ("".join(map(str, title.itertext())) for title in page.elements("title"))
    found = Survey(home, _site_title(_site_name(page) or next(titles, "")))
    found.tried += _try_sections(page, home, fetch)
    for feed in [feed for feed in declared_feeds(page) if same_site(feed, home)][:_MAX_FEEDS]:
        found.tried.append(_try(Tried("feed", feed), fetch, _count_feed))
    for sitemap in _declared_sitemaps(home, fetch)[:MAX_SITEMAPS]:
        found.tried.append(_try(Tried("sitemap", sitemap), fetch, _count_sitemap))
    return found


def _site_title(title: str) -> str:
    """The title of a home page, each of its parts once.

    >>> _site_title("The Harbor Ledger | The Harbor Ledger"), _site_title("The  Ledger – News")
    ('The Harbor Ledger', 'The Ledger – News')
    """
    text = " ".join(title.split())
    parts = {part.strip() for part in _BETWEEN_PARTS.split(text)}
    return parts.pop() if len(parts) == 1 else text


def _site_name(page: Page) -> str:
    """What a page calls its site; its title may say more than that."""
    names = MetaTags(page.elements("meta")).each("og:site_name", "application-name")
    return next((name for name in names if name.strip()), "")


def _page(url: str, fetch: _Fetch) -> Page:
    body, final_url, content_type = fetch(url)
    try:
        return Page.from_html(body, final_url, content_type)
    except PageError as error:
        raise SurveyError(str(error)) from None


def menu_links(page: Page, home: str) -> list[Link]:
    """The links of a page that look like sections of its site, in the order of the menu.

    Those of its navigation; where a page marks none, all links that are neither headlines nor,
    by their addresses, lists and the like. Accounts, shops and law are no sections.
    """

    def may_be_section(link: Link) -> bool:
        reason = rank_link(link, home).reason
        is_page = reason not in ("", OTHER_SITE, FILE) and not is_numbered(link.url)
        is_service = any(step in SERVICES for step in _steps(link.url))
        is_other = is_same_page(link.url, home) or is_service or link.is_headline
        return is_page and not is_other

    inside = [link for link in links_of(page, _MENUS) if may_be_section(link)]
    candidates = inside or [
        link
        for link in links_of(page)
        if may_be_section(link) and not any(map(is_reserved, _steps(link.url)))
    ]
    return list({page_key(link.url): link for link in reversed(candidates)}.values())[::-1]


def _steps(url: str) -> list[str]:
    """The steps of an address's path as plain words, without what a file's name ends in."""
    path = _FILE_EXTENSION_ONLY.sub("", urlsplit(url).path)
    return [plain(step) for step in path.split("/") if step]


def _try_sections(page: Page, home: str, fetch: _Fetch) -> list[Tried]:
    """The sections of the menu; what all of them link to is not what makes a section."""
    tried: list[tuple[Tried, set[str]]] = []
    for link in menu_links(page, home)[:_MAX_SECTIONS]:
        one, articles = Tried("section", link.url, link.text), set()
        try:
            articles = set(_article_links(_page(link.url, fetch), link.url))
        except SurveyError as error:
            one.problem = str(error)
        tried.append((one, articles))
    pages = sum(not one.problem for one, _ in tried)
    frequency = Counter(url for _, articles in tried for url in articles)
    for one, articles in tried:
        own = [url for url in articles if pages < _MIN_PAGES or 2 * frequency[url] <= pages]
        one.articles = len(own)
        if not one.problem and len(own) < _MIN_ARTICLES:
            one.problem = "leads to no articles of its own"
    return [one for one, _ in tried]


def _article_links(page: Page, section: str) -> Iterator[str]:
    """The headlines of a section page that may lead to articles."""
    for ranked in rank_links(page, section):
        if not ranked.reason and ranked.link.is_headline and ranked.link.prominence:
            yield ranked.link.url


def _declared_sitemaps(home: str, fetch: _Fetch) -> list[str]:
    url = urljoin(home, "/robots.txt")
    try:
        body, _, _ = fetch(url)
    except SurveyError:
        return []
    return [found for found in sitemap_urls_from_robots(body, url) if same_site(found, home)]


def _try(one: Tried, fetch: _Fetch, count: Callable[[bytes, str], int]) -> Tried:
    try:
        body, url, _ = fetch(one.url)
        one.articles = count(body, url)
        if not one.articles:
            one.problem = "names no articles"
    except SourceError as error:
        one.problem = f"it {error}"
    except SurveyError as error:
        one.problem = str(error)
    return one


def _count_feed(body: bytes, url: str) -> int:
    return len(parse_feed(body, url).pages)


def _count_sitemap(body: bytes, url: str) -> int:
    """The articles of a news sitemap; another one names all pages of a site."""
    sitemap = parse_sitemap(body, url)
    if not sitemap.is_news:
        raise SourceError(
            f"is not a news sitemap: it names {len(sitemap.pages):,} pages of any kind "
            f"and {len(sitemap.sitemaps):,} sitemaps"
        )
    return len(sitemap.pages)


# The feeds and sitemaps that a site file names, or that pages and robots.txt declare.

_SourceKind = Literal["feed", "sitemap", "robots"]

#: Feeds of one page that are read.
_MAX_FEEDS = 10
#: Sitemaps of one site that are read: of those that robots.txt declares, and of those that a site
#: file names or that are named in these.
MAX_SITEMAPS = 20
_MAX_NAMED_SITEMAPS = 100


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
    kind: _SourceKind
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
        found = [Source(url, "feed") for url in feeds[:_MAX_FEEDS]]
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
        most = _MAX_NAMED_SITEMAPS if sitemap.is_named else MAX_SITEMAPS
        return self._sitemaps[site] <= most
