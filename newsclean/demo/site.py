"""A publisher's site: from a path to a response."""

import random
from dataclasses import replace
from html import escape
from urllib.parse import parse_qs, urlsplit

from newsclean.demo.adverts import ADVERTS
from newsclean.demo.feeds import leaflet_pdf, picture_svg, robots_txt, rss_xml, sitemap_xml
from newsclean.demo.gazette import Gazette
from newsclean.demo.gazette_redesign import GazetteRedesign
from newsclean.demo.kinds import Kind
from newsclean.demo.leaves import NOT_FOUND, ODDITIES, fixed_leaves, promoted, search_leaf
from newsclean.demo.ledger import Ledger
from newsclean.demo.ledger_redesign import LedgerRedesign
from newsclean.demo.page import Leaf, Listing, Noise, Teaser, Template, block_html
from newsclean.demo.response import Response
from newsclean.demo.world import DemoArticle, Publisher, Section

TEASERS_PER_PAGE = 6
XML = "application/xml; charset=utf-8"

_TEMPLATES: dict[str, tuple[Template, Template]] = {
    "ledger": (Ledger(), LedgerRedesign()),
    "gazette": (Gazette(), GazetteRedesign()),
}
#: The same with a box in the articles of the Ledger that is not part of them.
_WITH_PROMOS = _TEMPLATES | {"ledger": (Ledger(promos=True), LedgerRedesign())}


