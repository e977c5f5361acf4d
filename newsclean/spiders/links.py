"""The links of a section page, each with the words and the place in which it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

import numpy as np

from newsclean.page.words import count_words
from newsclean.render.html import absolute, base_url
from newsclean.site import site_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

    from newsclean.page import Page
    from newsclean.page.columns import Column, Mask

_TRACKING = re.compile(
    r"utm_\w+=|(?:fbclid|gclid|yclid|mc_cid|mc_eid|cmpid|ncid|xtor|at_medium)=", re.I
)
SIDE = frozenset({"aside", "nav", "footer"})
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())

#: A text of so many words or characters is a headline; a shorter one is a label.
HEADLINE_WORDS, HEADLINE_LENGTH = 4, 25


@dataclass(frozen=True)
class Link:
    url: str
    text: str
    rel: str = ""
    #: how prominent it stands: 0 in a side column or footer, 2 in a heading, 1 elsewhere
    place: int = 1

    @property
    def is_headline(self) -> bool:
        """Whether its text is as long as headlines are.

        >>> Link("https://a.org/x", "Log in").is_headline
        False
        """
        words = count_words(" ".join(self.text.split()))
        return words >= HEADLINE_WORDS or len(self.text) >= HEADLINE_LENGTH


def links_of(page: Page) -> Iterator[Link]:
    """The page's links to places on the web, each URL once, with the longest of its texts."""
    base = base_url(page)
    found: dict[str, Link] = {}
    words = page.subtree(page.words)
    place = _places(page)
    for row in page.rows(frozenset({"a"})).tolist():
        element = page.element[row]
        url = None if element is None else absolute(element.get("href"), base)
        if element is None or url is None or not url.startswith("http"):
            continue
        url = without_tracking(urldefrag(url).url)
        text = "".join(element.itertext()) if words[row] else _unseen_text(element)
        text = " ".join(text.split())
        if url not in found or len(text) > len(found[url].text):
            found[url] = Link(url, text, (element.get("rel") or "").lower(), int(place[row]))
    return iter(found.values())


def _unseen_text(element: HtmlElement) -> str:
    """What a link around a picture says to those who do not see it."""
    texts = [element.get("aria-label"), element.get("title")]
    texts += [image.get("alt") for image in element.iter("img")]
    return max((text or "" for text in texts), key=len)


def _places(page: Page) -> Column:
    """How prominent each row stands, by the tags above and below it."""

    def near(tags: frozenset[str]) -> Mask:
        rows = page.rows(tags)
        mask: Mask = page.below(rows) | (page.subtree(np.isin(np.arange(len(page)), rows)) > 0)
        return mask

    return np.where(near(SIDE), 0, np.where(near(HEADINGS), 2, 1))


def belonging(link: Link, section: str) -> int:
    """How surely a link's article is one of this section, and not only mentioned there."""
    return link.place + 3 * is_inside(link.url, section)


def is_inside(url: str, section: str) -> bool:
    """Whether a URL lies below a section's, as in `/sport/` and `/sport/who-won-123.html`."""
    path = urlsplit(section).path.strip("/")
    below = urlsplit(url).path.strip("/").startswith(f"{path}/")
    return bool(path) and below and site_of(url) == site_of(section)


def without_tracking(url: str) -> str:
    """A URL without the parameters that only tell where a reader came from.

    >>> without_tracking("https://a.org/x?id=7&utm_source=home")
    'https://a.org/x?id=7'
    """
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [part for part in query.split("&") if part and not _TRACKING.match(part)]
    return f"{head}?{'&'.join(kept)}" if kept else head


def is_same_page(url: str, other: str) -> bool:
    """Whether two URLs differ in nothing but a trailing slash or a fragment."""
    return page_of_url(url) == page_of_url(other)


def page_of_url(url: str) -> str:
    """A URL without what makes no other page of it."""
    return urldefrag(url).url.rstrip("/")
