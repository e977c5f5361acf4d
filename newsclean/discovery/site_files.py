"""Site files: what differs from site to site is data, in TOML.

name = "Example Times"
feeds = ["https://example.org/rss"]           # optional, as all that follows
sitemaps = ["https://example.org/news.xml"]
allow = ["/20\\\\d\\\\d/"]                        # only addresses in which one of these is found
deny = ["/video/"]                            # and none of these
links = "main h2 a"                           # CSS, or XPath that begins with /, of section pages
since = "7d"
delay = 2.5                                   # seconds between two requests to a host

[[section]]
url = "https://example.org/sport"
category = "sport"                            # else the URL's path
pages = 3                                     # else NEWSCLEAN_SECTION_PAGES
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urljoin

from lxml import etree
from parsel.csstranslator import HTMLTranslator

from newsclean.discovery.sources import newest_first
from newsclean.extraction.corrections import SUFFIX, Corrections, CorrectionsError, corrections_path
from newsclean.extraction.corrections.site_corrections import domain_of
from newsclean.files import TomlError, read_toml
from newsclean.text import moment_of
from newsclean.urls import category_of, registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from newsclean.discovery.sources import Entry


# Which articles of a source are wanted: by their age, and how many.

_AGE = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

#: In this much time, a site that is well publishes something.
_MIN_SPAN = timedelta(days=2)


@dataclass(frozen=True)
class Window:
    """The newest articles between two points in time."""

    since: datetime | None = None
    until: datetime | None = None
    limit: int | None = None

    @classmethod
    def of(
        cls, since: str | None = None, until: str | None = None, limit: str | None = None
    ) -> Window:
        """From the arguments of a spider; ValueError for what is not a time or a number.

        >>> Window.of(since="2026-03-14", limit="20").limit
        20
        """
        if limit is not None and (not limit.isdecimal() or int(limit) < 1):
            raise ValueError(f"limit={limit}: it takes a number of articles, 1 or more")
        window = cls(
            _moment("since", since), _moment("until", until), None if limit is None else int(limit)
        )
        if window.since and window.until and window.since >= window.until:
            raise ValueError(f"since={since} is not before until={until}")
        return window

    @property
    def is_narrow(self) -> bool:
        """Whether a site that is well may have no article in it."""
        if self.limit is not None or self.until is not None:
            return True
        return self.since is not None and self.since > datetime.now(UTC) - _MIN_SPAN

    def has(self, moment: datetime | None) -> bool:
        """Whether an article of this time may be wanted; one without a time may be."""
        if moment is None:
            return True
        return (self.since is None or moment >= self.since) and (
            self.until is None or moment < self.until
        )

    def wants(self, entry: Entry) -> bool:
        """Whether an article may be wanted: of a day alone, if any time of it is."""
        moment, latest = entry.moment, entry.latest_moment
        if moment is None or latest is None:
            return True
        return (self.since is None or latest >= self.since) and (
            self.until is None or moment < self.until
        )

    def choose(self, entries: Iterable[Entry]) -> list[Entry]:
        """The wanted entries, the newest first."""
        found = [entry for entry in newest_first(entries) if self.wants(entry)]
        return found[: self.limit]


def main_site(entries: Iterable[Entry]) -> str | None:
    """An address of the site to which most entries lead."""
    by_site = entries_by_site(entries)
    return max(by_site.values(), key=len)[0].url if by_site else None


def entries_by_site(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The entries by the registered domain to which they lead."""
    by_site: dict[str, list[Entry]] = {}
    for entry in entries:
        by_site.setdefault(registered_domain(site_of(entry.url) or ""), []).append(entry)
    return by_site


def _moment(name: str, value: str | None) -> datetime | None:
    """The time of an argument: a date, or an age as in `36h` and `7d`."""
    if value is None:
        return None
    if age := _AGE.fullmatch(value.strip()):
        try:
            return datetime.now(UTC) - timedelta(**{_UNITS[age[2]]: int(age[1])})
        except OverflowError:
            raise ValueError(f"{name}={value}: there was no such time") from None
    moment = moment_of(value.strip())
    if moment is None:
        raise ValueError(f"{name}={value}: it takes a date as 2026-03-14, or an age as 36h or 7d")
    return moment


