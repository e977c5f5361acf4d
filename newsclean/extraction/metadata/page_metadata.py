"""What a page says about its article: each field from its sources, in the order of trust."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from newsclean.extraction.metadata import site_facts, small_elements
from newsclean.extraction.metadata.authors import AuthorFields
from newsclean.extraction.metadata.bylines import signed_by
from newsclean.extraction.metadata.date_fields import DateFields
from newsclean.extraction.metadata.datelines import dates_in
from newsclean.extraction.metadata.headline import MAX_HEADLINE, HeadlineFields
from newsclean.extraction.metadata.language import declared_language
from newsclean.extraction.metadata.page_sources import (
    MAX_SITE_NAME,
    Elements,
    Lines,
    PageSources,
)
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
    KEYWORDS,
    SECTION,
    JsonLdScript,
)
from newsclean.extraction.text import single_line
from newsclean.urls import resolve_url

#: The tags that `PageMetadata` asks for.
TAGS = (
    *("html", "base", "title", "meta", "link", "script", "h1", "time", "li", "abbr"),
    *small_elements.TAGS,
)

_MAX_DESCRIPTION = 1000
_MAX_TYPE = 100
_MAX_TYPES = 50

_FIELDS = (
    "canonical_url", "headline", "description", "authors", "date_published", "date_modified",
    "language", "image", "keywords", "section", "site_name", "types", "kicker", "lead",
    "publisher", "free_access",
)  # fmt: skip

#: What does not depend on the neighbors.
_SHARED = (
    "_sources", "_headlines", "_small", "description", "section", "keywords", "language",
    "image", "canonical_url", "site_name", "publisher", "free_access", "types", "visible_authors",
)  # fmt: skip


class PageMetadata:
    """The metadata of a page; each field is read when it is first asked for.

    `elements(tag)` returns the page's elements of one tag in document order. `json_ld` are the
    page's JSON-LD scripts, if they have been parsed already. `lines()` returns the visible text,
    line by line. A field that the page does not give is None or empty.
    """

    def __init__(
        self,
        elements: Elements,
        url: str | None = None,
        json_ld: Sequence[JsonLdScript] | None = None,
        lines: Callable[[], Lines] = Lines,
    ) -> None:
        self._sources = PageSources(elements, url, json_ld, lines)
        self._facts = NO_FACTS

    def as_dict(self) -> dict[str, str | list[str] | bool | None]:
        return {name: getattr(self, name) for name in _FIELDS}

    def with_facts(self, facts: SiteFacts) -> "PageMetadata":
        """Return the metadata in the light of the neighbors; what does not change is kept."""
        if facts == self._facts:
            return self
        read = vars(self)
        known = {name: read[name] for name in _SHARED if name in read}
        for name in ("_authors", "_dates"):
            if name in read:
                known[name] = read[name].with_facts(facts)
        return _metadata(known | {"_facts": facts})

    def with_lines(
        self, headline: str | None = None, byline: str | None = None, date: str | None = None
    ) -> "PageMetadata":
        """Return the metadata with headline, byline and date from lines that are known.

        A line without a name or a date changes nothing.
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
        return _metadata(vars(self) | known) if known else self

    @property
    def known_facts(self) -> list[str]:
        """What the page tells about its site."""
        dates, authors = self._dates, self._authors
        date = None if dates.in_head is None else dates.in_head.date
        return site_facts.known(dates.day_first_on_page, date, authors.candidates, authors.slots)

    @property
    def asked_facts(self) -> list[str]:
        """What the page asks its neighbors."""
        authors = self._authors
        return site_facts.asked(self.date_published, authors.asked_names, authors.asked_slots)

    @cached_property
    def canonical_url(self) -> str | None:
        sources = self._sources
        article = sources.data.article
        linked = (
            url
            for key in ("url", "mainEntityOfPage")
            for url in sources.data.strings(article.get(key), "@id", "url")
        )
        return sources.canonical_in_head or _first_url(linked, sources.base)

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
        """The lead, or standfirst, below the headline."""
        return self._headlines.lead

    @cached_property
    def description(self) -> str | None:
        sources = self._sources
        values = [*sources.linked("description"), *sources.meta.each(*DESCRIPTION)]
        return next(_single_lines(values, _MAX_DESCRIPTION), None)

    @cached_property
    def authors(self) -> list[str]:
        """The people who wrote the article, else a team or house that signed."""
        return self._authors.names

    @cached_property
    def visible_authors(self) -> list[str]:
        """The names in a visible byline, whatever the head says."""
        return self._authors.visible

    @cached_property
    def date_published(self) -> str | None:
        """ISO 8601: `2024-03-01T09:30:00+01:00`, without zone or time if the page has none."""
        found = self._dates.published
        return None if found is None else found.date

    @cached_property
    def date_source(self) -> str | None:
        """Where `date_published` comes from: `json-ld`, `meta`, `microdata`, `time`, `address`,
        `shown`, `script`, or `update` if the page only tells when it was changed."""
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
        sources = self._sources
        linked = sources.linked("image", "thumbnailUrl", of_node=("url", "contentUrl", "@id"))
        return _first_url([*linked, *sources.meta.each(*IMAGE)], sources.base)

    @cached_property
    def keywords(self) -> list[str]:
        data, meta = self._sources.data, self._sources.meta
        linked = list(data.strings(data.article.get("keywords"), "name"))
        return choose_keywords([linked, *meta.groups(*KEYWORDS)])

    @cached_property
    def section(self) -> str | None:
        """The section of the site in which the article appears."""
        others = [*self._sources.own_names, self.headline or ""]
        return choose_section(self._sections(), self._sources.urls, others)

    @cached_property
    def site_name(self) -> str | None:
        return next(iter(self._sources.site_names), None)

    @cached_property
    def publisher(self) -> str | None:
        """Who publishes the article, else what the site calls itself."""
        data = self._sources.data
        named = data.strings(data.article.get("publisher"), "name")
        return next(_single_lines(named, MAX_SITE_NAME), None) or self.site_name

    @cached_property
    def free_access(self) -> bool | None:
        """Whether the article is free to read, None if the page does not tell."""
        data, meta = self._sources.data, self._sources.meta
        works = (data.article, data.web_page)
        free = [work["isAccessibleForFree"] for work in works if "isAccessibleForFree" in work]
        return free_access([*free, *meta.each(*FREE_NAMES)], meta.each(*PAID_NAMES))

    @cached_property
    def types(self) -> list[str]:
        """The JSON-LD `@type` values of the page itself, then `og:type`, as written."""
        sources = self._sources
        written = [*sources.data.types[:_MAX_TYPES], *sources.meta.each("og:type")]
        return list(_single_lines(written, _MAX_TYPE))

    @cached_property
    def _headlines(self) -> HeadlineFields:
        return HeadlineFields(self._sources)

    @cached_property
    def _small(self) -> small_elements.SmallElements:
        return small_elements.SmallElements(self._sources.elements)

    @cached_property
    def _authors(self) -> AuthorFields:
        return AuthorFields(self._sources, self._small, self._headlines, self._facts)

    @cached_property
    def _dates(self) -> DateFields:
        return DateFields(self._sources, self._small, self._headlines, self._facts)

    def _sections(self) -> Iterator[object]:
        sources = self._sources
        yield from sources.linked("articleSection", of_node=("name",))
        yield from sources.meta.each(*SECTION)
        yield from sections_in_breadcrumbs(sources.data, sources.urls, sources.base)


def _metadata(values: dict[str, object]) -> PageMetadata:
    """Return metadata of which these attributes and cached properties are known."""
    metadata = PageMetadata.__new__(PageMetadata)
    vars(metadata).update(values)
    return metadata


def _single_lines(values: Iterable[object], limit: int) -> Iterator[str]:
    return filter(None, (single_line(value, limit) for value in values))


def _first_url(values: Iterable[object], base: str | None) -> str | None:
    """Return the first value that is a URL, made absolute."""
    return next((found for value in values if (found := resolve_url(value, base))), None)
