"""A publisher's site: from a path to a response."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from email.utils import format_datetime
from enum import StrEnum
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit
from zlib import crc32

from markupsafe import Markup

from newsclean.apps.templating import template_environment, template_file
from newsclean.demo.world import DemoArticle, Publisher, Section, read_publisher

if TYPE_CHECKING:
    from jinja2 import Environment

_TEASERS_PER_PAGE = 6
HTML = "text/html; charset=utf-8"
#: Templates of the same name.
_FILES = {
    "/robots.txt": "text/plain; charset=utf-8",
    "/sitemap.xml": "application/xml; charset=utf-8",
    "/rss.xml": "application/rss+xml; charset=utf-8",
}


class Kind(StrEnum):
    """What a page of the demo is: the truth against which a crawl is counted."""

    ARTICLE = "article"
    SECTION = "section"
    HOME = "home"
    TOPIC = "topic"
    AUTHOR = "author"
    GALLERY = "gallery"
    VIDEO = "video"
    SHOP = "shop"
    SUBSCRIPTION = "subscription"
    LOGIN = "log-in"
    #: the beginning of a story, and then the request to log in
    WALL = "log-in wall"
    ABOUT = "about"
    SEARCH = "search"
    #: an article under a second URL
    COPY = "copy"
    FILE = "file"
    EMPTY = "empty"
    MISSING = "missing"


@dataclass(frozen=True)
class Response:
    body: bytes
    content_type: str = HTML
    status: int = 200
    #: the name of this state of the page; who knows it already gets no body
    etag: str = ""


@dataclass(frozen=True)
class Teaser:
    title: str
    href: str
    text: str
    label: str
    image: str
    #: pairs of name and address
    authors: tuple[tuple[str, str], ...] = ()
    #: the number of the section that has it among its articles
    section: int | None = None


@dataclass(frozen=True)
class Listing:
    """A page of teasers: home, section, topic or author."""

    title: str
    intro: str
    path: str
    teasers: tuple[Teaser, ...]
    kind: Kind
    #: topics that the page leads to: pairs of name and address
    topics: tuple[tuple[str, str], ...] = ()
    pages: tuple[str, ...] = ()
    current: int = 0

    @property
    def next_page(self) -> str:
        return self.pages[self.current + 1] if self.current + 1 < len(self.pages) else ""


@dataclass(frozen=True)
class Leaf:
    """A page that is neither article nor list: captions of pictures, or HTML."""

    title: str
    path: str
    kind: Kind
    captions: tuple[str, ...] = ()
    markup: str = ""


class Site:
    """All pages of one publisher; with `promos`, its articles may hold a box that praises it."""

    def __init__(self, publisher: Publisher, *, promos: bool = False) -> None:
        self.publisher = publisher
        self._promos = promos
        self._articles = {article.path: article for article in publisher.articles}
        data, shared = read_publisher(publisher.key), read_publisher("every_publisher")
        self._teasers = tuple(Teaser(**teaser) for teaser in data["teasers"])
        self._adverts: list[dict[str, str]] = shared["adverts"]
        suffix = publisher.paths["suffix"]
        fixed = (page | {"path": page["path"] + suffix} for page in shared["pages"])
        leaves = [_leaf(**page) for page in (*fixed, *data["pages"])]
        self._leaves = {urlsplit(leaf.path).path: leaf for leaf in leaves}
        self._search, self._not_found = shared["search"], shared["not_found"]
        self._listings = {listing.path: listing for listing in self._all_listings()}

    @property
    def leaf_paths(self) -> tuple[str, ...]:
        """HTML pages that are neither article, section nor home."""
        publisher = self.publisher
        return (
            *(leaf.path for leaf in self._leaves.values()),
            *(publisher.author_path(author) for author in publisher.staff),
            *(publisher.topic_path(place) for place in publisher.places),
        )

    @property
    def copied(self) -> DemoArticle:
        """The article that a second URL shows too."""
        return self.publisher.in_section(self.publisher.sections[2])[1]

    @property
    def copy_path(self) -> str:
        return self.publisher.paths["copy"].format(article=self.copied.path)

    def addressed(self) -> Publisher:
        """The publisher with the URLs of its pages that are no articles."""
        base_url, paths = self.publisher.base_url, self.publisher.paths
        return replace(
            self.publisher,
            non_article_urls=tuple(base_url + path for path in self.leaf_paths),
            forbidden_urls=(f"{base_url}/search",),
            missing_url=base_url + paths["missing"],
            pdf_url=base_url + paths["pdf"],
            empty_url=base_url + paths["empty"],
            copies=((base_url + self.copy_path, self.copied.url),),
        )

    def kind_of(self, target: str) -> Kind:
        """What a request for the target, a path with perhaps a query, leads to."""
        path, paths = urlsplit(target).path, self.publisher.paths
        if path in _FILES or path == paths["pdf"] or path.startswith("/images/"):
            return Kind.FILE
        if path == paths["empty"]:
            return Kind.EMPTY
        return Kind.COPY if target == self.copy_path else self._find(target)[0]

    def respond(self, target: str, redesigned: bool, rng: random.Random) -> Response:
        """The response to a request for the target, a path with perhaps a query."""
        publisher, path = self.publisher, urlsplit(target).path
        if path in _FILES:
            return Response(render(path[1:], publisher=publisher), _FILES[path])
        if path.startswith("/images/"):
            return picture(path)
        if path == publisher.paths["pdf"]:
            return Response(static_file("leaflet.pdf"), "application/pdf")
        if path == publisher.paths["empty"]:
            return Response(b"")
        if path == self.copy_path:
            return Response(render("print.html", publisher=publisher, article=self.copied))
        kind, page = self._find(target)
        # What changes with each load of a page.
        others = [article for article in publisher.articles if article.path != path]
        body = render(
            f"{publisher.key}{'_redesign' if redesigned else ''}.html",
            publisher=publisher,
            related=rng.sample(others, 4),
            most_read=rng.sample(others, 5),
            adverts=rng.sample(self._adverts, 3),
            **{"article": None, "listing": None} | page,
        )
        return Response(body, status=404 if kind is Kind.MISSING else 200)

    def _find(self, target: str) -> tuple[Kind, dict[str, object]]:
        """The kind of the page at the target, and what its template needs."""
        path = urlsplit(target).path
        if article := self._articles.get(path):
            promo = promo_text(article) if self._promos else ""
            return Kind.ARTICLE, {"article": article, "title": article.headline, "promo": promo}
        if listing := self._listings.get(_listing_key(target)):
            return listing.kind, {"listing": listing, "title": listing.title}
        leaf = self._leaves.get(path)
        if not leaf:
            leaf = _leaf(**self._search if path == "/search" else self._not_found | {"path": path})
        return leaf.kind, {"leaf": leaf, "title": leaf.title}

    def _all_listings(self) -> list[Listing]:
        publisher = self.publisher
        newest = [a for section in publisher.sections for a in publisher.in_section(section)[:3]]
        teasers = self._article_teasers(newest) + self._teasers + self._copy_teaser()
        listings = [Listing(publisher.name, publisher.motto, "/", teasers, Kind.HOME)]
        for number, section in enumerate(publisher.sections):
            listings.extend(self._section_pages(number, section))
        for place in publisher.places:
            about = [article for article in publisher.articles if article.place == place]
            path = publisher.topic_path(place)
            listings.append(self._listing(f"Topic: {place}", path, about, Kind.TOPIC))
        for author in publisher.staff:
            written = [article for article in publisher.articles if author in article.authors]
            path = publisher.author_path(author)
            listings.append(self._listing(author, path, written, Kind.AUTHOR))
        return listings

    def _listing(self, title: str, path: str, articles: list[DemoArticle], kind: Kind) -> Listing:
        intro = f"All stories, newest first: {len(articles)}"
        return Listing(title, intro, path, self._article_teasers(articles), kind)

    def _section_pages(self, number: int, section: Section) -> list[Listing]:
        publisher = self.publisher
        articles = publisher.in_section(section)
        starts = range(0, len(articles), _TEASERS_PER_PAGE)
        form = publisher.paths["section_page"]
        later = (form.format(section=section.path, number=n) for n in range(2, len(starts) + 1))
        paths = (section.path, *later)
        pages: list[Listing] = []
        for current, start in enumerate(starts):
            visible = articles[start : start + _TEASERS_PER_PAGE]
            places = sorted({article.place for article in visible})
            teasers = self._article_teasers(visible)
            if current == 0:
                # Galleries, offers and dead ends among the articles.
                extras = tuple(teaser for teaser in self._teasers if teaser.section == number)
                extras += self._copy_teaser() if number == 2 else ()
                teasers = teasers[:2] + extras + teasers[2:]
            pages.append(
                Listing(
                    section.name,
                    f"{section.name} from {publisher.name}",
                    paths[current],
                    teasers,
                    Kind.SECTION,
                    tuple((place, publisher.topic_path(place)) for place in places),
                    paths,
                    current,
                )
            )
        return pages

    def _article_teasers(self, articles: Iterable[DemoArticle]) -> tuple[Teaser, ...]:
        return tuple(
            Teaser(
                article.headline,
                article.path,
                article.description,
                article.section,
                article.image,
                tuple((author, self.publisher.author_path(author)) for author in article.authors),
            )
            for article in articles
        )

    def _copy_teaser(self) -> tuple[Teaser, ...]:
        copied = self.copied
        return (Teaser(copied.headline, self.copy_path, copied.description, "Again", copied.image),)


def promo_text(article: DemoArticle) -> str:
    """What the Ledger's box in an article says, the same whenever the page is loaded."""
    number, texts = crc32(article.path.encode()), read_publisher("ledger")["promos"]
    text: str = texts[number % len(texts)]
    return text.format(
        place=article.place, readers=40 + number // 7 % 400, minutes=12 + number // 11 % 47
    )


