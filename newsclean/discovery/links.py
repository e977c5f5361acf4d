"""The links of a section page: their text, their prominence, and how likely they are articles.

A wrong "no" loses an article for good, a wrong "yes" costs one download: only links that are
clearly not articles get a reason not to be followed, and doubtful ones come last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urldefrag, urlsplit, urlunsplit

import numpy as np

from newsclean.discovery.entries import Entry
from newsclean.discovery.paging import is_numbered
from newsclean.extraction.extractor import extract
from newsclean.extraction.is_article.link_target import (
    LIKELY,
    NEVER_ARTICLES,
    SELDOM_ARTICLES,
    SURELY_NOT,
    UrlParts,
    article_likelihood,
)
from newsclean.extraction.text import count_words
from newsclean.memory.learned_sites import UNKNOWN_PATTERN, PatternCounts
from newsclean.urls import article_url, resolve_link, same_site, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.html import HtmlElement

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

    #: Returns what URLs of the same pattern have turned out to be.
    _CountsOf = Callable[[str], PatternCounts]

_SIDE_COLUMNS = frozenset({"aside", "nav", "footer"})
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())

#: A text of at least this many words or characters is a headline; a shorter one is a label.
_MIN_HEADLINE_WORDS, _MIN_HEADLINE_LENGTH = 4, 25
#: A path segment of at least this many words names an article, not a section.
_MIN_NAME_WORDS = 3
#: From this probability on, a start page is taken for an article.
_MIN_START_PAGE_PROBABILITY = 0.9
#: On fewer pages, links that all pages share may do so by chance, without a menu.
_MIN_MENU_PAGES = 3

_OTHER_FILES = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|webp|svg|mp[34]|m4a|webm|avi|mov|zip|gz|docx?|xlsx?|pptx?|xml|json"
    r"|rss|atom|css|js|ics|apk|exe|dmg)$",
    re.I,
)
_FILE_EXTENSION = re.compile(r"[^/]\.[a-z]{2,5}$", re.I)
_INDEX_FILE = re.compile(r"(?:index|default)\.\w{2,5}", re.I)

# Why a link is not followed, as in the stats `links/not_followed/…`:
#: never an article, whatever the settings say;
OTHER_SITE, FILE, SECTION = "other-site", "file", "section"
#: excluded by the site file;
NOT_ALLOWED = "not-allowed"
NEVER_FOLLOWED = (OTHER_SITE, FILE, SECTION, NOT_ALLOWED)
#: clearly not an article;
URL, _LABEL, MENU = "url", "label", "menu"
#: no URL of its pattern was an article.
URL_PATTERN = "url-pattern"


@dataclass(frozen=True)
class Link:
    """A link to a web page."""

    url: str
    text: str
    rel: str = ""
    #: 0 in a side column or footer, 2 in a heading, 1 elsewhere
    prominence: int = 1

    @property
    def entry(self) -> Entry:
        return Entry(self.url, title=self.text)

    @property
    def is_headline(self) -> bool:
        """Whether its text is as long as a headline.

        >>> Link("https://a.org/x", "Log in").is_headline
        False
        """
        words = count_words(" ".join(self.text.split()))
        return words >= _MIN_HEADLINE_WORDS or len(self.text) >= _MIN_HEADLINE_LENGTH


def links_of(page: Page, inside: str | None = None) -> Iterator[Link]:
    """Return the page's links to web pages, each URL once, with the longest of its texts.

    With an XPath `inside`, only the links that it selects or that are inside what it selects.
    """
    wanted = None if inside is None else _inside(page, inside)
    base = page.base_url
    found: dict[str, Link] = {}
    words = page.subtree(page.words)
    prominence = _prominence(page)
    for row in page.rows(frozenset({"a"})).tolist():
        element = page.element[row]
        url = None if element is None else resolve_link(element.get("href"), base)
        if element is None or url is None or not url.startswith("http"):
            continue
        if wanted is not None and not wanted[row]:
            continue
        url = article_url(url)
        text = "".join(element.itertext()) if words[row] else _alternative_text(element)
        text = " ".join(text.split())
        if url not in found or len(text) > len(found[url].text):
            found[url] = Link(url, text, (element.get("rel") or "").lower(), int(prominence[row]))
    return iter(found.values())


def _inside(page: Page, xpath: str) -> Mask:
    """Mark the rows inside the elements that an XPath selects."""
    found: Any = page.root.xpath(xpath)
    selected = {id(element) for element in found} if isinstance(found, list) else set()
    rows = [row for row, element in enumerate(page.element) if id(element) in selected]
    return page.below(np.array(rows, dtype=np.int64))


def _alternative_text(element: HtmlElement) -> str:
    """Return the text of a link around a picture, for readers who do not see it."""
    texts = [element.get("aria-label"), element.get("title")]
    texts += [image.get("alt") for image in element.iter("img")]
    return max((text or "" for text in texts), key=len)


def _prominence(page: Page) -> Column:
    """Return how prominent a link in each row is, by the tags above and below it."""

    def near(tags: frozenset[str]) -> Mask:
        rows = page.rows(tags)
        mask: Mask = page.below(rows) | (page.subtree(np.isin(np.arange(len(page)), rows)) > 0)
        return mask

    return np.where(near(_SIDE_COLUMNS), 0, np.where(near(_HEADINGS), 2, 1))


def section_match(link: Link, section: str) -> int:
    """Return how surely an article belongs to this section, and is not only mentioned there."""
    return link.prominence + 3 * is_inside(link.url, section)


def is_inside(url: str, section: str) -> bool:
    """Tell whether a URL lies below a section's, as in `/sport/` and `/sport/who-won-123.html`."""
    path = urlsplit(section).path.strip("/")
    below = urlsplit(url).path.strip("/").startswith(f"{path}/")
    return bool(path) and below and site_of(url) == site_of(section)