class Site:
    """All pages of one publisher."""

    def __init__(self, publisher: Publisher, *, promos: bool = False) -> None:
        self.publisher = publisher
        self._templates = (_WITH_PROMOS if promos else _TEMPLATES)[publisher.key]
        self._articles = {article.path: article for article in publisher.articles}
        self._leaves = {urlsplit(leaf.path).path: leaf for leaf in fixed_leaves(publisher.key)}
        self._files = {
            "/robots.txt": (robots_txt(publisher), "text/plain; charset=utf-8"),
            "/sitemap.xml": (sitemap_xml(publisher), XML),
            "/rss.xml": (rss_xml(publisher), "application/rss+xml; charset=utf-8"),
        }
        self._listings = self._all_listings()

    @property
    def leaf_paths(self) -> tuple[str, ...]:
        """HTML pages that are neither article, section nor home."""
        places = (self.publisher.topic_path(place) for place in self.publisher.places)
        authors = (self.publisher.author_path(author) for author in self.publisher.staff)
        return (*(leaf.path for leaf in self._leaves.values()), *authors, *places)

    @property
    def copied(self) -> DemoArticle:
        """The article that a second address shows too."""
        return self.publisher.in_section(self.publisher.sections[2])[1]

    @property
    def copy_path(self) -> str:
        if self.publisher.key == "ledger":
            return f"/print{self.copied.path}"
        return f"{self.copied.path}?utm_source=frontpage"

    def addressed(self) -> Publisher:
        """The publisher with the addresses of its pages that are no articles."""
        base_url = self.publisher.base_url
        oddities = ODDITIES[self.publisher.key]
        return replace(
            self.publisher,
            non_article_urls=tuple(base_url + path for path in self.leaf_paths),
            forbidden_urls=(f"{base_url}/search",),
            missing_url=base_url + oddities.missing,
            pdf_url=base_url + oddities.pdf,
            empty_url=base_url + oddities.empty,
            copies=((base_url + self.copy_path, self.copied.url),),
        )

    def kind_of(self, target: str) -> Kind:
        """What a request for the target, a path with perhaps a query, leads to."""
        path = urlsplit(target).path
        oddities = ODDITIES[self.publisher.key]
        if path in self._files or path == oddities.pdf or path.startswith("/images/"):
            return Kind.FILE
        if path == oddities.empty:
            return Kind.EMPTY
        if target == self.copy_path:
            return Kind.COPY
        if path in self._articles:
            return Kind.ARTICLE
        if path == "/search":
            return Kind.SEARCH
        found = self._leaves.get(path) or self._listings.get(_listing_key(target))
        return found.kind if found else Kind.MISSING

    def respond(self, target: str, redesigned: bool, rng: random.Random) -> Response:
        """The response to a request for the target, a path with perhaps a query."""
        template = self._templates[redesigned]
        path = urlsplit(target).path
        oddities = ODDITIES[self.publisher.key]
        if path in self._files:
            text, content_type = self._files[path]
            return Response(text.encode(), content_type)
        if path.startswith("/images/"):
            return Response(picture_svg(path).encode(), "image/svg+xml; charset=utf-8")
        if path == oddities.pdf:
            return Response(leaflet_pdf(), "application/pdf")
        if path == oddities.empty:
            return Response(b"")
        if path.startswith("/print/") and path == self.copy_path:
            return Response(self._print_page(self.copied).encode())
        return self._page(target, path, template, self._noise(rng, path))

    def _page(self, target: str, path: str, template: Template, noise: Noise) -> Response:
        publisher = self.publisher
        if article := self._articles.get(path):
            return Response(template.article(publisher, article, noise).encode())
        if leaf := self._leaves.get(path):
            return Response(template.leaf(publisher, leaf, noise).encode())
        if listing := self._listings.get(_listing_key(target)):
            return Response(template.listing(publisher, listing, noise).encode())
        if path == "/search":
            return Response(template.leaf(publisher, search_leaf(), noise).encode())
        lost = Leaf("Page not found", path, NOT_FOUND, Kind.MISSING)
        return Response(template.leaf(publisher, lost, noise).encode(), status=404)

    def _noise(self, rng: random.Random, path: str) -> Noise:
        others = [article for article in self.publisher.articles if article.path != path]
        return Noise(
            related=tuple(rng.sample(others, 4)),
            most_read=tuple(rng.sample(others, 5)),
            adverts=tuple(rng.sample(ADVERTS, 3)),
        )

    def _all_listings(self) -> dict[str, Listing]:
        listings = [self._home()]
        for section in self.publisher.sections:
            listings.extend(self._section_pages(section))
        for place in self.publisher.places:
            about = [article for article in self.publisher.articles if article.place == place]
            listings.append(
                self._listing(
                    f"Topic: {place}", self.publisher.topic_path(place), about, Kind.TOPIC
                )
            )
        for author in self.publisher.staff:
            written = [article for article in self.publisher.articles if author in article.authors]
            path = self.publisher.author_path(author)
            listings.append(self._listing(author, path, written, Kind.AUTHOR))
        return {listing.path: listing for listing in listings}

    def _listing(self, title: str, path: str, articles: list[DemoArticle], kind: Kind) -> Listing:
        intro = f"All stories, newest first: {len(articles)}"
        return Listing(title, intro, path, self._teasers(articles), kind)

    def _home(self) -> Listing:
        publisher = self.publisher
        newest = [
            article
            for section in publisher.sections
            for article in publisher.in_section(section)[:3]
        ]
        extras = tuple(shown.teaser for shown in promoted(publisher.key)) + self._oddities()
        teasers = self._teasers(newest) + extras
        return Listing(publisher.name, publisher.motto, "/", teasers, Kind.HOME)

    def _section_pages(self, section: Section) -> list[Listing]:
        publisher = self.publisher
        articles = publisher.in_section(section)
        starts = range(0, len(articles), TEASERS_PER_PAGE)
        paths = tuple(_numbered(publisher, section, number) for number in range(1, len(starts) + 1))
        pages: list[Listing] = []
        for number, start in enumerate(starts):
            shown = list(articles[start : start + TEASERS_PER_PAGE])
            teasers = self._teasers(shown)
            if number == 0:
                teasers = self._mixed(publisher.sections.index(section), teasers)
            intro = f"{section.name} from {publisher.name}"
            pages.append(
                Listing(
                    section.name,
                    intro,
                    paths[number],
                    teasers,
                    Kind.SECTION,
                    self._topics(shown),
                    paths,
                    current=number,
                )
            )
        return pages

    def _topics(self, articles: list[DemoArticle]) -> tuple[tuple[str, str], ...]:
        places = sorted({article.place for article in articles})
        return tuple((place, self.publisher.topic_path(place)) for place in places)

    def _teasers(self, articles: list[DemoArticle]) -> tuple[Teaser, ...]:
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

    def _mixed(self, index: int, teasers: tuple[Teaser, ...]) -> tuple[Teaser, ...]:
        """Teasers of articles, with galleries, offers and dead ends among them."""
        shown = promoted(self.publisher.key)
        extras = tuple(page.teaser for page in shown if page.section == index)
        extras += self._oddities() if index == 2 else ()
        return teasers[:2] + extras + teasers[2:]

    def _oddities(self) -> tuple[Teaser, ...]:
        oddities = ODDITIES[self.publisher.key]
        copied = self.copied
        image = "/images/1999.svg"
        return (
            Teaser("Notice withdrawn", oddities.missing, "This notice is gone.", "Notice", image),
            Teaser("Rates and formats", oddities.pdf, "All prices as a leaflet.", "PDF", image),
            Teaser("Live ticker", oddities.empty, "Starts again on Monday.", "Live", image),
            Teaser(copied.headline, self.copy_path, copied.description, "Again", copied.image),
        )

    def _print_page(self, article: DemoArticle) -> str:
        """The print variant: the article and nothing else."""
        page = "\n".join(block_html(block, self.publisher.name) for block in article.blocks)
        title = escape(article.headline)
        return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="canonical" href="{escape(article.url)}"><meta name="robots" content="noindex"></head>
<body><h1>{title}</h1>
<p>{escape(", ".join(article.authors))}, {article.date_published}</p>
{page}
</body></html>
"""


def _numbered(publisher: Publisher, section: Section, number: int) -> str:
    """The address of a section's page."""
    if number == 1:
        return section.path
    if publisher.key == "ledger":
        return f"{section.path}/page/{number}"
    return f"{section.path}?page={number}"


def _listing_key(target: str) -> str:
    """The target with only those parts of its query that choose a list."""
    parts = urlsplit(target)
    query = parse_qs(parts.query)
    if "name" in query and parts.path == "/tag.php":
        return f"{parts.path}?name={query['name'][0]}"
    page = query.get("page", ["1"])[0]
    return parts.path if page == "1" else f"{parts.path}?page={page}"