def picture(name: str) -> Response:
    """A seascape whose colours and hills depend on the picture's name."""
    rng = random.Random(name)
    body = render(
        "picture.svg",
        hue=rng.randint(0, 359),
        land=rng.randint(70, 150),
        sea=rng.randint(185, 230),
        hills=[rng.randint(170, 260) for _ in range(9)],
        x=rng.randint(80, 640),
        y=rng.randint(60, 130),
    )
    return Response(body, "image/svg+xml; charset=utf-8")


def render(template: str, **values: object) -> bytes:
    return _environment().get_template(template).render(**values).encode()


def static_file(name: str) -> bytes:
    return template_file("newsclean.demo", name).encode()


@cache
def _environment() -> Environment:
    made = template_environment("newsclean.demo", finalize=_escaped, keep_trailing_newline=True)
    made.filters["json"] = _json
    made.filters["rss_date"] = format_datetime
    return made


def _escaped(value: object) -> Markup:
    """Escape as the standard library does; Jinja itself writes other names of the quotes.

    >>> _escaped("The Gardeners' <Fair>")
    Markup('The Gardeners&#x27; &lt;Fair&gt;')
    """
    return value if isinstance(value, Markup) else Markup(escape(str(value)))


def _json(value: str) -> Markup:
    """JSON in a script; no text in it can end the script element.

    >>> print(_json("Paint & more</script>"))
    "Paint & more\\u003c/script>"
    """
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))


def _leaf(kind: str, **values: Any) -> Leaf:
    return Leaf(kind=Kind(kind), **values)


def _listing_key(target: str) -> str:
    """The target with only those parts of its query that choose a list."""
    parts = urlsplit(target)
    query = parse_qs(parts.query)
    if "name" in query and parts.path == "/tag.php":
        return f"{parts.path}?name={query['name'][0]}"
    page = query.get("page", ["1"])[0]
    return parts.path if page == "1" else f"{parts.path}?page={page}"
