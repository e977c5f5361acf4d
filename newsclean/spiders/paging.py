"""The pages of a section: which one comes next, and what number it has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from newsclean.metadata.urls import base_url, resolve_link
from newsclean.site import same_site
from newsclean.spiders.links import is_same_page, links_of

if TYPE_CHECKING:
    from newsclean.page import Page

_PAGE_NUMBER = re.compile(
    r"(?:[?&](?:page|p|pg|seite|pagina|paged|start|offset)=\d+|/(?:page|seite|pagina)[/-]?\d+/?$)",
    re.I,
)
#: How WordPress addresses its articles.
_ARTICLE_NUMBER = re.compile(r"[?&]p=\d{3,}(?!\d*&)", re.I)
_NEXT = re.compile(
    r"^(?:next|older|more|weiter|n[äa]chste|suivante?|siguiente|successiv[ao]|pr[óo]xim[ao]"
    r"|volgende|n[äe]sta|neste|dalej|nast[ęe]pna|след\w*)\b"
    r"|^(?:下一[页頁]|次[への]|다음|>+\s*$)|[›»→]\s*$",
    re.I,
)

MAX_NUMBER_DIGITS = 12


def next_page(page: Page, url: str) -> str | None:
    """The address of the section's next page, if it has one."""
    for element in page.elements("link"):
        if "next" in (element.get("rel") or "").lower().split():
            base = base_url(page.elements("base"), page.url)
            found = resolve_link(element.get("href"), base)
            if found and _may_follow(found, url):
                return found
    number = page_number(url)
    for link in links_of(page):
        if not _may_follow(link.url, url):
            continue
        if "next" in link.rel.split():
            return link.url
        if _PAGE_NUMBER.search(link.url) and _without_number(link.url) == _without_number(url):
            follows = page_number(link.url) == number + 1 or link.text == str(number + 1)
            if follows or _NEXT.search(link.text):
                return link.url
    return None


def _may_follow(url: str, current: str) -> bool:
    """Whether a page may come after another: not itself, nor one with a lower number.

    Some sites count from 0, and the page without a number is then before page 1.
    """
    if not same_site(url, current) or is_same_page(url, current):
        return False
    numbered = _PAGE_NUMBER.search(url) and _PAGE_NUMBER.search(current)
    return not numbered or page_number(url) > page_number(current)


def is_numbered(url: str) -> bool:
    """Whether a URL names the number of a section's page.

    >>> is_numbered("https://a.org/sport?p=2"), is_numbered("https://a.org/?p=4711")  # an article
    (True, False)
    """
    return _PAGE_NUMBER.search(url) is not None and _ARTICLE_NUMBER.search(url) is None


def page_number(url: str) -> int:
    """The number of a section's page, 1 where the URL has none.

    >>> page_number("https://a.org/sport?page=3"), page_number("https://a.org/sport/")
    (3, 1)
    """
    found = _PAGE_NUMBER.search(url)
    digits = re.search(r"\d+", found[0]) if found else None
    return int(digits[0][:MAX_NUMBER_DIGITS]) if digits else 1


def _without_number(url: str) -> str:
    return _PAGE_NUMBER.sub("", url).rstrip("/?&")
