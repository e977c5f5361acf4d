"""Site files: what differs from site to site is data, in TOML. All keys are optional.

name = "Example Times"
feeds = ["https://example.org/rss"]           # read in addition to the sections
sitemaps = ["https://example.org/news.xml"]
allow = ["/20\\\\d\\\\d/"]                        # only URLs that match one of these
deny = ["/video/"]                            # and none of these
links = "main h2 a"                           # CSS, or XPath that starts with /: section links
since = "7d"
delay = 2.5                                   # seconds between two requests to a host
                                              # and what site_settings.py reads: headers, proxy …

[[section]]
url = "https://example.org/sport"
category = "sport"                            # default: the path of the URL
pages = 3                                     # default: NEWSCLEAN_SECTION_PAGES
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from lxml import etree
from parsel.csstranslator import HTMLTranslator

from newsclean.discovery import site_settings
from newsclean.discovery.entries import Window
from newsclean.discovery.site_settings import NO_SETTINGS, SiteSettings
from newsclean.discovery.sources import Source
from newsclean.error_hints import nearest
from newsclean.extraction.corrections import SUFFIX, Corrections, CorrectionsError, corrections_path
from newsclean.extraction.corrections.site_corrections import domain_of
from newsclean.files import TomlError, read_toml
from newsclean.urls import category_of, registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from newsclean.discovery.entries import Entry

_WHERE_TO_START = "say where to start: -a url=https://… or -a site=NAME, one of them"


class SiteFileError(ValueError):
    """A site file that cannot be read or is invalid."""


@dataclass(frozen=True)
class Section:
    url: str
    category: str
    pages: int | None = None


@dataclass(frozen=True)
class SiteFile:
    """Where the crawl of a site starts, and which of its pages are wanted."""

    name: str = ""
    sections: tuple[Section, ...] = ()
    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    allow: tuple[re.Pattern[str], ...] = ()
    deny: tuple[re.Pattern[str], ...] = ()
    #: XPath of the links to follow on section pages, or of the elements around them
    links: str | None = None
    since: str | None = None
    #: seconds between two requests to a host of the site
    delay: float = 0.0
    #: for the requests to the site, and its articles
    settings: SiteSettings = NO_SETTINGS

    @property
    def own_urls(self) -> list[str]:
        """The URLs of the site itself: its feeds may be elsewhere."""
        return [section.url for section in self.sections] or self.urls

    @property
    def home(self) -> str:
        """The front page of the first source's site."""
        return urljoin(self.urls[0], "/")

    @property
    def urls(self) -> list[str]:
        """All URLs from which the crawl of the site starts."""
        return [*(section.url for section in self.sections), *self.feeds, *self.sitemaps]

    @property
    def sources(self) -> list[Source]:
        """The feeds and sitemaps; a robots.txt may stand for the sitemaps that it names."""
        feeds = [Source(url, "feed", is_named=True) for url in self.feeds]
        sitemaps = [
            Source(url, "robots" if urlsplit(url).path == "/robots.txt" else "sitemap", True)
            for url in self.sitemaps
        ]
        return [*feeds, *sitemaps]

    @cached_property
    def window(self) -> Window:
        return Window.of(since=self.since)

    def wants(self, entry: Entry) -> bool:
        """Tell whether an article is wanted, by its URL and its time."""
        return self.allows(entry.url) and self.window.wants(entry)

    def allows(self, url: str) -> bool:
        if any(pattern.search(url) for pattern in self.deny):
            return False
        return not self.allow or any(pattern.search(url) for pattern in self.allow)


def section_at(url: str, category: str | None = None, pages: int | None = None) -> Section:
    """Return the section at a URL."""
    url = checked_url(url)
    return Section(url, category or category_of(url), pages)


def checked_url(url: str) -> str:
    """Return a URL that a user typed, or raise a ValueError that explains what is wrong with it."""
    url = url.strip()
    if "://" not in url:
        raise ValueError(f"{url!r} is not a URL: it needs http:// or https://")
    scheme, mark, rest = url.partition("://")
    if scheme.lower() not in ("http", "https") or site_of(url) is None:
        raise ValueError(f"{url!r} is not a URL of a web site")
    return f"{scheme.lower()}{mark}{rest}"


def site_files(url: str | None, site: str | None, folder: str | Path) -> list[SiteFile]:
    """Return the files of `-a site=`, or one per site with the sections of `-a url=`."""
    urls, names = listed(url), listed(site)
    if bool(urls) == bool(names):
        raise ValueError(_WHERE_TO_START)
    if names:
        return [read_site(name, folder) for name in names]
    return [SiteFile(sections=tuple(map(section_at, found))) for found in _by_site(urls)]


