"""What the links of a section page lead to: articles, the section's next page, or neither."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urldefrag, urlsplit

import numpy as np

from newsclean.render.html import absolute, base_url
from newsclean.site import same_site, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.page import Page
    from newsclean.page.columns import Column, Mask

#: A step of a path with one of these words leads to something else than an article.
OTHER_WORDS = frozenset(
    """
    about account ads advertise app apps archive archives author authors autor autoren auteur
    author-s bookmark careers cart category checkout comments contact contacto cookies cookie
    datenschutz donate event events faq feed feeds galeria galerie gallery galleries help image
    images impressum imprint jobs kontakt legal live-tv login logout mailto newsletter
    newsletters page pages photo photos picture pictures podcast podcasts print privacy profile
    quiz register rss search seite shop signin sign-in signup sign-up sitemap subscribe
    subscription tag tags terms thema themen topic topics user users video videos weather widget
    wp-admin wp-login
    """.split()
)

OTHER_FILES = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|webp|svg|mp[34]|m4a|webm|avi|mov|zip|gz|docx?|xlsx?|pptx?|xml|json"
    r"|rss|atom|css|js|ics|apk|exe|dmg)$",
    re.I,
)
_DATE = re.compile(r"(?:^|/)(?:19|20)\d\d[/-]?(?:0?[1-9]|1[0-2])(?:[/-]?[0-3]?\d)?(?:/|-|$)")
_NUMBER = re.compile(r"\d{4,}")
_TOKEN = re.compile(r"(?=[a-z0-9_-]*\d)(?=[a-z0-9_-]*[a-z])[a-z0-9_-]{8,}", re.I)
_TRACKING = re.compile(
    r"utm_\w+=|(?:fbclid|gclid|yclid|mc_cid|mc_eid|cmpid|ncid|xtor|at_medium)=", re.I
)
_PAGE_NUMBER = re.compile(
    r"(?:[?&](?:page|p|pg|seite|pagina|paged|start|offset)=\d+|/(?:page|seite|pagina)[/-]?\d+/?$)",
    re.I,
)
_NEXT = re.compile(
    r"^(?:next|older|more|weiter|n[äa]chste|suivante?|siguiente|successiv[ao]|pr[óo]xim[ao]"
    r"|volgende|n[äe]sta|neste|dalej|nast[ęe]pna|след\w*)\b"
    r"|^(?:下一[页頁]|次[への]|다음|>+\s*$)|[›»→]\s*$",
    re.I,
)

SIDE = frozenset({"aside", "nav", "footer"})
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())

MOST_DIGITS = 12  # of a page's number

#: From this score on, a link is followed as an article.
ARTICLE_SCORE = 2.0


@dataclass(frozen=True)
class Link:
    url: str
    text: str
    rel: str = ""
    #: how prominent it stands: 0 in a side column or footer, 2 in a heading, 1 elsewhere
    place: int = 1


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
        text = " ".join("".join(element.itertext()).split()) if words[row] else ""
        if url not in found or len(text) > len(found[url].text):
            found[url] = Link(url, text, (element.get("rel") or "").lower(), int(place[row]))
    return iter(found.values())


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


def article_links(page: Page, section: str) -> list[Link]:
    """The links of a section page that look like articles of its site, best first."""
    trusted = frozenset(_steps(section))
    scored = [
        (article_score(link, trusted), link)
        for link in links_of(page)
        if same_site(link.url, section) and not is_same_page(link.url, section)
    ]
    kept = [pair for pair in scored if pair[0] >= ARTICLE_SCORE]
    return [link for _, link in sorted(kept, key=lambda pair: -pair[0])]


def article_score(link: Link, trusted: frozenset[str] = frozenset()) -> float:
    """How much a link looks like an article: by its address, and a little by its words.

    `trusted` are steps of a path that speak against no article: those of the section itself.

    >>> article_score(Link("https://a.org/2026/03/14/mayor-opens-bridge", "Mayor opens bridge"))
    3.0
    >>> article_score(Link("https://a.org/about", "About us"))
    0.0
    """
    parts = urlsplit(link.url)
    path = unquote(parts.path).rstrip("/")
    steps = _steps(link.url)
    if not steps or OTHER_FILES.search(path) or _PAGE_NUMBER.search(link.url):
        return 0.0
    if any(step in OTHER_WORDS and step not in trusted for step in steps):
        return 0.0
    last = re.sub(r"\.\w{2,5}$", "", steps[-1])
    score = 0.0
    if _DATE.search(path):
        score += 2
    if _NUMBER.search(last) or any(_NUMBER.search(value) for _, value in parse_qsl(parts.query)):
        score += 2
    elif _TOKEN.fullmatch(last):
        score += 1.5
    slug = [word for word in re.split(r"[-_+. ]", last) if len(word) > 1 or not word.isdecimal()]
    score += min(max(len(slug) - 2, 0), 3)
    if len(link.text.split()) >= 4 or len(link.text) >= 25:
        score += 1.0
    return score


def _steps(url: str) -> list[str]:
    return [step.lower() for step in unquote(urlsplit(url).path).split("/") if step]


def next_page(page: Page, url: str) -> str | None:
    """The address of the section's next page, if it has one."""
    for element in page.elements("link"):
        if "next" in (element.get("rel") or "").lower().split():
            found = absolute(element.get("href"), base_url(page))
            if found and _may_follow(found, url):
                return found
    number = page_number(url)
    for link in links_of(page):
        if not _may_follow(link.url, url):
            continue
        if "next" in link.rel.split():
            return link.url
        if _PAGE_NUMBER.search(link.url) and _without_page(link.url) == _without_page(url):
            follows = page_number(link.url) == number + 1 or link.text == str(number + 1)
            if follows or _NEXT.search(link.text):
                return link.url
    return None


def _may_follow(url: str, current: str) -> bool:
    """Whether a page may come after another: not itself, and none with a lower number.

    Some sites count from 0, and the page without a number is then before page 1.
    """
    if not same_site(url, current) or is_same_page(url, current):
        return False
    numbered = _PAGE_NUMBER.search(url) and _PAGE_NUMBER.search(current)
    return not numbered or page_number(url) > page_number(current)


def page_number(url: str) -> int:
    """The number of a section's page, 1 where the URL has none.

    >>> page_number("https://a.org/sport?page=3"), page_number("https://a.org/sport/")
    (3, 1)
    """
    found = _PAGE_NUMBER.search(url)
    digits = re.search(r"\d+", found[0]) if found else None
    return int(digits[0][:MOST_DIGITS]) if digits else 1


def is_same_page(url: str, other: str) -> bool:
    """Whether two URLs differ in nothing but a trailing slash or a fragment."""
    return urldefrag(url).url.rstrip("/") == urldefrag(other).url.rstrip("/")


def _without_page(url: str) -> str:
    return _PAGE_NUMBER.sub("", url).rstrip("/?&")
