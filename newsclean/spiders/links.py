"""What the links of a section page lead to: articles, the section's next page, or neither."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urldefrag, urlsplit

from newsclean.render.html import absolute, base_url
from newsclean.site import same_site, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.page import Page

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
    r"|volgende|n[äe]sta|neste|dalej|nast[ęe]pna|след|下一页|次へ|다음|›|»|→|>|>>)\b|[›»→]\s*$",
    re.I,
)

SIDE = frozenset({"aside", "nav", "footer"})
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())

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
    for row in page.rows(frozenset({"a"})).tolist():
        element = page.element[row]
        url = None if element is None else absolute(element.get("href"), base)
        if element is None or url is None or not url.startswith("http"):
            continue
        url = without_tracking(urldefrag(url).url)
        text = " ".join("".join(element.itertext()).split()) if words[row] else ""
        if url not in found or len(text) > len(found[url].text):
            found[url] = Link(url, text, (element.get("rel") or "").lower(), _place(page, row))
    return iter(found.values())


def _place(page: Page, row: int) -> int:
    tags = {page.tag[below] for below in range(row, int(page.end[row]) + 1)}
    while row >= 0:
        tags.add(page.tag[row])
        row = int(page.parent[row])
    if tags & SIDE:
        return 0
    return 2 if tags & HEADINGS else 1


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
    kept = [part for part in query.split("&") if not _TRACKING.match(part)]
    return f"{head}?{'&'.join(kept)}" if kept else head


def article_links(page: Page, section: str) -> list[Link]:
    """The links of a section page that look like articles of its site, best first."""
    scored = [
        (article_score(link), link)
        for link in links_of(page)
        if same_site(link.url, section) and not is_same_page(link.url, section)
    ]
    kept = [pair for pair in scored if pair[0] >= ARTICLE_SCORE]
    return [link for _, link in sorted(kept, key=lambda pair: -pair[0])]


def article_score(link: Link) -> float:
    """How much a link looks like an article: by its address, and a little by its words.

    >>> article_score(Link("https://a.org/2026/03/14/mayor-opens-bridge", "Mayor opens bridge"))
    3.0
    >>> article_score(Link("https://a.org/about", "About us"))
    0.0
    """
    parts = urlsplit(link.url)
    path = unquote(parts.path).rstrip("/")
    steps = [step.lower() for step in path.split("/") if step]
    if not steps or OTHER_FILES.search(path) or _PAGE_NUMBER.search(link.url):
        return 0.0
    if any(step in OTHER_WORDS for step in steps):
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


def next_page(page: Page, url: str) -> str | None:
    """The address of the section's next page, if it has one."""
    for element in page.elements("link"):
        if "next" in (element.get("rel") or "").lower().split():
            found = absolute(element.get("href"), base_url(page))
            if found and same_site(found, url):
                return found
    number = page_number(url)
    for link in links_of(page):
        if not same_site(link.url, url) or is_same_page(link.url, url):
            continue
        if "next" in link.rel.split():
            return link.url
        if _PAGE_NUMBER.search(link.url) and _without_page(link.url) == _without_page(url):
            follows = page_number(link.url) == number + 1 or link.text == str(number + 1)
            if follows or (_NEXT.search(link.text) and page_number(link.url) > number):
                return link.url
    return None


def page_number(url: str) -> int:
    """The number of a section's page, 1 where the URL has none.

    >>> page_number("https://a.org/sport?page=3"), page_number("https://a.org/sport/")
    (3, 1)
    """
    found = _PAGE_NUMBER.search(url)
    digits = re.search(r"\d+", found[0]) if found else None
    return int(digits[0]) if digits else 1


def is_same_page(url: str, other: str) -> bool:
    """Whether two URLs differ in nothing but a trailing slash or a fragment."""
    return urldefrag(url).url.rstrip("/") == urldefrag(other).url.rstrip("/")


def _without_page(url: str) -> str:
    return _PAGE_NUMBER.sub("", url).rstrip("/?&")
