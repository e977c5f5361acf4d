"""Where a page's metadata is read from: head, JSON-LD and visible lines, each read once, and the
habits of its site.

JSON-LD is read as news sites really write it: what can be parsed is parsed. Habits are counts over
neighbors: each page contributes a few facts (`order:day`, `zone:2024-03:+01:00`, `author:annlee`,
`byline:p.by`) and asks for how many of its neighbors some others hold. Only hashes are stored.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import xxhash
from lxml.html import HtmlElement

from newsclean.extraction.text import single_line
from newsclean.urls import base_url, is_front_page, resolve_url, url_key

if TYPE_CHECKING:
    from lxml import etree

# The names of metadata in meta elements, the most trusted first: OpenGraph, Twitter cards, Dublin
# Core, Parse.ly, Sailthru, Highwire (`citation_`), microdata (`itemprop:`, see `MetaTags`) and the
# plain names that content management systems invented.

HEADLINE = (
    "og:title", "twitter:title", "parsely-title", "sailthru.title", "citation_title",
    "dc.title", "dcterms.title", "dc:title", "itemprop:headline", "headline", "title",
)  # fmt: skip
DESCRIPTION = (
    "og:description", "twitter:description", "description", "sailthru.description",
    "dc.description", "dcterms.abstract", "itemprop:description",
)  # fmt: skip
AUTHORS = (
    "article:author", "og:article:author", "article:author_name", "author", "authors",
    "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "dc:creator",
    "dc.contributor", "itemprop:author", "itemprop:author.name", "itemprop:creator",
    "byl", "byline", "cxenseparse:author",
)  # fmt: skip
#: Of library catalogues, which have the last name first.
CITED_AUTHORS = ("citation_author", "citation_authors")
PUBLISHED = (
    "article:published_time", "og:article:published_time", "article:published",
    "og:published_time", "itemprop:datepublished", "parsely-pub-date", "sailthru.date",
    "citation_publication_date", "citation_online_date", "citation_date", "dc.date.issued",
    "dcterms.issued", "dcterms.date", "dc.date.created", "dcterms.created", "dc.date", "dc:date",
    "date", "pubdate", "publishdate", "publish-date", "publish_date", "published", "pub_date",
    "publication_date", "publication-date", "published_time", "datepublished", "date_published",
    "article_date_original", "article.published", "originalpublicationdate", "ptime", "pdate",
    "cxenseparse:recs:publishtime", "article:post_date", "release_date", "itemprop:datecreated",
)  # fmt: skip
MODIFIED = (
    "article:modified_time", "og:updated_time", "article:modified", "itemprop:datemodified",
    "dcterms.modified", "dc.date.modified", "lastmod", "last-modified", "modified", "utime",
    "article.updated", "revised", "datemodified", "date_modified",
)  # fmt: skip
KEYWORDS = (
    "article:tag", "og:article:tag", "news_keywords", "parsely-tags", "sailthru.tags",
    "keywords", "itemprop:keywords", "dc.subject", "dcterms.subject", "citation_keywords",
)  # fmt: skip
SECTION = (
    "article:section", "og:article:section", "og:section", "itemprop:articlesection",
    "parsely-section", "sailthru.section", "prism.section", "article.section", "articlesection",
    "section", "section_name", "section-name", "category",
)  # fmt: skip
IMAGE = (
    "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
    "parsely-image-url", "sailthru.image.full", "itemprop:image", "itemprop:thumbnailurl",
)  # fmt: skip
#: Frameworks that can only write meta elements put whole scripts here.
JSON_LD = ("script:ld+json",)
SITE_NAME = ("og:site_name", "application-name", "dc.publisher", "citation_journal_title")
LANGUAGE = ("og:locale", "content-language", "language", "dc.language", "itemprop:inlanguage")

_MAX_TAGS = 1000  # meta elements
_MAX_SCRIPT = 2_000_000  # characters
_MAX_SALVAGE = 100_000  # of these, after an error
_MAX_NODES = 5_000
_MAX_VALUES = 200
_MAX_TYPES = 50
#: Keys under which a node that describes the page holds others that do.
_PAGE_KEYS = frozenset({"@graph", "mainEntity", "mainEntityOfPage"})
#: Types of articles whose names end neither in `Article` nor in `Posting`.
_POSTINGS = frozenset({"Report", "Review", "CriticReview"})

_DECODER = json.JSONDecoder(strict=False)  # raw newlines and tabs inside strings are common
_WRAPPING = re.compile(r"<!--|-->|(?:/\*|//)?[ \t]{0,4}(?:<!\[CDATA\[|\]\]>)\s*(?:\*/)?")
_BETWEEN = re.compile(r"[\s;,]*")
_STRING_OR_SLIP = re.compile(
    r'"(?:[^"\\]|\\.)*+"?'  # a string is kept except for wrong escapes: it contains no slips
    r"|,(?=\s*[,}\]])"
    r"|/\*.*?(?:\*/|\Z)|//[^\n]*",
    re.S,
)
_WRONG_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.))', re.S)
_PLAIN_FIELD = re.compile(
    r'"(@type|headline|description|datePublished|dateModified|inLanguage|articleSection)"\s*:\s*'
    r'"(.{1,1000}?)"(?=\s*(?:,\s*"|\}|$))',
    re.S,
)

Node = dict[str, object]


MAX_SITE_NAME = 100
_MAX_LINKS = 1000  # with microdata
#: Returns the page's elements of one tag, in document order.
Elements = Callable[[str], Sequence[HtmlElement]]


#: Facts that one page contributes.
MAX_FACTS = 12
#: Neighbors that must agree on the zone of their dates.
_MIN_ZONE_PAGES = 3
_DAY_FIRST, _MONTH_FIRST = "order:day", "order:month"
#: All offsets from UTC that clocks have.
_OFFSETS = tuple(
    f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    for minutes in (*range(-12 * 60, 14 * 60 + 1, 30), 345, 525, 765)
)


class MetaTags:
    """The contents of meta elements by name, property, itemprop and http-equiv.

    Names are compared in lower case. `itemprop` names are kept apart as `itemprop:NAME`: short ones
    such as `name` or `author` mean something else elsewhere.
    """

    def __init__(self, elements: Iterable[HtmlElement]) -> None:
        self._contents: dict[str, list[str]] = {}
        for element in islice(elements, _MAX_TAGS):
            content = element.get("content") or element.get("value")
            if not content or not content.strip():
                continue
            for attribute in ("property", "name", "http-equiv"):
                if name := element.get(attribute):
                    self.add(name, content)
            if name := element.get("itemprop"):
                self.add(f"itemprop:{_microdata_name(element, name)}", content)

    def add(self, name: str, content: str) -> None:
        contents = self._contents.setdefault(name.strip().lower(), [])
        if content not in contents:
            contents.append(content)

    def each(self, *names: str) -> Iterator[str]:
        """Yield the contents of these names, those of the first name first."""
        for name in names:
            yield from self._contents.get(name, ())

    def each_like(self, is_wanted: Callable[[str], bool]) -> Iterator[str]:
        """Yield the contents of all wanted names, in the order of the page."""
        for name, contents in self._contents.items():
            if is_wanted(name):
                yield from contents

    def groups(self, *names: str) -> Iterator[list[str]]:
        """Yield all contents of one name at a time, for names that may appear several times."""
        for name in names:
            if contents := self._contents.get(name):
                yield contents


def _microdata_name(element: HtmlElement, name: str) -> str:
    """Return a name that says whose: `author.name` for the `name` inside an author."""
    if name.strip().lower() != "name":
        return name
    parent = element.getparent()
    role = parent.get("itemprop") if parent is not None else None
    return f"{role}.name" if role else name


@dataclass(frozen=True, slots=True)
class JsonLdScript:
    """A script with JSON-LD."""

    source: str
    #: the JSON values in it
    values: list[object]
    #: whether the script is one JSON value; if not, the values were salvaged
    is_valid: bool


def json_ld_scripts(scripts: Iterable[etree._Element]) -> list[JsonLdScript]:
    """Parse the JSON-LD among a page's `<script>` elements."""
    return [
        parse_json_ld(script.text or "")
        for script in scripts
        if "ld+json" in (script.get("type") or "").lower()
    ]


