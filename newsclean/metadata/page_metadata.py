"""A page's metadata: each field from its sources, in the order of trust."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from lxml.html import HtmlElement

from newsclean.metadata import shown, vocabularies
from newsclean.metadata.dates import date_in_url, first_trusted, iso_date
from newsclean.metadata.headline import choose_headline, front_page_names
from newsclean.metadata.json_ld import JsonLdScript, json_ld_scripts
from newsclean.metadata.language import declared_language
from newsclean.metadata.linked_data import LinkedData, read_linked_data, type_names
from newsclean.metadata.meta_tags import MetaTags
from newsclean.metadata.names import Byline, author_names, first_name_first, host_names
from newsclean.metadata.section import choose_section, sections_in_breadcrumbs
from newsclean.metadata.text import comparison_key, single_line
from newsclean.metadata.urls import is_front_page, resolve_url

#: The tags that `PageMetadata` asks for.
TAGS = ("html", "base", "title", "meta", "link", "script", "h1", "time", *shown.TAGS)

MAX_DESCRIPTION = 1000
MAX_SITE_NAME = 100
MAX_KEYWORD = 80
MAX_KEYWORDS = 50
MAX_KEYWORD_LIST = 10_000
MAX_TYPE = 100
MAX_TYPES = 50
MAX_DATELINE = 100
MAX_LINKS = 1000  # with microdata
MAX_ELEMENTS = 50  # of h1 and time; more is a listing

FIELDS = (
    "canonical_url", "headline", "description", "authors", "date_published", "date_modified",
    "language", "image", "keywords", "section", "site_name", "types",
)  # fmt: skip

Elements = Callable[[str], Sequence[HtmlElement]]


class PageMetadata:
    """What a page says about its article; each field is read when it is first asked for.

    `elements(tag)` gives the page's elements of one tag in document order. `json_ld` are the
    page's JSON-LD scripts, where somebody has parsed them already. What the page does not say is
    None or empty.
    """

    def __init__(
        self,
        elements: Elements,
        url: str | None = None,
        json_ld: Sequence[JsonLdScript] | None = None,
    ) -> None:
        self._elements = elements
        self._url = url
        self._json_ld = json_ld

    def as_dict(self) -> dict[str, str | list[str] | None]:
        """All fields."""
        return {name: getattr(self, name) for name in FIELDS}

    @cached_property
    def canonical_url(self) -> str | None:
        """The address that the page calls its own."""
        return self._canonical_in_head or _first_url(self._article_urls(), self._base)

    @cached_property
    def headline(self) -> str | None:
        article, meta = self._data.article, self._meta
        first, *others = vocabularies.HEADLINE
        named = [*self._data.strings(article.get("headline")), *meta.each(first)]
        named += [*self._data.strings(article.get("name")), *meta.each(*others)]
        h1 = ["".join(element.itertext()) for element in islice(self._elements("h1"), MAX_ELEMENTS)]
        title = next(("".join(element.itertext()) for element in self._elements("title")), "")
        sites = [*self._own_names, *front_page_names(self._elements("a"), self._base)]
        return choose_headline(named, h1, title, sites)

    @cached_property
    def description(self) -> str | None:
        values = [*self._linked("description"), *self._meta.each(*vocabularies.DESCRIPTION)]
        texts = (single_line(value, MAX_DESCRIPTION) for value in values)
        return next(filter(None, texts), None)

    @cached_property
    def authors(self) -> list[str]:
        """The names of the first source that names more than the site itself."""
        fallback: list[str] = []
        own = {comparison_key(name) for name in self._own_names}
        for bylines in self._bylines():
            found = author_names(bylines, self._own_names)
            if any(comparison_key(name) not in own for name in found):
                return found
            fallback = fallback or found
        return fallback

    @cached_property
    def shown_authors(self) -> list[str]:
        """The names that the page itself shows in a byline, whatever its head says."""
        return shown.shown_authors(self._elements)

    @cached_property
    def date_published(self) -> str | None:
        """ISO 8601: `2024-03-01T09:30:00+01:00`, without zone or time where the page has none."""
        return first_trusted(self._published())

    @cached_property
    def date_modified(self) -> str | None:
        """ISO 8601, as `date_published`."""
        return first_trusted(self._modified())

    @cached_property
    def language(self) -> str | None:
        """The declared language, as primary subtag in lower case: `pt` for `pt-BR`."""
        return declared_language(self._languages())

    @cached_property
    def image(self) -> str | None:
        return _first_url(self._images(), self._base)

    @cached_property
    def keywords(self) -> list[str]:
        linked = list(self._data.strings(self._data.article.get("keywords"), "name"))
        for group in [linked, *self._meta.groups(*vocabularies.KEYWORDS)]:
            # A single value is a list in itself; of several, each is one keyword.
            listed = group if len(group) > 1 else _split_list(group)
            words = [word for word in (single_line(text, MAX_KEYWORD) for text in listed) if word]
            if words:
                by_key = {comparison_key(word) or word: word for word in words}
                return list(by_key.values())[:MAX_KEYWORDS]
        return []

    @cached_property
    def section(self) -> str | None:
        """The section of the site in which the article appears."""
        others = [*self._own_names, self.headline or ""]
        return choose_section(self._sections(), (self._url, self._canonical_in_head), others)

    @cached_property
    def site_name(self) -> str | None:
        return self._site_names[0] if self._site_names else None

    @cached_property
    def types(self) -> list[str]:
        """The JSON-LD `@type` values of the page itself, then `og:type`, as written."""
        written = [*self._data.types[:MAX_TYPES], *self._meta.each("og:type")]
        return [name for name in (single_line(text, MAX_TYPE) for text in written) if name]

    # The sources, each read once.

    @cached_property
    def _base(self) -> str | None:
        hrefs = (element.get("href") for element in self._elements("base"))
        return _first_url(hrefs, self._url) or self._url

    @cached_property
    def _links(self) -> Sequence[HtmlElement]:
        return self._elements("link")

    @cached_property
    def _meta(self) -> MetaTags:
        meta = MetaTags(self._elements("meta"))
        for link in self._links[:MAX_LINKS]:
            if name := link.get("itemprop"):
                meta.add(f"itemprop:{name}", link.get("href") or "")
        return meta

    @cached_property
    def _canonical_in_head(self) -> str | None:
        links = [
            link.get("href") or ""
            for link in self._links
            if "canonical" in (link.get("rel") or "").lower().split()
        ]
        for value in [*links, *self._meta.each("og:url")]:
            found = resolve_url(value, self._base)
            # A template's mistake: all pages of the site name its front page.
            if found and not (is_front_page(found) and self._url and not is_front_page(self._url)):
                return found
        return None

    @cached_property
    def _data(self) -> LinkedData:
        scripts = self._json_ld
        if scripts is None:
            scripts = json_ld_scripts(self._elements("script"))
        return read_linked_data(scripts, (self._url, self._canonical_in_head))

    @cached_property
    def _site_names(self) -> list[str]:
        values = [
            *self._meta.each(*vocabularies.SITE_NAME),
            *self._data.strings(self._data.article.get("publisher"), "name"),
            *self._data.strings(self._data.web_site.get("name")),
        ]
        return [name for name in (single_line(value, MAX_SITE_NAME) for value in values) if name]

    @cached_property
    def _own_names(self) -> list[str]:
        return [*self._site_names, *host_names(self._canonical_in_head or self._url)]

    @cached_property
    def _shown_dates(self) -> tuple[str | None, str | None]:
        return shown.shown_dates(self._elements)

    def _linked(self, *keys: str, of_node: tuple[str, ...] = ()) -> Iterator[str]:
        """What the JSON-LD says under these keys of the article, then of its WebPage."""
        for work in (self._data.article, self._data.web_page):
            for key in keys:
                yield from self._data.strings(work.get(key), *of_node)

    def _article_urls(self) -> Iterator[str]:
        for key in ("url", "mainEntityOfPage"):
            yield from self._data.strings(self._data.article.get(key), "@id", "url")

    def _bylines(self) -> Iterator[list[Byline]]:
        for key in ("author", "creator"):
            yield [
                Byline(text, organisation="Organization" in "".join(kinds))
                for value in self._data.values(self._data.article.get(key))
                for kinds in [type_names(value) if isinstance(value, dict) else []]
                for text in self._data.strings(value, "name", "alternateName")
            ]
        yield [Byline(first_name_first(text)) for text in self._meta.each("citation_author")]
        for contents in self._meta.groups(*vocabularies.AUTHORS):
            yield [Byline(text) for text in contents]
        yield [Byline(name) for name in self.shown_authors]

    def _published_in_head(self) -> Iterator[object]:
        yield from self._linked("datePublished")
        yield from self._meta.each(*vocabularies.PUBLISHED)

    def _published(self) -> Iterator[object]:
        yield from self._published_in_head()
        yield from _times(self._elements("time"))
        yield from map(date_in_url, (self._url, self._canonical_in_head))
        yield self._shown_dates[0]
        yield from self._linked("dateCreated", "uploadDate")

    def _modified(self) -> Iterator[object]:
        yield from self._linked("dateModified")
        yield from self._meta.each(*vocabularies.MODIFIED)
        if first_trusted(self._published_in_head()) is None:
            yield self._shown_dates[1]  # looked for anyway

    def _languages(self) -> Iterator[object]:
        for element in self._elements("html"):
            yield element.get("lang") or element.get("xml:lang")
        yield from self._meta.each(*vocabularies.LANGUAGE)
        yield from self._linked("inLanguage", of_node=("alternateName", "name"))

    def _sections(self) -> Iterator[object]:
        yield from self._linked("articleSection", of_node=("name",))
        yield from self._meta.each(*vocabularies.SECTION)
        own = [url for url in (self._url, self._canonical_in_head) if url]
        yield from sections_in_breadcrumbs(self._data, own, self._base)

    def _images(self) -> Iterator[object]:
        yield from self._linked("image", "thumbnailUrl", of_node=("url", "contentUrl", "@id"))
        yield from self._meta.each(*vocabularies.IMAGE)


def _first_url(values: Iterable[object], base: str | None) -> str | None:
    return next((found for value in values if (found := resolve_url(value, base))), None)


def _times(elements: Iterable[HtmlElement]) -> list[str]:
    """The dates of the time elements, those that say they are the publication's first.

    One whose text alone says that it is an update's comes last: the page may have no other.
    """
    marked: list[str] = []
    plain: list[str] = []
    last: list[str] = []
    for element in islice(elements, MAX_ELEMENTS):
        value = element.get("datetime") or element.get("content") or ""
        role = f"{element.get('itemprop') or ''} {element.get('class') or ''}".lower()
        written = iso_date(value) is None
        if written:
            value = "".join(element.itertext())
        if "publi" in role or element.get("pubdate") is not None:
            marked.append(value)
        elif "modif" not in role and "updat" not in role:
            updated = written and "updat" in value[:MAX_DATELINE].lower()
            (last if updated else plain).append(value)
    return marked + plain + last


def _split_list(group: list[str]) -> list[str]:
    return [word for text in group for word in text[:MAX_KEYWORD_LIST].replace(";", ",").split(",")]