@dataclass(frozen=True)
class Section:
    url: str
    category: str
    pages: int | None = None


@dataclass(frozen=True)
class SiteFile:
    """Where a crawl of a site begins, and what of it is wanted."""

    name: str = ""
    sections: tuple[Section, ...] = ()
    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    allow: tuple[re.Pattern[str], ...] = ()
    deny: tuple[re.Pattern[str], ...] = ()
    #: XPath of the parts of a section page whose links count
    links: str | None = None
    since: str | None = None
    #: seconds between two requests to a host of the site
    delay: float = 0.0

    @property
    def home(self) -> str:
        """The front page of the site of the first source."""
        return urljoin(self.addresses[0], "/")

    @property
    def addresses(self) -> list[str]:
        return [*(section.url for section in self.sections), *self.feeds, *self.sitemaps]

    @cached_property
    def window(self) -> Window:
        return Window.of(since=self.since)

    def wants(self, entry: Entry) -> bool:
        """Whether an article is among those that the file wants, by its address and its time."""
        return self.allows(entry.url) and self.window.wants(entry)

    def allows(self, url: str) -> bool:
        """Whether an address is among those that the file wants."""
        if any(pattern.search(url) for pattern in self.deny):
            return False
        return not self.allow or any(pattern.search(url) for pattern in self.allow)


_WHERE_TO_START = "say where to start: -a url=https://… or -a site=NAME, one of them"


class SiteFileError(ValueError):
    """A site file that cannot be read or makes no sense."""


def section_at(url: str, category: str | None = None, pages: int | None = None) -> Section:
    """A section by its address."""
    url = web_address(url)
    return Section(url, category or category_of(url), pages)


def web_address(url: str) -> str:
    """An address that somebody has typed, checked."""
    url = url.strip()
    if "://" not in url:
        raise ValueError(f"{url!r} is not a URL: it needs http:// or https://")
    if not url.startswith(("http://", "https://")) or site_of(url) is None:
        raise ValueError(f"{url!r} is not a URL of a web site")
    return url


def site_files(url: str | None, site: str | None, folder: str | Path) -> list[SiteFile]:
    """The sites of `-a url=`, each with the sections that are named, or the files of `-a site=`."""
    urls, names = _listed(url), _listed(site)
    if bool(urls) == bool(names):
        raise ValueError(_WHERE_TO_START)
    if names:
        return [read_site(name, folder) for name in names]
    by_site: dict[str, list[Section]] = {}
    for section in map(section_at, urls):
        by_site.setdefault(registered_domain(site_of(section.url) or ""), []).append(section)
    return [SiteFile(sections=tuple(sections)) for sections in by_site.values()]


def source_file(
    url: str | None, site: str | None, folder: str | Path, kind: Literal["feeds", "sitemaps"]
) -> SiteFile:
    """A site file with the feeds or sitemaps of `-a url=`, or that of `-a site=`."""
    urls = tuple(map(web_address, _listed(url)))
    if bool(urls) == bool(site):
        raise ValueError(_WHERE_TO_START)
    if not site:
        return SiteFile(feeds=urls) if kind == "feeds" else SiteFile(sitemaps=urls)
    file = read_site(site, folder)
    if not getattr(file, kind):
        raise SiteFileError(f"the site file {site} has no {kind}")
    return file


def _listed(argument: str | None) -> list[str]:
    """The values of an argument, between commas."""
    return [part.strip() for part in (argument or "").split(",") if part.strip()]


def site_path(name: str, folder: str | Path) -> Path:
    """The site file `folder/name.toml`, or the file that `name` is."""
    return Path(name) if name.endswith(".toml") else Path(folder) / f"{name}.toml"


