"""Write the pages of all articles, the lists and the Atom feed (RFC 4287) into a folder.

Files are written atomically, and only if they have changed. The manifest `.newsclean-read.json`
lists what newsclean wrote: nothing else is ever removed, and a folder with other files is refused.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import date
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urljoin
from uuid import NAMESPACE_URL, uuid4, uuid5

from lxml import etree

from newsclean import __version__
from newsclean.apps.reader.article_body import MONTHS, NO_DATE, day_words
from newsclean.apps.reader.article_pages import (
    STYLE,
    article_page,
    policy,
    read_article,
    render,
    style,
)
from newsclean.apps.reader.catalogue import folder_name, paginated
from newsclean.files import line_at, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from newsclean.apps.reader.article_pages import ReaderArticle
    from newsclean.apps.reader.catalogue import Catalogue, Entry, ListPage


_ATOM = "http://www.w3.org/2005/Atom"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_MAX_ENTRIES = 50
#: Atom requires a date, also for undated articles.
_NO_DATE = "1970-01-01T00:00:00Z"
_NOT_IN_IRI = re.compile(r'[\x00-\x20"<>\\^`{|}]')

_FEED, _SITES, _DAYS = "feed.xml", "sites.html", "days.html"
#: Sites and days on the first page; the others are on pages of their own.
_MAX_SHOWN = 12

MANIFEST = ".newsclean-read.json"
#: Prefix of unfinished files; a killed run may leave one.
_HALF = ".newsclean-read.half-"


class FeedEntry(NamedTuple):
    entry: Entry
    article: ReaderArticle


def _atom_feed(
    entries: Sequence[FeedEntry], *, title: str, feed_id: str, base_url: str | None = None
) -> str:
    """Return the feed of these articles; links are relative to `base_url` or the feed."""
    feed = etree.Element(f"{{{_ATOM}}}feed", nsmap={None: _ATOM})  # type: ignore[dict-item]
    updates = [each.article.updated for each in entries]
    latest = max((update for update in updates if update), key=lambda u: u.instant, default=None)
    _add(feed, "id", feed_id)
    _add(feed, "title", title)
    _add(feed, "updated", latest.rfc3339 if latest else _NO_DATE)
    _add(feed, "generator", "newsclean", version=__version__)
    _add(_add(feed, "author"), "name", "newsclean")
    _add_link(feed, "alternate", urljoin(base_url or "", "index.html"), type="text/html")
    if base_url:
        _add_link(feed, "self", urljoin(base_url, "feed.xml"), type="application/atom+xml")
    for each in entries:
        _add_entry(feed, each, base_url)
    etree.indent(feed)
    return etree.tostring(
        feed, encoding="unicode", doctype='<?xml version="1.0" encoding="utf-8"?>'
    )


def _add_entry(feed: etree._Element, each: FeedEntry, base_url: str | None) -> None:
    entry, article = each
    node = _add(feed, "entry")
    if article.language:
        node.set(_XML_LANG, article.language)
    _add(node, "id", _iri(article.url) if article.url else uuid5(NAMESPACE_URL, entry.identity).urn)
    _add(node, "title", article.headline, type="text")
    _add(node, "updated", article.updated.rfc3339 if article.updated else _NO_DATE)
    if article.published:
        _add(node, "published", article.published.rfc3339)
    for name in article.authors or [article.publisher or article.site]:
        _add(_add(node, "author"), "name", name)
    _add_link(node, "alternate", urljoin(base_url or "", entry.path), type="text/html")
    if article.url:
        _add_link(node, "via", _iri(article.url))
    for term in filter(None, [article.section, *article.keywords]):
        _add(node, "category", term=term)
    if entry.teaser:
        _add(node, "summary", entry.teaser, type="text")
    _add(node, "content", article.body.html, type="html")


def _iri(url: str) -> str:
    """Escape the characters that an IRI must not contain.

    >>> _iri('https://example.org/a b?"c"=ü')
    'https://example.org/a%20b?%22c%22=ü'
    """
    return _NOT_IN_IRI.sub(lambda found: quote(found[0]), url)


def _add_link(parent: etree._Element, rel: str, href: str, **attributes: str) -> None:
    _add(parent, "link", rel=rel, href=href, **attributes)


def _add(
    parent: etree._Element, name: str, text: str | None = None, **attributes: str
) -> etree._Element:
    node = etree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    node.text = text
    return node


@dataclass(frozen=True)
class Options:
    title: str = "News"
    images: bool = True
    #: where the pages will be published, for absolute URLs in the feed
    base_url: str | None = None


@dataclass(frozen=True)
class Group:
    """The articles of a site, a section or a day, and the folder of their list."""

    name: str
    folder: str
    entries: list[Entry]

    @property
    def path(self) -> str:
        return f"{self.folder}index.html"


def _site_folder(site: str) -> str:
    return f"sites/{folder_name(site)}/"


def _section_folder(site: str, section: str) -> str:
    return f"{_site_folder(site)}sections/{folder_name(section)}/"


def _day_folder(day: date | None) -> str:
    return f"days/{day.isoformat() if day else 'undated'}/"


class ReaderSite:
    """The pages of a catalogue."""

    def __init__(self, catalogue: Catalogue, paths: Sequence[Path], options: Options) -> None:
        self.catalogue = catalogue
        self.entries = catalogue.entries
        self.house_pictures = catalogue.house_pictures()
        self.paths = paths
        self.options = options
        sites: dict[str, list[Entry]] = defaultdict(list)
        sections: dict[str, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
        days: dict[date | None, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            sites[entry.site].append(entry)
            days[entry.day].append(entry)
            if entry.section:
                sections[entry.site][entry.section].append(entry)
        self.sites = [Group(name, _site_folder(name), own) for name, own in sorted(sites.items())]
        self.sections = {
            site: [
                Group(name, _section_folder(site, name), own)
                for name, own in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
            ]
            for site, groups in sections.items()
        }
        #: newest first
        self.days = {
            day: Group(day_words(day) if day else NO_DATE, _day_folder(day), days[day])
            for day in sorted(days, key=lambda day: day or date.min, reverse=True)
        }

    def build(self, out: OutputFolder, report: Callable[[str, int], object]) -> None:
        """Write the changed files; `report` is called for each article."""
        lists = list(self._lists())
        pages = [entry.path for entry in self.entries]
        out.begin([*pages, *(page.path for page, _ in lists), _FEED, _SITES, _DAYS, STYLE])
        out.write(STYLE, style())
        feed = self._write_articles(out, report)
        for page, values in lists:
            out.write(page.path, self._render("list.html", page.path, page=page, **values))
        sites = {"sites": self.sites, "all_sections": self.sections}
        out.write(_SITES, self._render("sites.html", _SITES, **sites))
        out.write(_DAYS, self._render("days.html", _DAYS, months=self._months()))
        out.write(
            _FEED,
            _atom_feed(
                feed,
                title=self.options.title,
                feed_id=out.feed_id,
                base_url=self.options.base_url,
            ),
        )

    def _write_articles(
        self, out: OutputFolder, report: Callable[[str, int], object]
    ) -> list[FeedEntry]:
        """Write the pages in the order of the lines; return the newest articles for the feed."""
        newest = {entry.identity: entry for entry in self.entries[-_MAX_ENTRIES:]}
        found: dict[str, FeedEntry] = {}
        with ExitStack() as stack:
            files = [stack.enter_context(opened(path)) for path in self.paths]
            for entry in sorted(self.entries, key=lambda entry: entry.place):
                report("writing", len(self.entries))
                line = line_at(files[entry.place.file], entry.place)
                article = read_article(
                    line, images=self.options.images, house_pictures=self.house_pictures
                )
                links = {"site": f"{_site_folder(entry.site)}index.html"}
                if entry.section:
                    links["section"] = f"{_section_folder(entry.site, entry.section)}index.html"
                page = article_page(article, entry.path, title=self.options.title, links=links)
                out.write(entry.path, page)
                if entry.identity in newest:
                    found[entry.identity] = FeedEntry(entry, article)
        return [found[identity] for identity in reversed(newest) if identity in found]

    def _months(self) -> list[tuple[str, list[Group]]]:
        """Group the days by month, newest first."""
        named = (
            (f"{MONTHS[day.month - 1]} {day.year}" if day else NO_DATE, group)
            for day, group in self.days.items()
        )
        return [
            (month, [group for _, group in some]) for month, some in groupby(named, lambda n: n[0])
        ]

    def _lists(self) -> Iterator[tuple[ListPage, dict[str, object]]]:
        """Yield all pages of all lists, with the other values of their template."""
        largest = sorted(self.sites, key=lambda group: (-len(group.entries), group.name))
        aside = {"sites": largest[:_MAX_SHOWN], "days": [*islice(self.days.values(), _MAX_SHOWN)]}
        yield from self._list(self.entries, "", kind="all", name=self.options.title, aside=aside)
        for site in self.sites:
            sections = self.sections.get(site.name, [])
            yield from self._list(
                site.entries, site.folder, kind="site", name=site.name, aside={"sections": sections}
            )
            for section in sections:
                yield from self._list(
                    section.entries, section.folder, kind="section", name=section.name, site=site
                )
        for day, group in self.days.items():
            yield from self._list(group.entries, group.folder, kind="day", name="", day=day)

    def _list(
        self,
        entries: list[Entry],
        folder: str,
        *,
        kind: str,
        name: str,
        aside: Mapping[str, object] | None = None,
        site: Group | None = None,
        day: date | None = None,
    ) -> Iterator[tuple[ListPage, dict[str, object]]]:
        for page in paginated(entries, folder):
            is_first = page.number is None
            values: dict[str, object] = {
                "kind": kind,
                "name": name,
                "site": site,
                "day": day,
                "aside": (aside or {}) if is_first else {},
                "count": len(entries) if is_first else None,
            }
            yield page, values

    def _render(self, template: str, path: str, **values: object) -> str:
        return render(
            template,
            path,
            title=self.options.title,
            policy=policy(images=self.options.images),
            pictures=self.options.images,
            house_pictures=self.house_pictures,
            inline_style=None,
            **values,
        )


class FolderError(Exception):
    """The output folder cannot be used."""


class OutputFolder:
    def __init__(self, root: Path) -> None:
        self.root = root
        manifest = self._manifest()
        self.known = {path for path in manifest.get("files", []) if _is_inside(path)}
        #: the permanent id of the feed
        self.feed_id = str(manifest.get("feed") or uuid4().urn)
        self.made: set[str] = set()
        self.written = self.removed = 0

    def begin(self, planned: Iterable[str]) -> None:
        """List the planned files first, so that a killed run leaves nothing unlisted."""
        for left in self.root.glob(f"{_HALF}*"):
            left.unlink(missing_ok=True)
        self.known.update(planned)
        self._write_manifest(self.known)

    def write(self, path: str, text: str) -> None:
        """Write a file, unless it exists with the same content."""
        assert _is_inside(path), path
        self.made.add(path)
        if self._replace(path, text.encode("utf-8", "replace")):
            self.written += 1

    def finish(self, *, remove: bool) -> None:
        """Remove the files of earlier runs that this one has not written."""
        old = sorted(self.known - self.made) if remove else []
        for path in old:
            with suppress(FileNotFoundError):
                (self.root / path).unlink()
                self.removed += 1
            for parent in (self.root / path).parents:
                if parent == self.root or not _remove_if_empty(parent):
                    break
        self._write_manifest(self.known - set(old))

    def _manifest(self) -> dict[str, Any]:
        path = self.root / MANIFEST
        try:
            value = json.loads(path.read_bytes())
        except FileNotFoundError:
            if self.root.exists() and not self.root.is_dir():
                raise FolderError(f"{self.root} is not a folder") from None
            if self.root.is_dir() and any(
                not each.name.startswith(_HALF) for each in self.root.iterdir()
            ):
                raise FolderError(
                    f"the folder {self.root} has files that newsclean read has not written: "
                    "use an empty or a new folder"
                ) from None
            return {}
        except (ValueError, RecursionError):
            raise FolderError(f"{path} is damaged: use another folder") from None
        if not isinstance(value, dict) or not isinstance(value.get("files", []), list):
            raise FolderError(f"{path} is damaged: use another folder")
        return value

    def _write_manifest(self, files: set[str]) -> None:
        manifest = {"feed": self.feed_id, "files": sorted(files)}
        self._replace(MANIFEST, json.dumps(manifest, indent=0).encode() + b"\n")

    def _replace(self, name: str, content: bytes) -> bool:
        """Replace a file atomically; return False if the content is the same."""
        path = self.root / name
        with suppress(FileNotFoundError):
            if path.stat().st_size == len(content) and path.read_bytes() == content:
                return False
        path.parent.mkdir(parents=True, exist_ok=True)
        half = self.root / f"{_HALF}{os.getpid()}"
        try:
            half.write_bytes(content)
            os.replace(half, path)
        except OSError:
            with suppress(OSError):
                half.unlink()
            raise
        return True


def _is_inside(path: object) -> bool:
    """Whether a path stays inside the folder and has only names that newsclean makes.

    >>> [_is_inside(path) for path in ("articles/a.org/rain.html", "../rain.html", "/etc/passwd")]
    [True, False, False]
    """
    return isinstance(path, str) and all(
        name and not name.startswith(".") and "\\" not in name and ":" not in name
        for name in path.split("/")
    )


def _remove_if_empty(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False
    return True