def parse_json_ld(source: str) -> JsonLdScript:
    """Parse the JSON values in a script's text; never raise.

    >>> parse_json_ld('<!-- {"a": 1,} {"b": "x' + chr(10) + 'y"} -->').values
    [{'a': 1}, {'b': 'x\\ny'}]
    """
    if len(source) > _MAX_SCRIPT:
        return JsonLdScript(source, [], is_valid=False)
    try:
        return JsonLdScript(source, [_DECODER.decode(source)], is_valid=True)
    except (ValueError, RecursionError):
        return JsonLdScript(source, _salvaged(source), is_valid=False)


def _salvaged(source: str) -> list[object]:
    """Return the values of a script that is not valid JSON."""
    text = _WRAPPING.sub(" ", source)
    if '"' not in text and "&quot;" in text:
        text = html.unescape(text)
    values, rest = _decode_all(text)
    if not rest:
        return values
    more, rest = _decode_all(_STRING_OR_SLIP.sub(_mended, rest))
    values += more
    if rest and (fields := dict(reversed(_PLAIN_FIELD.findall(rest[:_MAX_SALVAGE])))):
        values.append(fields)
    return values


def _decode_all(text: str) -> tuple[list[object], str]:
    """Return the values that follow each other in a text, and the rest from the first error on."""
    values: list[object] = []
    position = _end_of_gap(text, 0)
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return values, text[position:]
        values.append(value)
        position = _end_of_gap(text, position)
    return values, ""


