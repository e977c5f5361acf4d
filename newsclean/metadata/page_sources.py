"""What a page's metadata is read from: its head and its JSON-LD, each read once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from lxml.html import HtmlElement

from newsclean.metadata import vocabularies
from newsclean.metadata.headline_area import Lines
from newsclean.metadata.json_ld import JsonLdScript, json_ld_scripts, parse_json_ld
from newsclean.metadata.linked_data import LinkedData, read_linked_data
from newsclean.metadata.meta_tags import MetaTags
from newsclean.metadata.names import host_names
from newsclean.metadata.text import single_line
from newsclean.metadata.urls import is_front_page, resolve_url

MAX_SITE_NAME = 100
MAX_LINKS = 1000  # with microdata

Elements = Callable[[str], Sequence[HtmlElement]]


@dataclass(frozen=True, eq=False)
class PageSources:
    """The sources of one page; what its neighbors tell does not change them."""

    #: the page's elements of one tag, in document order
    elements: Elements
    url: str | None
    #: the page's JSON-LD, if somebody has parsed it already
    json_ld: Sequence[JsonLdScript] | None
    #: what the page shows, line by line
    lines: Callable[[], Lines]

    @cached_property
    def base(self) -> str | None:
        """What the addresses of the page are relative to."""
        hrefs = (element.get("href") for element in self.elements("base"))
        return first_url(hrefs, self.url) or self.url

    @cached_property
    def links(self) -> Sequence[HtmlElement]:
        return self.elements("link")

    @cached_property
    def meta(self) -> MetaTags:
        meta = MetaTags(self.elements("meta"))
        for link in self.links[:MAX_LINKS]:
            if name := link.get("itemprop"):
                meta.add(f"itemprop:{name}", link.get("href") or "")
        return meta

    @cached_property
    def canonical_in_head(self) -> str | None:
        """The address that the head calls the page's own."""
        links = [
            link.get("href") or ""
            for link in self.links
            if "canonical" in (link.get("rel") or "").lower().split()
        ]
        for value in [*links, *self.meta.each("og:url")]:
            found = resolve_url(value, self.base)
            # A template's mistake: all pages of the site name its front page.
            if found and not (is_front_page(found) and self.url and not is_front_page(self.url)):
                return found
        return None

    @cached_property
    def data(self) -> LinkedData:
        scripts = self.json_ld
        if scripts is None:
            scripts = json_ld_scripts(self.elements("script"))
        in_meta = map(parse_json_ld, self.meta.each(*vocabularies.JSON_LD))
        return read_linked_data([*scripts, *in_meta], (self.url, self.canonical_in_head))

    @cached_property
    def site_names(self) -> list[str]:
        """What the site calls itself."""
        values = [
            *self.meta.each(*vocabularies.SITE_NAME),
            *self.data.strings(self.data.article.get("publisher"), "name"),
            *self.data.strings(self.data.web_site.get("name")),
        ]
        return [name for name in (single_line(value, MAX_SITE_NAME) for value in values) if name]

    @cached_property
    def own_names(self) -> list[str]:
        """What the site calls itself, and its host."""
        return [*self.site_names, *host_names(self.canonical_in_head or self.url)]

    def linked(self, *keys: str, of_node: tuple[str, ...] = ()) -> Iterator[str]:
        """What the JSON-LD says under these keys of the article, then of its WebPage."""
        for work in (self.data.article, self.data.web_page):
            for key in keys:
                yield from self.data.strings(work.get(key), *of_node)

    def languages(self) -> Iterator[object]:
        """The languages that the page declares, its own first."""
        for element in self.elements("html"):
            yield element.get("lang") or element.get("xml:lang")
        yield from self.meta.each(*vocabularies.LANGUAGE)
        yield from self.linked("inLanguage", of_node=("alternateName", "name"))


def first_url(values: Iterable[object], base: str | None) -> str | None:
    """The first of some values that is an address, made absolute."""
    return next((found for value in values if (found := resolve_url(value, base))), None)
