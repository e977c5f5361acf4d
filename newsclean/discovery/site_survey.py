"""The survey of a site for `newsclean site`: sections, feeds and sitemaps, each tried.

In: the URL of a home page and a function that downloads. Out: what was tried, with the number of
articles found or the reason why it is of no use.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

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
from newsclean.discovery.sources import (
    SourceError,
    declared_feeds,
    parse_feed,
    parse_sitemap,
    robots_sitemaps,
)
from newsclean.extraction.is_article.link_target import SERVICES, is_reserved, plain
from newsclean.extraction.metadata.page_sources import MetaTags
from newsclean.extraction.page import Page, PageError
from newsclean.extraction.text import counted
from newsclean.urls import same_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from newsclean.discovery.links import Link

    #: Returns the body, final URL and content type of a page, or raises `SurveyError`.
    _Fetch = Callable[[str], tuple[bytes, str, str | None]]

_Kind = Literal["section", "feed", "sitemap"]

#: Sections, feeds and sitemaps to try: with the home page and robots.txt, 32 requests.
_MAX_SECTIONS, _MAX_FEEDS, _MAX_SITEMAPS = 20, 5, 5
#: A section has at least this many links to articles.
_MIN_ARTICLES = 3
#: On fewer pages, links that most pages share prove nothing.
_MIN_PAGES = 3
_FILE_EXTENSION_ONLY = re.compile(r"\.[a-z]{2,5}$", re.I)
_BETWEEN_PARTS = re.compile(r"\s+[|–—·-]\s+")
#: XPath of the navigation of a page.
_MENUS = "//nav | //header | //*[@role='navigation']"


class SurveyError(Exception):
    """A page that cannot be fetched or read."""


@dataclass
class Tried:
    """A URL that was tried, and what it leads to."""

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
    """Try what a home page names; `SurveyError` if there is no such page."""
    page = _page(url, fetch)
    home = page.url or url
    tried = _try_sections(page, home, fetch)
    for feed in declared_feeds(page)[:_MAX_FEEDS]:
        tried.append(_try(Tried("feed", feed), fetch, _count_feed))
    for sitemap in _declared_sitemaps(home, fetch)[:_MAX_SITEMAPS]:
        tried.append(_try(Tried("sitemap", sitemap), fetch, _count_sitemap))
    return Survey(home, _site_name(page), tried)


def _site_name(page: Page) -> str:
    """Return what a page calls its site, or else its title."""
    names = MetaTags(page.elements("meta")).each("og:site_name", "application-name")
    titles = ("".join(map(str, title.itertext())) for title in page.elements("title"))
    name = next((name for name in names if name.strip()), "") or next(titles, "")
    return _without_repetition(name)


def _without_repetition(title: str) -> str:
    """Return a title once that consists of the same words twice.

    >>> _without_repetition("The Harbor Ledger | The Harbor Ledger")
    'The Harbor Ledger'
    >>> _without_repetition("The  Ledger – News")
    'The Ledger – News'
    """
    text = " ".join(title.split())
    parts = {part.strip() for part in _BETWEEN_PARTS.split(text)}
    return parts.pop() if len(parts) == 1 else text


def _page(url: str, fetch: _Fetch) -> Page:
    body, final_url, content_type = fetch(url)
    try:
        return Page.from_html(body, final_url, content_type)
    except PageError as error:
        raise SurveyError(str(error)) from None


def menu_links(page: Page, home: str) -> list[Link]:
    """Return the links that look like sections of the site, in the order of the menu.

    If no navigation is marked up, all links of the page are considered, except headlines, lists
    and the like. Accounts, shops and legal pages are never sections.
    """

    def may_be_section(link: Link) -> bool:
        reason = rank_link(link, home).reason
        is_page = reason not in ("", OTHER_SITE, FILE) and not is_numbered(link.url)
        is_service = any(segment in SERVICES for segment in _segments(link.url))
        is_other = is_same_page(link.url, home) or is_service or link.is_headline
        return is_page and not is_other

    inside = [link for link in links_of(page, _MENUS) if may_be_section(link)]
    candidates = inside or [
        link
        for link in links_of(page)
        if may_be_section(link) and not any(map(is_reserved, _segments(link.url)))
    ]
    return list({page_key(link.url): link for link in reversed(candidates)}.values())[::-1]


def _segments(url: str) -> list[str]:
    """Return the segments of a URL's path as plain words, without a file extension."""
    path = _FILE_EXTENSION_ONLY.sub("", urlsplit(url).path)
    return [plain(segment) for segment in path.split("/") if segment]


def _try_sections(page: Page, home: str, fetch: _Fetch) -> list[Tried]:
    """Try the sections of the menu; links that most of them share do not count."""
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
    """Yield the links of a section page that are headlines and may lead to articles."""
    for ranked in rank_links(page, section):
        if not ranked.reason and ranked.link.is_headline and ranked.link.prominence:
            yield ranked.link.url


def _declared_sitemaps(home: str, fetch: _Fetch) -> list[str]:
    url = urljoin(home, "/robots.txt")
    try:
        body, _, _ = fetch(url)
    except SurveyError:
        return []
    return [found.url for found in robots_sitemaps(body, url) if same_site(found.url, home)]


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
    """Count the articles of a news sitemap; `SourceError` for a sitemap of pages of any kind."""
    sitemap = parse_sitemap(body, url)
    if not sitemap.is_news:
        raise SourceError(
            f"is not a news sitemap: it names {counted(len(sitemap.pages), 'page')} of any kind "
            f"and {counted(len(sitemap.sitemaps), 'sitemap')}"
        )
    return len(sitemap.pages)
