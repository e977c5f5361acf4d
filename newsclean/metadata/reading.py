"""One look at a page's metadata: each field from its sources, in the order of trust."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from newsclean.metadata import shown, vocabularies
from newsclean.metadata.dates import date_in_url, first_trusted, iso_date
from newsclean.metadata.headline import choose_headline, home_names
from newsclean.metadata.json_ld import LinkedData, read_linked_data, type_names
from newsclean.metadata.language import declared_language
from newsclean.metadata.meta_tags import MetaTags
from newsclean.metadata.names import Byline, names
from newsclean.metadata.record import Metadata
from newsclean.metadata.text import fold, sameness
from newsclean.metadata.urls import absolute, is_home

TAGS = ("html", "base", "title", "meta", "link", "script", "h1", "time", *shown.TAGS)
"""The tags that `read_metadata` asks for."""

MAX_DESCRIPTION = 1000
MAX_SITE_NAME = 100
MAX_KEYWORD = 80
MAX_KEYWORDS = 50
MAX_KEYWORD_LIST = 10_000
MAX_TYPE = 100
MAX_TYPES = 50
MAX_DATELINE = 100
MAX_ELEMENTS = 50  # of h1 and time; more is a listing

Elements = Callable[[str], Sequence[HtmlElement]]


def read_metadata(elements: Elements, url: str | None = None) -> Metadata:
    """Read what a page says about its article.

    `elements(tag)` returns the page's elements of one tag in document order.
    """
    return _Reading(elements, url).metadata()


def read_headline_and_authors(elements: Elements, url: str | None = None) -> Metadata:
    """Read only what a body must be told from: for those who want no more than the text."""
    reading = _Reading(elements, url)
    return Metadata(headline=reading.headline(), authors=reading.authors())


class _Reading:
    """The sources of one page, each read once."""

    def __init__(self, elements: Elements, url: str | None) -> None:
        self.elements = elements
        self.url = url
        hrefs = (element.get("href") for element in elements("base"))
        self.base = _first_url(hrefs, url) or url
        self.meta = MetaTags(elements("meta"))
        self.canonical = self._canonical()
        self.data = self._linked_data()
        self.site_names = self._site_names()
        self.own_names = [*self.site_names, *_host_names(self.canonical or url)]

    def metadata(self) -> Metadata:
        return Metadata(
            canonical_url=self.canonical or _first_url(self._article_urls(), self.base),
            headline=self.headline(),
            description=self._description(),
            authors=self.authors(),
            date_published=first_trusted(self._published()),
            date_modified=first_trusted(self._modified()),
            language=declared_language(self._languages()),
            image=_first_url(self._images(), self.base),
            keywords=self._keywords(),
            site_name=self.site_names[0] if self.site_names else None,
            types=self._types(),
        )

    def _canonical(self) -> str | None:
        canonical = []
        for link in self.elements("link"):
            href = link.get("href") or ""
            if "canonical" in (link.get("rel") or "").lower().split():
                canonical.append(href)
            if name := link.get("itemprop"):
                self.meta.add(f"itemprop:{name}", href)
        for value in [*canonical, *self.meta.each("og:url")]:
            found = absolute(value, self.base)
            # A template's mistake: all pages of the site name its front page.
            if found and not (is_home(found) and self.url and not is_home(self.url)):
                return found
        return None

    def _linked_data(self) -> LinkedData:
        scripts = (
            script.text or ""
            for script in self.elements("script")
            if "ld+json" in (script.get("type") or "").lower()
        )
        return read_linked_data(scripts, (self.url, self.canonical))

    def _site_names(self) -> list[str]:
        values = [
            *self.meta.each(*vocabularies.SITE_NAME),
            *self.data.strings(self.data.article.get("publisher"), "name"),
            *self.data.strings(self.data.web_site.get("name")),
        ]
        return [name for name in (fold(value, MAX_SITE_NAME) for value in values) if name]

    def _linked(self, *keys: str, of_node: tuple[str, ...] = ()) -> Iterator[str]:
        """Yield what the JSON-LD says under these keys of the article, then of its WebPage."""
        for work in (self.data.article, self.data.web_page):
            for key in keys:
                yield from self.data.strings(work.get(key), *of_node)

    def _article_urls(self) -> Iterator[str]:
        for key in ("url", "mainEntityOfPage"):
            yield from self.data.strings(self.data.article.get(key), "@id", "url")

    def headline(self) -> str | None:
        article, meta = self.data.article, self.meta
        first, *others = vocabularies.HEADLINE
        named = [*self.data.strings(article.get("headline")), *meta.each(first)]
        named += [*self.data.strings(article.get("name")), *meta.each(*others)]
        h1 = ["".join(element.itertext()) for element in islice(self.elements("h1"), MAX_ELEMENTS)]
        title = next(("".join(element.itertext()) for element in self.elements("title")), "")
        sites = [*self.own_names, *home_names(self.elements("a"), self.base)]
        return choose_headline(named, h1, title, sites)

    def _description(self) -> str | None:
        values = [*self._linked("description"), *self.meta.each(*vocabularies.DESCRIPTION)]
        return next((text for value in values if (text := fold(value, MAX_DESCRIPTION))), None)

    def authors(self) -> list[str]:
        """Return the names of the first source that names more than the site itself."""
        fallback: list[str] = []
        own = {sameness(name) for name in self.own_names}
        for bylines in self._bylines():
            found = names(bylines, self.own_names)
            if any(sameness(name) not in own for name in found):
                return found
            fallback = fallback or found
        return fallback

    def _bylines(self) -> Iterator[list[Byline]]:
        for key in ("author", "creator"):
            yield [
                Byline(text, organisation="Organization" in "".join(kinds))
                for value in self.data.values(self.data.article.get(key))
                for kinds in [type_names(value) if isinstance(value, dict) else []]
                for text in self.data.strings(value, "name", "alternateName")
            ]
        yield [Byline(_first_name_first(text)) for text in self.meta.each("citation_author")]
        for contents in self.meta.groups(*vocabularies.AUTHORS):
            yield [Byline(text) for text in contents]
        yield [Byline(name) for name in shown.shown_authors(self.elements)]

    def _published_in_head(self) -> Iterator[object]:
        yield from self._linked("datePublished")
        yield from self.meta.each(*vocabularies.PUBLISHED)

    def _published(self) -> Iterator[object]:
        yield from self._published_in_head()
        yield from _times(self.elements("time"))
        yield from map(date_in_url, (self.url, self.canonical))
        yield self._shown_dates[0]
        yield from self._linked("dateCreated", "uploadDate")

    def _modified(self) -> Iterator[object]:
        yield from self._linked("dateModified")
        yield from self.meta.each(*vocabularies.MODIFIED)
        if first_trusted(self._published_in_head()) is None:
            yield self._shown_dates[1]  # looked for anyway

    @cached_property
    def _shown_dates(self) -> tuple[str | None, str | None]:
        return shown.shown_dates(self.elements)

    def _languages(self) -> Iterator[object]:
        for element in self.elements("html"):
            yield element.get("lang") or element.get("xml:lang")
        yield from self.meta.each(*vocabularies.LANGUAGE)
        yield from self._linked("inLanguage", of_node=("alternateName", "name"))

    def _images(self) -> Iterator[object]:
        yield from self._linked("image", "thumbnailUrl", of_node=("url", "contentUrl", "@id"))
        yield from self.meta.each(*vocabularies.IMAGE)

    def _keywords(self) -> list[str]:
        linked = list(self.data.strings(self.data.article.get("keywords"), "name"))
        for group in [linked, *self.meta.groups(*vocabularies.KEYWORDS)]:
            # A single value is a list in itself; of several, each is one keyword.
            listed = group if len(group) > 1 else _parted(group)
            words = [word for word in (fold(text, MAX_KEYWORD) for text in listed) if word]
            if words:
                return list({sameness(word) or word: word for word in words}.values())[
                    :MAX_KEYWORDS
                ]
        return []

    def _types(self) -> list[str]:
        written = [*self.data.types[:MAX_TYPES], *self.meta.each("og:type")]
        return [name for name in (fold(text, MAX_TYPE) for text in written) if name]


def _first_url(values: Iterable[object], base: str | None) -> str | None:
    return next((found for value in values if (found := absolute(value, base))), None)


def _host_names(url: str | None) -> list[str]:
    """Return `dailynews.co.uk` and `dailynews`: sites sign with their host, too."""
    try:
        host = (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return []
    labels = [label for label in host.split(".")[:-1] if len(label) > 3]
    return [host, *labels] if host else []


def _first_name_first(name: str) -> str:
    """Turn the "Lee, Ann" of library catalogues into "Ann Lee"."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and "," not in first else name


def _times(elements: Iterable[HtmlElement]) -> list[str]:
    """Return the dates of the time elements, those that say they are the publication's first.

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


def _parted(group: list[str]) -> list[str]:
    return [word for text in group for word in text[:MAX_KEYWORD_LIST].replace(";", ",").split(",")]
