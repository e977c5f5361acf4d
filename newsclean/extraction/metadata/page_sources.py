"""Where a page's metadata is read from: head, JSON-LD and visible lines, each read once."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from newsclean.extraction.metadata.structured_data import (
    JSON_LD,
    LANGUAGE,
    SITE_NAME,
    JsonLdScript,
    LinkedData,
    MetaTags,
    json_ld_scripts,
    parse_json_ld,
    read_linked_data,
)
from newsclean.extraction.text import single_line
from newsclean.urls import base_url, is_front_page, resolve_url

MAX_SITE_NAME = 100
_MAX_LINKS = 1000  # with microdata

#: Returns the page's elements of one tag, in document order.
Elements = Callable[[str], Sequence[HtmlElement]]


@dataclass(frozen=True)
class Lines:
    """The visible text of a page, line by line.

    A line is what a reader sees as one: a paragraph, a list item, the text of a small box.
    """

    text: Sequence[str] = ()
    #: which of them are in an h1
    h1: Collection[int] = ()
    #: the slots of a line: its places in the site's template, as far as they are distinctive
    slots: Callable[[int], Collection[str]] = lambda line: ()


@dataclass(frozen=True, eq=False)
class PageSources:
    """The sources of one page, which do not depend on its neighbors."""

    elements: Elements
    url: str | None = None
    #: the page's JSON-LD, if it has been parsed already
    json_ld: Sequence[JsonLdScript] | None = None
    lines: Callable[[], Lines] = Lines

    @cached_property
    def base(self) -> str | None:
        """The URL against which the page's links are resolved."""
        return base_url(self.elements("base"), self.url)

    @property
    def urls(self) -> tuple[str | None, str | None]:
        """The page's own URLs."""
        return self.url, self.canonical_in_head

    @cached_property
    def meta(self) -> MetaTags:
        meta = MetaTags(self.elements("meta"))
        for link in self.elements("link")[:_MAX_LINKS]:
            if name := link.get("itemprop"):
                meta.add(f"itemprop:{name}", link.get("href") or "")
        return meta

    @cached_property
    def canonical_in_head(self) -> str | None:
        links = [
            link.get("href") or ""
            for link in self.elements("link")
            if "canonical" in (link.get("rel") or "").lower().split()
        ]
        for value in [*links, *self.meta.each("og:url")]:
            found = resolve_url(value, self.base)
            # Some templates name the front page on all pages of the site.
            if found and not (is_front_page(found) and self.url and not is_front_page(self.url)):
                return found
        return None

    @cached_property
    def data(self) -> LinkedData:
        scripts = self.json_ld
        if scripts is None:
            scripts = json_ld_scripts(self.elements("script"))
        in_meta = map(parse_json_ld, self.meta.each(*JSON_LD))
        return read_linked_data([*scripts, *in_meta], self.urls)

    @cached_property
    def site_names(self) -> list[str]:
        """What the site calls itself."""
        values = [
            *self.meta.each(*SITE_NAME),
            *self.data.strings(self.data.article.get("publisher"), "name"),
            *self.data.strings(self.data.web_site.get("name")),
        ]
        return [name for name in (single_line(value, MAX_SITE_NAME) for value in values) if name]

    @cached_property
    def own_names(self) -> list[str]:
        """What the site calls itself, and its host: sites sign with that, too."""
        return [*self.site_names, *_host_names(self.canonical_in_head or self.url)]

    def linked(self, *keys: str, of_node: tuple[str, ...] = ()) -> Iterator[str]:
        """Yield what the JSON-LD says under these keys about the article, then its WebPage."""
        for work in (self.data.article, self.data.web_page):
            for key in keys:
                yield from self.data.strings(work.get(key), *of_node)

    def languages(self) -> Iterator[object]:
        """Yield the language tags that the page declares, its own first."""
        for element in self.elements("html"):
            yield element.get("lang") or element.get("xml:lang")
        yield from self.meta.each(*LANGUAGE)
        yield from self.linked("inLanguage", of_node=("alternateName", "name"))


def _host_names(url: str | None) -> list[str]:
    """Return `dailynews.co.uk` and `dailynews`."""
    try:
        host = (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return []
    labels = [label for label in host.split(".")[:-1] if len(label) > 3]
    return [host, *labels] if host else []
