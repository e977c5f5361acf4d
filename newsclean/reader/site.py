"""Writes the whole: a page for each article, the lists, and the feed."""

from __future__ import annotations

from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from itertools import groupby, islice
from typing import TYPE_CHECKING

from newsclean.files import line_at, opened
from newsclean.reader.article import read_article
from newsclean.reader.dates import MONTHS, NO_DATE, day_words
from newsclean.reader.feed import MAX_ENTRIES, FeedEntry, atom_feed
from newsclean.reader.lists import paginated
from newsclean.reader.names import folder_name
from newsclean.reader.templating import STYLE, article_page, policy, render, style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from newsclean.reader.catalogue import Catalogue, Entry
    from newsclean.reader.folder import OutputFolder
    from newsclean.reader.lists import ListPage

_FEED, _SITES, _DAYS = "feed.xml", "sites.html", "days.html"
#: Sites and days that the first page names; the others are on pages of their own.
_MAX_SHOWN = 12


@dataclass(frozen=True)
class Options:
    """What a user may choose."""

    title: str = "News"
    images: bool = True
    #: where the pages will be, for a feed with whole addresses
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
        """Write what has changed; `report` is called for each article."""
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
            atom_feed(
                feed,
                title=self.options.title,
                feed_id=out.feed_id,
                base_url=self.options.base_url,
            ),
        )

    def _write_articles(
        self, out: OutputFolder, report: Callable[[str, int], object]
    ) -> list[FeedEntry]:
        """Write the pages in the order of the lines; those of the newest articles, for the feed."""
        house_pictures = self.catalogue.house_pictures()
        newest = {entry.identity: entry for entry in self.entries[-MAX_ENTRIES:]}
        found: dict[str, FeedEntry] = {}
        with ExitStack() as stack:
            files = [stack.enter_context(opened(path)) for path in self.paths]
            for entry in sorted(self.entries, key=lambda entry: entry.place):
                report("writing", len(self.entries))
                line = line_at(files[entry.place.file], entry.place)
                article = read_article(
                    line, images=self.options.images, house_pictures=house_pictures
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
        """The days of each month, newest first."""
        named = (
            (f"{MONTHS[day.month - 1]} {day.year}" if day else NO_DATE, group)
            for day, group in self.days.items()
        )
        return [
            (month, [group for _, group in some]) for month, some in groupby(named, lambda n: n[0])
        ]

    def _lists(self) -> Iterator[tuple[ListPage, dict[str, object]]]:
        """All pages of all lists, with what their template needs beside the articles."""
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
            policy=policy(images=False),
            inline_style=None,
            **values,
        )
