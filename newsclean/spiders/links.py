"""The links of a section page, each with its words and its prominence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag, urlsplit

import numpy as np

from newsclean.sources import Entry
from newsclean.text import count_words
from newsclean.urls import article_address, base_url, resolve_link, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from lxml.html import HtmlElement

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

SIDE_COLUMNS = frozenset({"aside", "nav", "footer"})
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())

#: A text of at least this many words or characters is a headline; a shorter one is a label.
MIN_HEADLINE_WORDS, MIN_HEADLINE_LENGTH = 4, 25


@dataclass(frozen=True)
class Link:
    """A link to a place on the web."""

    url: str
    text: str
    rel: str = ""
    #: 0 in a side column or footer, 2 in a heading, 1 elsewhere
    prominence: int = 1

    @property
    def entry(self) -> Entry:
        return Entry(self.url, title=self.text)

    @property
    def moment(self) -> datetime | None:
        """The day in its address, if there is one."""
        return self.entry.moment

    @property
    def is_headline(self) -> bool:
        """Whether its text is as long as headlines are.

        >>> Link("https://a.org/x", "Log in").is_headline
        False
        """
        words = count_words(" ".join(self.text.split()))
        return words >= MIN_HEADLINE_WORDS or len(self.text) >= MIN_HEADLINE_LENGTH


def links_of(page: Page, inside: str | None = None) -> Iterator[Link]:
    """The page's links to places on the web, each URL once, with the longest of its texts.

    With an XPath `inside`, only the links that it selects, or that are in what it selects.
    """
    wanted = None if inside is None else _inside(page, inside)
    base = base_url(page.elements("base"), page.url)
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
        url = article_address(url)
        text = "".join(element.itertext()) if words[row] else _alternative_text(element)
        text = " ".join(text.split())
        if url not in found or len(text) > len(found[url].text):
            found[url] = Link(url, text, (element.get("rel") or "").lower(), int(prominence[row]))
    return iter(found.values())


def _inside(page: Page, xpath: str) -> Mask:
    """Which rows are in the elements that an XPath selects."""
    found: Any = page.root.xpath(xpath)
    selected = {id(element) for element in found} if isinstance(found, list) else set()
    rows = [row for row, element in enumerate(page.element) if id(element) in selected]
    return page.below(np.array(rows, dtype=np.int64))


def _alternative_text(element: HtmlElement) -> str:
    """What a link around a picture says to readers who do not see it."""
    texts = [element.get("aria-label"), element.get("title")]
    texts += [image.get("alt") for image in element.iter("img")]
    return max((text or "" for text in texts), key=len)


def _prominence(page: Page) -> Column:
    """How prominent a link in each row is, by the tags above and below it."""

    def near(tags: frozenset[str]) -> Mask:
        rows = page.rows(tags)
        mask: Mask = page.below(rows) | (page.subtree(np.isin(np.arange(len(page)), rows)) > 0)
        return mask

    return np.where(near(SIDE_COLUMNS), 0, np.where(near(HEADINGS), 2, 1))


def section_match(link: Link, section: str) -> int:
    """How surely a link's article belongs to this section, and is not only mentioned there."""
    return link.prominence + 3 * is_inside(link.url, section)


def is_inside(url: str, section: str) -> bool:
    """Whether a URL lies below a section's, as in `/sport/` and `/sport/who-won-123.html`."""
    path = urlsplit(section).path.strip("/")
    below = urlsplit(url).path.strip("/").startswith(f"{path}/")
    return bool(path) and below and site_of(url) == site_of(section)


def is_same_page(url: str, other: str) -> bool:
    """Whether two URLs differ in nothing but a trailing slash or a fragment."""
    return page_key(url) == page_key(other)


def page_key(url: str) -> str:
    """A URL without its fragment and trailing slash, which make no other page of it."""
    return urldefrag(url).url.rstrip("/")