def source_files(
    url: str | None, site: str | None, folder: str | Path, kind: str, *, by_site: bool
) -> list[SiteFile]:
    """Return the file of `-a site=`, or files with the `feeds` or `sitemaps` of `-a url=`.

    The latter are one per site, or one for all of them.
    """
    urls = list(map(checked_url, listed(url)))
    if bool(urls) == bool(site):
        raise ValueError(_WHERE_TO_START)
    if site:
        file = read_site(site, folder)
        if not getattr(file, kind):
            raise SiteFileError(f"the site file {site} has no {kind}")
        return [file]
    sources: list[dict[str, Any]] = [
        {kind: tuple(found)} for found in (_by_site(urls) if by_site else [urls])
    ]
    return [SiteFile(**values) for values in sources]


def listed(argument: str | None) -> list[str]:
    """Split an argument at its commas."""
    return [part.strip() for part in (argument or "").split(",") if part.strip()]


def _by_site(urls: Iterable[str]) -> Iterable[list[str]]:
    """Check URLs, and group them by registered domain."""
    by_site: dict[str, list[str]] = {}
    for url in map(checked_url, urls):
        by_site.setdefault(registered_domain(site_of(url) or ""), []).append(url)
    return by_site.values()


def site_path(name: str, folder: str | Path) -> Path:
    """Return the path `folder/name.toml`, or `name` if that is already a path to a site file."""
    return Path(name) if name.endswith(".toml") else Path(folder) / f"{name}.toml"


def read_site(name: str, folder: str | Path) -> SiteFile:
    """Read a site file; `SiteFileError` if it cannot be read or is invalid."""
    path = site_path(name, folder)
    try:
        fields = read_toml(path)
    except OSError as error:
        raise SiteFileError(f"cannot read the site file {path}: {error.strerror}") from None
    except TomlError as error:
        raise SiteFileError(str(error)) from None
    readers = _READERS | site_settings.READERS
    _refuse_unknown(fields, ("section", *readers), str(path))
    rows = fields.get("section", [])
    if not isinstance(rows, list):
        raise SiteFileError(f"{path}: a section is [[section]], in double brackets")
    sections = tuple(_section(path, number, row) for number, row in enumerate(rows, 1))
    values: dict[str, Any] = {}
    for key, read in readers.items():
        if key in fields:
            try:
                values[key] = read(fields[key])
            except ValueError as error:
                raise SiteFileError(f"{path}: {key}: {error}") from None
    settings = {key: values.pop(key) for key in site_settings.READERS if key in values}
    site = SiteFile(sections=sections, settings=SiteSettings(**settings), **values)
    if not site.urls:
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


def _urls(value: object) -> tuple[str, ...]:
    return tuple(map(checked_url, _texts(value)))


def _patterns(value: object) -> tuple[re.Pattern[str], ...]:
    try:
        return tuple(re.compile(text) for text in _texts(value))
    except re.error as error:
        raise ValueError(f"{error.pattern!r} is not a regular expression: {error}") from None


def _selector(value: object) -> str:
    text = _text(value)
    try:
        xpath = text if text.startswith(("/", "(")) else HTMLTranslator().css_to_xpath(text)
        etree.XPath(xpath)
    except Exception as error:  # cssselect and lxml raise several kinds
        raise ValueError(f"{text!r} is neither CSS nor XPath: {error}") from None
    return xpath


def _since(value: object) -> str:
    text = _text(value)
    Window.of(since=text)  # raises ValueError
    return text


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"{value!r} is not a number of seconds, 0 or more")
    return float(value)


_READERS: dict[str, Callable[[object], Any]] = {
    "name": _text,
    "feeds": _urls,
    "sitemaps": _urls,
    "allow": _patterns,
    "deny": _patterns,
    "links": _selector,
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
    unknown = sorted(fields.keys() - set(known))
    if unknown:
        likely = " or ".join(dict.fromkeys(repr(nearest(name, known)) for name in unknown))
        raise SiteFileError(
            f"{where}: unknown: {', '.join(unknown)}; did you mean {likely}? "
            f"There are {', '.join(known)}"
        )


def corrections_file_of(site: str, folder: Path) -> Path:
    """Return the corrections file of a site, by its host name or a URL, in a folder.

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
        addresses = read_site(str(path), path.parent).urls
    except (SiteFileError, OSError, ValueError):
        return set()
    return set(map(domain_of, addresses))
