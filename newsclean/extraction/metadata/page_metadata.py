"""What a page says about its article: each field from its sources, in the order of trust."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from urllib.parse import unquote, urlsplit

from newsclean.extraction.metadata import page_sources, small_elements
from newsclean.extraction.metadata.authors import AuthorFields
from newsclean.extraction.metadata.bylines import signed_by
from newsclean.extraction.metadata.date_fields import DateFields
from newsclean.extraction.metadata.datelines import dates_in
from newsclean.extraction.metadata.headline import MAX_HEADLINE, HeadlineFields
from newsclean.extraction.metadata.language import declared_language, primary_subtag
from newsclean.extraction.metadata.page_sources import (
    DESCRIPTION,
    IMAGE,
    KEYWORDS,
    MAX_SITE_NAME,
    NO_FACTS,
    SECTION,
    Elements,
    JsonLdScript,
    Lines,
    LinkedData,
    Node,
    PageSources,
    SiteFacts,
)
from newsclean.extraction.text import comparison_key, single_line, visible_text
from newsclean.urls import MAX_URL, is_front_page, resolve_url, url_key

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


#: Folders that hold all articles of a site, whatever their section.
_CONTAINERS = frozenset(
    """
    a ar archive archives article articles artikel articolo articulo amp blog c category content
    d detail details doc e entry id index item m mobile n node p page pages post posts print read
    s section sections show stories story t u v view web www
    """.split()
)
#: What templates write if there is no section.
_EMPTY_VALUES = frozenset({"none", "null", "undefined", "default", "uncategorized", "home"})
_YES = frozenset({"true", "yes", "1", "free"})
_NO = frozenset({"false", "no", "0", "locked", "metered", "premium", "paid"})
#: Meta elements that say that an article is free, and those that say that it is not.
FREE_NAMES = ("article:content_tier", "og:article:content_tier", "isaccessibleforfree",
              "itemprop:isaccessibleforfree", "is_free", "article:free")  # fmt: skip
PAID_NAMES = ("paywall", "has_paywall", "is_paywalled", "premium", "is_premium", "paid_content",
              "article:premium", "article:paywall")  # fmt: skip
#: A longer value is not a name.
_MAX_SECTION = 60
#: Folders of a URL that may be sections; a folder with more words or letters is a headline.
_MAX_FOLDERS = 2
_MAX_FOLDER_WORDS = 3
_MAX_FOLDER_LENGTH = 30
_MAX_CRUMBS = 20
_MAX_KEYWORD = 80
_MAX_KEYWORDS = 50
_MAX_KEYWORD_LIST = 10_000


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
        return page_sources.known_facts(
            dates.day_first_on_page, date, authors.candidates, authors.slots
        )

    @property
    def asked_facts(self) -> list[str]:
        """What the page asks its neighbors."""
        authors = self._authors
        return page_sources.asked_facts(
            self.date_published, authors.asked_names, authors.asked_slots
        )

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


def choose_section(
    named: Iterable[object], urls: Iterable[str | None], other_names: Iterable[str] = ()
) -> str | None:
    """Return the first section that is named, else the one in a URL of the article.

    `other_names` cannot be sections: the site's names and the headline.
    """
    others = _EMPTY_VALUES | {comparison_key(name) for name in other_names}
    lines = (single_line(value, 2 * _MAX_SECTION) for value in named)
    fallback = (_section_in_url(url) for url in urls)
    return next((line for line in lines if _is_name(line, others)), None) or next(
        filter(None, fallback), None
    )


def _is_name(line: str, others: Collection[str]) -> bool:
    """Whether a value is a name, and not a URL, a number or one of `others`."""
    key = comparison_key(line)
    is_short = 0 < len(line) <= _MAX_SECTION
    return is_short and any(map(str.isalpha, key)) and key not in others and "://" not in line


def _section_in_url(url: str | None) -> str | None:
    """Return the folders of a URL that look like sections, up to the first that does not.

    >>> _section_in_url("https://example.org/en/sport/football/2026/03/14/who-won")
    'sport/football'
    >>> _section_in_url("https://example.org/2026/03/14/who-won") is None
    True
    """
    try:
        path = urlsplit((url or "")[:MAX_URL]).path
    except ValueError:
        return None
    *folders, _ = [segment for segment in unquote(path).split("/") if segment] or [""]
    found: list[str] = []
    for folder in folders:
        name = visible_text(folder).strip().lower()
        if not found and (name in _CONTAINERS or _is_language(name)):
            continue
        if len(found) == _MAX_FOLDERS or name in _CONTAINERS or not _is_folder(name):
            break
        found.append(name)
    return "/".join(found) or None


def _is_language(name: str) -> bool:
    """Whether a folder names a language or region: `en`, `pt-br`, `zh_hans`."""
    language, _, region = name.replace("_", "-").partition("-")
    return (len(language) == 2 or bool(region)) and primary_subtag(language) is not None and (
        len(region) in (0, 2, 4)
    )  # fmt: skip


def _is_folder(name: str) -> bool:
    words = name.replace("_", "-").replace(" ", "-").split("-")
    is_short = len(words) <= _MAX_FOLDER_WORDS and len(name) <= _MAX_FOLDER_LENGTH
    return is_short and len(name) > 1 and all(_is_word(word) for word in words)


def _is_word(word: str) -> bool:
    """Whether a word has only letters; to Python, marks on letters are not letters."""
    return bool(word) and not any(sign.isdecimal() or sign in ".,;:@=%&$~+" for sign in word)


def sections_in_breadcrumbs(
    data: LinkedData, own: Iterable[str | None], base: str | None
) -> Iterable[str]:
    """Yield the names in the breadcrumbs, the innermost first.

    The front page is left out, and so is the article, which has one of its `own` URLs or, as the
    last item, none.
    """
    items = [
        item
        for item in data.values(data.breadcrumbs.get("itemListElement"))
        if isinstance(item, dict)
    ][:_MAX_CRUMBS]
    keys = {url_key(url) for url in own if url}
    for place, item in reversed(list(enumerate(items, 1))):
        name, url = _crumb(data, item, base)
        is_article = url_key(url) in keys if url else place == len(items)
        if name and not is_article and not (url and is_front_page(url)):
            yield name


def _crumb(data: LinkedData, item: Node, base: str | None) -> tuple[str, str | None]:
    """Return name and URL of an item, which has them itself or in a node of its own."""
    names = [*data.strings(item.get("name")), *_node_strings(data, item.get("item"), "name")]
    urls = [*data.strings(item.get("item"), "@id", "url"), *data.strings(item.get("url"))]
    return next(iter(names), ""), next(filter(None, (resolve_url(u, base) for u in urls)), None)


def _node_strings(data: LinkedData, value: object, key: str) -> list[str]:
    return [
        text
        for node in data.values(value)
        if isinstance(node, dict)
        for text in data.strings(node.get(key))
    ]


def choose_keywords(groups: Iterable[Sequence[str]]) -> list[str]:
    """Return the keywords of the first group that has any, each once.

    >>> choose_keywords([[], ["Rain, Wind; rain"], ["Weather"]])
    ['rain', 'Wind']
    """
    for group in groups:
        # A single value is a list; of several values, each is one keyword.
        listed = group if len(group) > 1 else _split_list(group)
        words = [word for word in (single_line(text, _MAX_KEYWORD) for text in listed) if word]
        if words:
            by_key = {comparison_key(word) or word: word for word in words}
            return list(by_key.values())[:_MAX_KEYWORDS]
    return []


def _split_list(group: Sequence[str]) -> list[str]:
    return [
        word for text in group for word in text[:_MAX_KEYWORD_LIST].replace(";", ",").split(",")
    ]


def free_access(free: Iterable[object], paid: Iterable[object]) -> bool | None:
    """Return the first clear answer to "free?", else the opposite of the one to "paid?".

    >>> free_access(["http://schema.org/False"], []), free_access([], ["no"]), free_access([""], [])
    (False, True, None)
    """
    for values, meaning in ((free, True), (paid, False)):
        for value in values:
            if (answer := _answer(value)) is not None:
                return answer is meaning
    return None


def _answer(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower().rpartition("/")[2]
    return True if word in _YES else False if word in _NO else None