def _end_of_gap(text: str, position: int) -> int:
    gap = _BETWEEN.match(text, position)
    return gap.end() if gap else position


def _mended(found: re.Match[str]) -> str:
    token = found[0]
    if not token.startswith('"'):
        return ""
    return _WRONG_ESCAPE.sub(lambda e: e[0] if e[1] else e[2], token) if "\\" in token else token


@dataclass(slots=True)
class LinkedData:
    """The JSON-LD nodes that describe the page, each empty if there is none."""

    article: Node = field(default_factory=dict)
    web_page: Node = field(default_factory=dict)
    web_site: Node = field(default_factory=dict)
    breadcrumbs: Node = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    by_id: dict[str, Node] = field(default_factory=dict)

    def values(self, value: object) -> Iterator[str | Node]:
        """Yield the strings and nodes of a value, a list of values, or a reference.

        Numbers become strings: an epoch is a date too.
        """
        pending = [value]
        for _ in range(_MAX_VALUES):
            if not pending:
                return
            current = pending.pop(0)
            if isinstance(current, list):
                pending[:0] = current[:_MAX_VALUES]
            elif isinstance(current, dict):
                reference = current.get("@id")
                known = self.by_id.get(reference) if isinstance(reference, str) else None
                if "@value" in current:
                    pending.insert(0, current["@value"])
                else:
                    yield current if len(current) > 2 or known is None else known
            elif isinstance(current, int | float) and not isinstance(current, bool):
                yield str(current)
            elif isinstance(current, str):
                yield current

    def strings(self, value: object, *keys: str) -> Iterator[str]:
        """Yield the strings of a value; of a node, those under the first of `keys` it has."""
        for item in self.values(value):
            if isinstance(item, str):
                yield item
            else:
                held = next((item[key] for key in keys if item.get(key)), None)
                yield from (text for text in self.values(held) if isinstance(text, str))


def read_linked_data(scripts: Iterable[JsonLdScript], urls: Iterable[str | None]) -> LinkedData:
    """Return the linked data of a page; by its `urls` its article is recognized."""
    data = LinkedData()
    own = {url_key(url) for url in urls if url}
    articles: list[tuple[bool, bool, Node]] = []
    for node, about_page in _nodes(value for script in scripts for value in script.values):
        identity = node.get("@id")
        if isinstance(identity, str) and len(node) > 1:
            data.by_id.setdefault(identity, node)
        names = type_names(node)
        if about_page and len(data.types) < _MAX_TYPES:
            data.types += [name for name in names if name not in data.types]
        if is_article(node):
            matches = bool(own and own & _urls_of(node))
            # An article inside another node is a related one unless it has the page's URL.
            if about_page or matches:
                articles.append((matches, about_page, node))
        elif any(name.endswith("Page") for name in names) and not data.web_page and about_page:
            data.web_page = node
        elif any(name.endswith("WebSite") for name in names) and not data.web_site:
            data.web_site = node
        elif any(name.endswith("BreadcrumbList") for name in names) and not data.breadcrumbs:
            data.breadcrumbs = node
    if articles:
        data.article = max(articles, key=lambda found: found[:2])[2]  # the first of the best
    return data


