"""Link target identification: what a URL alone says of the page at it.

The five features of Identifying Online News Articles (2019): a number or id, a date, a trailing
slash, a reserved word, the length; for one URL, and as counts over the links of a page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from newsclean.articles.model import shipped
from newsclean.articles.reserved_words import ARTICLES, LISTS, MEDIA, is_reserved, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.articles.trees import Value

#: The slides' own article has 84 characters and their advertisement 94: articles are shorter.
MAX_SHORT_URL = 89

#: Below this likelihood a link is surely no article, and not worth a download.
SURELY_NOT = 0.03
#: The least likelihood of an address with a number or a date and no reserved word.
MIN_LIKELIHOOD_IF_NAMED = 0.1
#: From this likelihood on a link is probably an article, and comes first.
LIKELY = 0.5

#: The names of a file that is its folder's.
INDEXES = ("index", "default")

_MONTH = r"(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_DATE = re.compile(
    rf"(?<!\d)(?:19|20)\d\d(?P<joint>[/_.-])(?:{_MONTH})(?:(?P=joint)(?:0?[1-9]|[12]\d|3[01]))?(?!\w)"
    rf"|(?<!\d)(?:0?[1-9]|[12]\d|3[01])(?P<other>[/_.-])(?:{_MONTH})(?P=other)(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19[89]|20[0-4])\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d[0-5]\d(?:\d\d)?)?(?!\d)",
    re.I,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBER = re.compile(r"\d{4,}|(?<=[/=])\d+(?=[/.&]|$)")
_ID = re.compile(r"(?<![a-z0-9])(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,}(?![a-z0-9])", re.I)
_JOINTS = re.compile(r"[-_+. ,]+")
_EXTENSION = re.compile(r"\.(?:[sx]?html?|php\d?|aspx?|jsp|cms|ece|story|amp)$", re.I)


@dataclass(frozen=True)
class LinkTarget:
    """The five features of one URL."""

    number: bool
    date: bool
    slash: bool
    reserved: bool
    length: int


@dataclass(frozen=True)
class LinkTargetCounts:
    """How many of a page's links have each feature; `short` is at most `MAX_SHORT_URL` long."""

    number: int
    date: int
    slash: int
    reserved: int
    short: int


def link_target(url: str) -> LinkTarget:
    """The five features of a URL.

    >>> link_target("https://news.example.org/2019/04/15/politics/mayor-resigns.html")
    LinkTarget(number=False, date=True, slash=False, reserved=False, length=63)
    >>> link_target("https://video.example.org/v/6026408055001/")
    LinkTarget(number=True, date=False, slash=True, reserved=True, length=42)
    """
    address = Address.of(url)
    return LinkTarget(
        number=address.has_number,
        date=address.has_date,
        slash=address.path.endswith("/") and not address.query,
        reserved=bool(address.reserved),
        length=len(url),
    )


def count_link_targets(urls: Iterable[str]) -> LinkTargetCounts:
    """The five features as counts over the links of a page."""
    found = [link_target(url) for url in urls]
    return LinkTargetCounts(
        number=sum(target.number for target in found),
        date=sum(target.date for target in found),
        slash=sum(target.slash for target in found),
        reserved=sum(target.reserved for target in found),
        short=sum(target.length <= MAX_SHORT_URL for target in found),
    )


@dataclass(frozen=True)
class Address:
    """A URL in the parts that its features are read from."""

    host: str
    path: str
    query: str

    @classmethod
    def of(cls, url: str) -> Address:
        """The parts of a URL; one that is not valid has no parts.

        >>> Address.of("https://www.example.org/a/b.html?id=7").path_segments
        ['a', 'b']
        >>> Address.of("http://[").path_segments
        []
        """
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return cls("", "", "")
        return cls(host.removeprefix("www."), unquote(parts.path), unquote(parts.query))

    @property
    def path_segments(self) -> list[str]:
        """The segments of the path, without a file's extension; an index is its folder."""
        path = _EXTENSION.sub("", self.path.rstrip("/"))
        segments = [segment for segment in path.split("/") if segment]
        return segments[:-1] if segments and segments[-1].lower() in INDEXES else segments

    @property
    def has_date(self) -> bool:
        return bool(_DATE.search(self.path) or _DATE.search(self.query))

    @property
    def has_number(self) -> bool:
        """Whether it has a number or an id that is no date and no year."""
        rest = f"{self.path}?{self.query}" if self.query else self.path
        rest = _YEAR.sub("", _DATE.sub("", rest))
        return bool(_NUMBER.search(rest) or _ID.search(rest))

    @property
    def reserved(self) -> list[str]:
        """The segments that are reserved words; the name of the host counts as one."""
        name = self.host.split(".")[0] if self.host.count(".") > 1 else ""
        names = (name, *self.path_segments)
        return [segment for segment in names if segment and is_reserved(segment)]


def address_features(address: Address) -> dict[str, Value]:
    """More than the five features: what trees ask of an address.

    >>> features = address_features(Address.of("https://a.org/sport/2026/03/14/who-won.html"))
    >>> features["path segments"], features["words"], features["date"], features["reserved"]
    (5, 2, 1.0, 'none')
    """
    segments = address.path_segments
    last = segments[-1] if segments else ""
    words = [len([part for part in _JOINTS.split(segment) if part]) for segment in segments]
    reserved = [plain(segment) for segment in address.reserved]
    places = [*address.host.split("."), *segments[:-1]]
    return {
        "path segments": len(segments),
        "words": words[-1] if words else 0,
        "longest segment": max(words, default=0),
        "letters": sum(map(str.isalpha, last)),
        "digits": sum(map(str.isdigit, last)),
        "number": float(address.has_number),
        "date": float(address.has_date),
        "slash": float(address.path.endswith("/")),
        "query": len(address.query),
        "file": float(bool(_EXTENSION.search(address.path))),
        "article": float(any(plain(place) in ARTICLES for place in places)),
        "reserved": _kind_of_reserved(reserved),
        "reserved end": float(bool(last) and is_reserved(last)),
    }


def _kind_of_reserved(words: list[str]) -> str:
    if not words:
        return "none"
    parts = {part for word in words for part in (word, *_JOINTS.split(word))}
    if parts & MEDIA:
        return "media"
    return "list" if parts & LISTS else "service"


def article_likelihood(url: str) -> float:
    """How likely a link leads to an article, from 0 to 1, by its URL alone.

    >>> article_likelihood("https://a.org/2026/03/14/mayor-opens-bridge") > LIKELY
    True
    >>> article_likelihood("https://a.org/video/") < SURELY_NOT
    True
    """
    address = Address.of(url)
    if not address.path_segments and not address.query:
        return 0.0
    features = address_features(address)
    return with_signs_of_an_article(features, shipped()["links"].ensemble.probability(features))


def with_signs_of_an_article(features: dict[str, Value], probability: float) -> float:
    """The probability, raised where an address has a number or a date and no reserved word.

    These are the slides' own signs of an article; such a link is never surely something else.
    """
    named = (features["number"] or features["date"]) and features["reserved"] == "none"
    return max(probability, MIN_LIKELIHOOD_IF_NAMED) if named else probability