def is_same_page(url: str, other: str) -> bool:
    """Tell whether two URLs differ only in a trailing slash or a fragment."""
    return page_key(url) == page_key(other)


def page_key(url: str) -> str:
    """Return a URL without its fragment and trailing slash: they do not change the page."""
    return urldefrag(url).url.rstrip("/")


@dataclass(frozen=True)
class RankedLink:
    """A link, and how likely it leads to an article."""

    link: Link
    #: how likely it is an article, from 0 to 1, by its URL
    likelihood: float
    #: why it is clearly not an article; empty if it may be one
    reason: str = ""
    #: what URLs of its pattern have turned out to be
    counts: PatternCounts = UNKNOWN_PATTERN

    @property
    def is_doubtful(self) -> bool:
        """Whether its text is not a headline: it may belong to a menu."""
        return not self.link.is_headline

    @property
    def priority(self) -> int:
        """Scrapy's priority: likely articles first, and of two similar URLs the headline.

        URLs of a pattern that has always been an article's come before all others, those of a
        pattern that never has after them.
        """
        words = 0.2 * self.link.is_headline + 0.1 * self.link.prominence
        known = self.counts.is_always_article - self.counts.is_never_article
        return round(100 * (self.likelihood + words)) + 200 * (known - bool(self.reason))


def rank_links(
    page: Page,
    section: str,
    inside: str | None = None,
    counts: _CountsOf = lambda url: UNKNOWN_PATTERN,
) -> list[RankedLink]:
    """Return the links of a section page to other pages, the likeliest articles first.

    With an XPath `inside`, only those in the parts of the page that it selects.
    """
    links = [link for link in links_of(page, inside) if not is_same_page(link.url, section)]
    found = [replace(rank_link(link, section), counts=counts(link.url)) for link in links]
    return sorted(found, key=lambda ranked: -ranked.priority)


def rank_link(link: Link, section: str) -> RankedLink:
    """Return how likely a link of a section page leads to an article.

    >>> front = "https://a.org/news"
    >>> rank_link(Link("https://a.org/2026/03/14/mayor-opens-bridge", "Bridge opens"), front).reason
    ''
    >>> rank_link(Link("https://a.org/login?back=/news", "Log in to read this"), front).reason
    'url'
    """
    if not same_site(link.url, section):
        return RankedLink(link, 0.0, OTHER_SITE)
    url = _without_section_words(link.url, section)
    likelihood = article_likelihood(url)
    parts = UrlParts.of(url)
    return RankedLink(link, likelihood, _reason(link, section, parts, likelihood))