def _nodes(roots: Iterable[object]) -> Iterator[tuple[Node, bool]]:
    """Yield every node, level by level, and whether it describes the page itself."""
    pending: list[tuple[object, bool]] = [(root, True) for root in roots]
    for number, (value, about_page) in enumerate(pending):
        if number > _MAX_NODES:
            return
        if isinstance(value, list):
            pending += [(item, about_page) for item in value if isinstance(item, dict | list)]
        elif isinstance(value, dict):
            yield value, about_page
            pending += [
                (held, about_page and key in _PAGE_KEYS)
                for key, held in value.items()
                if isinstance(held, dict | list)
            ]


def type_names(node: Node) -> list[str]:
    """Return a node's `@type` values as written."""
    written = node.get("@type")
    listed = written if isinstance(written, list) else [written]
    return [name for name in listed[:20] if isinstance(name, str) and name]


def is_article(node: Node) -> bool:
    """Whether a node is an article or a subtype of one.

    >>> is_article({"@type": "https://schema.org/ReportageNewsArticle"})
    True
    >>> is_article({"@type": ["WebPage", "FAQPage"]})
    False
    """
    short = [re.split(r"[/#:]", name)[-1] for name in type_names(node)]
    return any(name.endswith(("Article", "Posting")) or name in _POSTINGS for name in short) and (
        "JobPosting" not in short
    )


def _urls_of(node: Node) -> set[str]:
    entity = node.get("mainEntityOfPage")
    if isinstance(entity, dict):
        entity = entity.get("@id") or entity.get("url")
    found = {url_key(url) for url in (node.get("url"), node.get("@id"), entity)}
    return found - {""}


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


@dataclass(frozen=True)
class SiteFacts:
    """Habits of a site, counted over the neighbors of a page."""

    #: the number of neighbors
    pages: int = 0
    #: whether 3/4/2024 is in April, None if unknown
    day_first: bool | None = None
    #: the offset of the dates in the page's month, as `+01:00`, if all agree
    zone: str | None = None
    #: how many neighbors have each author, by comparison key
    authors: Mapping[str, int] = field(default_factory=dict)
    #: how many neighbors have their author's name in each slot
    bylines: Mapping[str, int] = field(default_factory=dict)


NO_FACTS = SiteFacts()


def known_facts(
    day_first: bool | None, date: str | None, authors: Sequence[str], slots: Sequence[str] = ()
) -> list[str]:
    """Return the facts that a page contributes: order of dates, zone, authors and their slots."""
    found = [] if day_first is None else [_DAY_FIRST if day_first else _MONTH_FIRST]
    if date is not None and has_offset(date):
        found.append(f"zone:{date[:7]}:{date[-6:]}")
    found += (f"byline:{slot}" for slot in slots)
    return [*found, *(f"author:{key}" for key in authors)][:MAX_FACTS]


def asked_facts(date: str | None, authors: Sequence[str], slots: Sequence[str] = ()) -> list[str]:
    """Return the facts that a page asks about: order of dates, missing zone, names, slots."""
    questions = [_DAY_FIRST, _MONTH_FIRST, *(f"author:{key}" for key in authors)]
    questions += (f"byline:{slot}" for slot in slots)
    if date is not None and "T" in date and not has_offset(date):
        questions += [f"zone:{date[:7]}:{offset}" for offset in _OFFSETS]
    return questions


def fact_hash(name: str) -> int:
    """Return the key under which a fact is counted."""
    return xxhash.xxh3_64_intdigest(f"fact:{name}".encode("utf-8", "surrogatepass"))


def facts_from_counts(counts: Mapping[str, int], pages: int) -> SiteFacts:
    """Return what the counts of the facts that a page asked about mean.

    >>> facts_from_counts({"order:day": 3, "order:month": 0, "author:annlee": 1}, 4).day_first
    True
    """
    day, month = counts.get(_DAY_FIRST, 0), counts.get(_MONTH_FIRST, 0)
    zones = {name: count for name, count in counts.items() if name.startswith("zone:") and count}
    zone = None
    if len(zones) == 1:
        name, count = zones.popitem()
        zone = name.split(":", 2)[2] if count >= _MIN_ZONE_PAGES else None
    return SiteFacts(
        pages,
        None if bool(day) == bool(month) else day > 0,
        zone,
        _counts_of("author:", counts),
        _counts_of("byline:", counts),
    )


def _counts_of(prefix: str, counts: Mapping[str, int]) -> dict[str, int]:
    return {
        name.removeprefix(prefix): count
        for name, count in counts.items()
        if name.startswith(prefix) and count
    }


def has_offset(date: str) -> bool:
    """Whether an ISO 8601 date has an offset from UTC."""
    return "T" in date and date[-6] in "+-"
