"""A page's metadata: each field from its sources, in the order of trust."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from lxml.html import HtmlElement

from newsclean.extraction.metadata import site_facts
from newsclean.extraction.metadata import visible_lines as shown
from newsclean.extraction.metadata.authors import AuthorFields
from newsclean.extraction.metadata.bylines import host_names, signed_by
from newsclean.extraction.metadata.date_fields import DateFields
from newsclean.extraction.metadata.headline import MAX_HEADLINE, HeadlineFields, Lines
from newsclean.extraction.metadata.language import declared_language
from newsclean.extraction.metadata.section import (
    FREE_NAMES,
    PAID_NAMES,
    choose_keywords,
    choose_section,
    free_access,
    sections_in_breadcrumbs,
)
from newsclean.extraction.metadata.site_facts import NO_FACTS, SiteFacts
from newsclean.extraction.metadata.structured_data import (
    DESCRIPTION,
    IMAGE,
    JSON_LD,
    KEYWORDS,
    LANGUAGE,
    SECTION,
    SITE_NAME,
    JsonLdScript,
    LinkedData,
    MetaTags,
    json_ld_scripts,
    parse_json_ld,
    read_linked_data,
)
from newsclean.extraction.metadata.visible_lines import dates_in
from newsclean.text import single_line
from newsclean.urls import is_front_page, resolve_url

# What a page's metadata is read from: its head and its JSON-LD, each read once.

_MAX_SITE_NAME = 100
_MAX_LINKS = 1000  # with microdata

_Elements = Callable[[str], Sequence[HtmlElement]]


@dataclass(frozen=True, eq=False)
class PageSources:
    """The sources of one page; what its neighbors tell does not change them."""

    #: the page's elements of one tag, in document order
    elements: _Elements
    url: str | None
    #: the page's JSON-LD, if somebody has parsed it already
    json_ld: Sequence[JsonLdScript] | None
    #: what the page shows, line by line
    lines: Callable[[], Lines]

    @cached_property
    def base(self) -> str | None:
        """What the addresses of the page are relative to."""
        hrefs = (element.get("href") for element in self.elements("base"))
        return _first_url(hrefs, self.url) or self.url

    @cached_property
    def links(self) -> Sequence[HtmlElement]:
        return self.elements("link")

    @cached_property
    def meta(self) -> MetaTags:
        meta = MetaTags(self.elements("meta"))
        for link in self.links[:_MAX_LINKS]:
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
        in_meta = map(parse_json_ld, self.meta.each(*JSON_LD))
        return read_linked_data([*scripts, *in_meta], (self.url, self.canonical_in_head))

    @cached_property
    def site_names(self) -> list[str]:
        """What the site calls itself."""
        values = [
            *self.meta.each(*SITE_NAME),
            *self.data.strings(self.data.article.get("publisher"), "name"),
            *self.data.strings(self.data.web_site.get("name")),
        ]
        return [name for name in (single_line(value, _MAX_SITE_NAME) for value in values) if name]

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
        yield from self.meta.each(*LANGUAGE)
        yield from self.linked("inLanguage", of_node=("alternateName", "name"))


def _first_url(values: Iterable[object], base: str | None) -> str | None:
    """The first of some values that is an address, made absolute."""
    return next((found for value in values if (found := resolve_url(value, base))), None)


#: The tags that `PageMetadata` asks for.
TAGS = ("html", "base", "title", "meta", "link", "script", "h1", "time", "li", "abbr", *shown.TAGS)

_MAX_DESCRIPTION = 1000
_MAX_TYPE = 100
_MAX_TYPES = 50

FIELDS = (
    "canonical_url", "headline", "description", "authors", "date_published", "date_modified",
    "language", "image", "keywords", "section", "site_name", "types", "kicker", "lead",
    "publisher", "free_access",
)  # fmt: skip

#: What neighbors do not change.
_SHARED = (
    "_sources", "_headlines", "_small", "description", "section", "keywords", "language",
    "image", "canonical_url", "site_name", "publisher", "free_access", "types", "shown_authors",
)  # fmt: skip


class PageMetadata:
    """What a page says about its article; each field is read when it is first asked for.

    `elements(tag)` gives the page's elements of one tag in document order. `json_ld` are the
    page's JSON-LD scripts, where somebody has parsed them already. `lines()` gives what the page
    shows, line by line; `facts` are what its neighbors tell. What the page does not say is None or
    empty.
    """

    def __init__(
        self,
        elements: _Elements,
        url: str | None = None,
        json_ld: Sequence[JsonLdScript] | None = None,
        lines: Callable[[], Lines] = Lines,
        facts: SiteFacts = NO_FACTS,
    ) -> None:
        self._sources = PageSources(elements, url, json_ld, lines)
        self._facts = facts

    def as_dict(self) -> dict[str, str | list[str] | bool | None]:
        """All fields."""
        return {name: getattr(self, name) for name in FIELDS}

    def with_facts(self, facts: SiteFacts) -> "PageMetadata":
        """The same page, read with what its neighbors tell; what was read already is not again."""
        if facts == self._facts:
            return self
        sources = self._sources
        other = PageMetadata(sources.elements, sources.url, sources.json_ld, sources.lines, facts)
        read = vars(self)
        vars(other).update({name: read[name] for name in _SHARED if name in read})
        for name in ("_authors", "_dates"):
            if name in read:
                vars(other)[name] = read[name].with_facts(facts)
        return other

    def with_lines(
        self, headline: str | None = None, byline: str | None = None, date: str | None = None
    ) -> "PageMetadata":
        """The same page, where somebody knows which lines have headline, byline and date.

        A line in which no name, or no date, is found changes nothing.
        """
        known: dict[str, object] = {}
        if headline and (text := single_line(headline, MAX_HEADLINE)):
            known["headline"] = text
        if byline and (names := signed_by(byline)):
            known["authors"] = names
        if date:
            found = dates_in(date, self._dates.day_first)
            if day := found.published or found.updated:
                known |= {"date_published": day, "date_source": "correction"}
        if not known:
            return self
        sources = self._sources
        other = PageMetadata(
            sources.elements, sources.url, sources.json_ld, sources.lines, self._facts
        )
        vars(other).update(vars(self) | known)
        return other

    @property
    def known_facts(self) -> list[str]:
        """What the page teaches of its site."""
        dates = self._dates
        date = None if dates.in_head is None else dates.in_head.date
        authors = self._authors
        return site_facts.known(dates.day_first_on_page, date, authors.candidates, authors.slots)

    @property
    def asked_facts(self) -> list[str]:
        """What the page asks its neighbors."""
        authors = self._authors
        return site_facts.asked(self.date_published, authors.asked_names, authors.asked_slots)

    @cached_property
    def canonical_url(self) -> str | None:
        """The address that the page calls its own."""
        return self._sources.canonical_in_head or _first_url(
            self._article_urls(), self._sources.base
        )

    @cached_property
    def headline(self) -> str | None:
        """The headline without its kicker and without the site's name."""
        return self._headlines.headline

    @property
    def kicker(self) -> str | None:
        """The words above or before the headline: a topic, a place, a series."""
        return self._headlines.kicker

    @property
    def lead(self) -> str | None:
        """The lead, or standfirst, that the page shows below its headline."""
        return self._headlines.lead

    @cached_property
    def description(self) -> str | None:
        values = [
            *self._sources.linked("description"),
            *self._sources.meta.each(*DESCRIPTION),
        ]
        texts = (single_line(value, _MAX_DESCRIPTION) for value in values)
        return next(filter(None, texts), None)

    @cached_property
    def authors(self) -> list[str]:
        """The people who wrote it; else a team or house that signed."""
        return self._authors.names

    @cached_property
    def shown_authors(self) -> list[str]:
        """The names that the page itself shows in a byline, whatever its head says."""
        return self._authors.shown

    @cached_property
    def date_published(self) -> str | None:
        """ISO 8601: `2024-03-01T09:30:00+01:00`, without zone or time where the page has none."""
        found = self._dates.published
        return None if found is None else found.date

    @cached_property
    def date_source(self) -> str | None:
        """Where `date_published` comes from: `json-ld`, `meta`, `microdata`, `time`, `address`,
        `shown`, `script`, or `update` where the page only says when it was changed."""
        found = self._dates.published
        return None if found is None else found.source

    @property
    def is_zone_of_site(self) -> bool:
        """Whether `date_published` has its zone from the site's other pages."""
        return self._dates.is_zone_of_site

    @cached_property
    def date_modified(self) -> str | None:
        """ISO 8601, as `date_published`."""
        return self._dates.modified

    @cached_property
    def language(self) -> str | None:
        """The declared language, as primary subtag in lower case: `pt` for `pt-BR`."""
        return declared_language(self._sources.languages())

    @cached_property
    def image(self) -> str | None:
        return _first_url(self._images(), self._sources.base)

    @cached_property
    def keywords(self) -> list[str]:
        linked = list(
            self._sources.data.strings(self._sources.data.article.get("keywords"), "name")
        )
        return choose_keywords([linked, *self._sources.meta.groups(*KEYWORDS)])

    @cached_property
    def section(self) -> str | None:
        """The section of the site in which the article appears."""
        others = [*self._sources.own_names, self.headline or ""]
        return choose_section(
            self._sections(), (self._sources.url, self._sources.canonical_in_head), others
        )

    @cached_property
    def site_name(self) -> str | None:
        return self._sources.site_names[0] if self._sources.site_names else None

    @cached_property
    def publisher(self) -> str | None:
        """Who publishes the article, else what the site calls itself."""
        named = self._sources.data.strings(self._sources.data.article.get("publisher"), "name")
        names = (single_line(value, _MAX_SITE_NAME) for value in named)
        return next(filter(None, names), None) or self.site_name

    @cached_property
    def free_access(self) -> bool | None:
        """Whether it can be read without paying; None where the page does not say."""
        works = (self._sources.data.article, self._sources.data.web_page)
        free = [work["isAccessibleForFree"] for work in works if "isAccessibleForFree" in work]
        meta = self._sources.meta
        return free_access([*free, *meta.each(*FREE_NAMES)], meta.each(*PAID_NAMES))

    @cached_property
    def types(self) -> list[str]:
        """The JSON-LD `@type` values of the page itself, then `og:type`, as written."""
        written = [*self._sources.data.types[:_MAX_TYPES], *self._sources.meta.each("og:type")]
        return [name for name in (single_line(text, _MAX_TYPE) for text in written) if name]

    # The sources, each read once.

    @cached_property
    def _small(self) -> shown.SmallElements:
        return shown.SmallElements(self._sources.elements)

    @cached_property
    def _headlines(self) -> HeadlineFields:
        return HeadlineFields(
            self._sources.elements,
            self._sources.meta,
            self._sources.data,
            self._sources.own_names,
            self._sources.base,
            self._sources.lines,
        )

    @cached_property
    def _authors(self) -> AuthorFields:
        return AuthorFields(
            self._small,
            self._sources.meta,
            self._sources.data,
            self._sources.own_names,
            self._sources.lines,
            self._headlines.area,
            self._facts,
        )

    @cached_property
    def _dates(self) -> DateFields:
        return DateFields(
            self._sources.elements,
            self._small,
            self._sources.meta,
            self._sources.data,
            (self._sources.url, self._sources.canonical_in_head),
            self._sources.languages,
            self._sources.lines,
            self._headlines.area,
            self._facts,
        )

    def _article_urls(self) -> Iterator[str]:
        for key in ("url", "mainEntityOfPage"):
            yield from self._sources.data.strings(self._sources.data.article.get(key), "@id", "url")

    def _sections(self) -> Iterator[object]:
        yield from self._sources.linked("articleSection", of_node=("name",))
        yield from self._sources.meta.each(*SECTION)
        own = [url for url in (self._sources.url, self._sources.canonical_in_head) if url]
        yield from sections_in_breadcrumbs(self._sources.data, own, self._sources.base)

    def _images(self) -> Iterator[object]:
        yield from self._sources.linked(
            "image", "thumbnailUrl", of_node=("url", "contentUrl", "@id")
        )
        yield from self._sources.meta.each(*IMAGE)