def _reason(link: Link, section: str, parts: UrlParts, likelihood: float) -> str:
    if _OTHER_FILES.search(parts.path):
        return FILE
    if not parts.path_segments or is_numbered(link.url) or is_inside(section, link.url):
        return SECTION
    segments = {segment.lower() for segment in parts.path_segments}
    has_id = parts.has_date or parts.has_number
    most_words = max(map(_count_segment_words, parts.path_segments))
    is_titled = link.is_headline and most_words >= _MIN_NAME_WORDS
    is_lone = link.is_headline and _is_lone_article(parts)
    if segments & NEVER_ARTICLES or (segments & SELDOM_ARTICLES and not (has_id or is_titled)):
        return URL
    if likelihood < SURELY_NOT and not (is_lone or (has_id and link.is_headline)):
        return URL
    # A section, like /culture.
    if len(parts.path_segments) == most_words == 1 and not (is_lone or has_id):
        return URL
    if most_words < _MIN_NAME_WORDS and not has_id and not link.is_headline:
        return _LABEL
    return ""


def _is_lone_article(parts: UrlParts) -> bool:
    """Tell whether a URL with one path segment may be an article's: a file, or with a digit.

    >>> names = ("x.html", "x7", "sport")
    >>> [_is_lone_article(UrlParts.of(f"https://a.org/{name}")) for name in names]
    [True, True, False]
    """
    if len(parts.path_segments) != 1 or parts.reserved:
        return False
    has_digit = any(map(str.isdigit, parts.path_segments[0]))
    return has_digit or bool(_FILE_EXTENSION.search(parts.path))


def is_surely_article(page: Page, url: str) -> bool:
    """Tell whether a page is clearly an article, by its URL and its text."""
    if article_likelihood(url) < LIKELY:
        return False
    article = extract(page, url, html_body=False)
    return article.article_probability >= _MIN_START_PAGE_PROBABILITY


def _count_segment_words(segment: str) -> int:
    """Count the words of a path segment.

    >>> _count_segment_words("mayor-opens-bridge"), _count_segment_words("culture")
    (3, 1)
    """
    words = " ".join(word for word in re.split(r"[-_+. ]", segment) if word)
    return count_words(words) if words else 0


def _without_section_words(url: str, section: str) -> str:
    """Replace the section's own host and path in a URL by neutral words, and drop an index file.

    They say nothing for or against an article.

    >>> _without_section_words("https://a.org/video/culture/x-17/index.html", "https://a.org/video/")
    'https://a.org/own/culture/x-17/'
    """
    parts = urlsplit(url)
    own = {segment.lower() for segment in unquote(urlsplit(section).path).split("/") if segment}
    segments = [
        "own" if unquote(segment).lower() in own else segment for segment in parts.path.split("/")
    ]
    if _INDEX_FILE.fullmatch(segments[-1]):
        segments[-1] = ""
    if not any(segments) and parts.query:  # only the query tells pages apart
        segments = ["", "own"]
    host = "a.org" if site_of(url) == site_of(section) else parts.netloc
    return urlunsplit((parts.scheme, host, "/".join(segments), parts.query, ""))


class MenuLinks:
    """Counts the section pages on which a link appears: on all of them, it belongs to a menu."""

    def __init__(self) -> None:
        self._pages: dict[str | None, int] = {}
        self._links: dict[str, int] = {}

    def add_page(self, section: str, links: list[RankedLink]) -> None:
        site = site_of(section)
        self._pages[site] = self._pages.get(site, 0) + 1
        for ranked in links:
            url = ranked.link.url
            self._links[url] = self._links.get(url, 0) + 1

    def has(self, ranked: RankedLink, section: str) -> bool:
        """Tell whether a link is on every section page of the site and looks like no article.

        A headline, a date or a number would suggest an article.
        """
        pages = self._pages.get(site_of(section), 0)
        is_everywhere = self._links.get(ranked.link.url, 0) >= pages >= _MIN_MENU_PAGES
        parts = UrlParts.of(ranked.link.url)
        has_id = parts.has_date or parts.has_number
        return is_everywhere and ranked.is_doubtful and not has_id