def read_site(name: str, folder: str | Path) -> SiteFile:
    """A site file, checked."""
    path = site_path(name, folder)
    try:
        fields = read_toml(path)
    except OSError as error:
        raise SiteFileError(f"cannot read the site file {path}: {error.strerror}") from None
    except TomlError as error:
        raise SiteFileError(str(error)) from None
    _refuse_unknown(fields, ("section", *_READERS), str(path))
    rows = fields.get("section", [])
    if not isinstance(rows, list):
        raise SiteFileError(f"{path}: a section is [[section]], in double brackets")
    sections = tuple(_section(path, number, row) for number, row in enumerate(rows, 1))
    values: dict[str, Any] = {}
    for key, read in _READERS.items():
        if key in fields:
            try:
                values[key] = read(fields[key])
            except ValueError as error:
                raise SiteFileError(f"{path}: {key}: {error}") from None
    site = SiteFile(sections=sections, **values)
    if not site.addresses:
        raise SiteFileError(f"{path} has no [[section]], no feeds and no sitemaps")
    return site


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{value!r} is not a text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is not a list of texts")
    return tuple(map(_text, value))


def _addresses(value: object) -> tuple[str, ...]:
    return tuple(map(web_address, _texts(value)))


def _patterns(value: object) -> tuple[re.Pattern[str], ...]:
    try:
        return tuple(re.compile(text) for text in _texts(value))
    except re.error as error:
        raise ValueError(f"{error.pattern!r} is not a regular expression: {error}") from None


def _selection(value: object) -> str:
    text = _text(value)
    try:
        xpath = text if text.startswith(("/", "(")) else HTMLTranslator().css_to_xpath(text)
        etree.XPath(xpath)
    except Exception as error:  # cssselect and lxml have several
        raise ValueError(f"{text!r} is neither CSS nor XPath: {error}") from None
    return xpath


def _since(value: object) -> str:
    return _text(value) if Window.of(since=_text(value)) else ""


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"{value!r} is not a number of seconds, 0 or more")
    return float(value)


_READERS: dict[str, Callable[[object], Any]] = {
    "name": _text,
    "feeds": _addresses,
    "sitemaps": _addresses,
    "allow": _patterns,
    "deny": _patterns,
    "links": _selection,
    "since": _since,
    "delay": _seconds,
}


def _section(path: Path, number: int, row: object) -> Section:
    where = f"{path}, section {number}"
    if not isinstance(row, dict) or not isinstance(row.get("url"), str):
        raise SiteFileError(f'{where}: it needs url = "https://…"')
    _refuse_unknown(row, ("url", "category", "pages"), where)
    pages = row.get("pages")
    if pages is not None and (type(pages) is not int or pages < 1):
        raise SiteFileError(f"{where}: pages = {pages!r} is not a number of pages")
    category = row.get("category")
    if category is not None and not isinstance(category, str):
        raise SiteFileError(f"{where}: category = {category!r} is not a name")
    try:
        return section_at(row["url"], category, pages)
    except ValueError as error:
        raise SiteFileError(f"{where}: {error}") from None


def _refuse_unknown(fields: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = ", ".join(sorted(fields.keys() - set(known)))
    if unknown:
        raise SiteFileError(f"{where}: unknown: {unknown}; there are {', '.join(known)}")


def corrections_file_of(site: str, folder: Path) -> Path:
    """Return the corrections file of a site, by its host name or an address, in a folder.

    That is the corrections file that names the site, else one beside its site file, else a new one.
    A file that cannot be read names no site.
    """
    domain = domain_of(site)
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except OSError:
        files = []
    for path in files:
        if path.name.endswith(SUFFIX) and _corrected_domain(path) == domain:
            return path
    for path in files:
        if not path.name.endswith(SUFFIX) and domain in site_domains(path):
            return corrections_path(path)
    name = "".join(sign if sign.isalnum() or sign == "." else "-" for sign in domain) or "site"
    return folder / f"{name}{SUFFIX}"


def _corrected_domain(path: Path) -> str | None:
    try:
        return domain_of(Corrections.read(path).site)
    except CorrectionsError:
        return None


def site_domains(path: Path) -> set[str]:
    """Return the registered domains of a site file; none if it cannot be read."""
    try:
        addresses = read_site(str(path), path.parent).addresses
    except (SiteFileError, OSError, ValueError):
        return set()
    return set(map(domain_of, addresses))
