"""Site files: what differs from site to site is data, in TOML.

name = "Example Times"

[[section]]
url = "https://example.org/sport"
category = "sport"          # optional; else the URL's path
pages = 3                   # optional; else NEWSCLEAN_SECTION_PAGES
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from newsclean.site import category_of, site_of


@dataclass(frozen=True)
class Section:
    url: str
    category: str
    pages: int | None = None


class SiteFileError(ValueError):
    """A site file that cannot be read or makes no sense."""


def section_at(url: str, category: str | None = None, pages: int | None = None) -> Section:
    """A section by its address."""
    url = url.strip()
    if "://" not in url:
        raise ValueError(f"{url!r} is not a URL: it needs http:// or https://")
    if not url.startswith(("http://", "https://")) or site_of(url) is None:
        raise ValueError(f"{url!r} is not a URL of a web site")
    return Section(url, category or category_of(url), pages)


def read_site(name: str, folder: str | Path) -> list[Section]:
    """The sections of the site file `folder/name.toml`, or of the file that `name` is."""
    path = Path(name) if name.endswith(".toml") else Path(folder) / f"{name}.toml"
    try:
        site = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SiteFileError(f"cannot read the site file {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SiteFileError(f"{path} is not a TOML file: {error}") from None
    rows = site.get("section")
    if not isinstance(rows, list) or not rows:
        raise SiteFileError(f"{path} has no [[section]]")
    return [_section(path, number, row) for number, row in enumerate(rows, 1)]


def _section(path: Path, number: int, row: object) -> Section:
    where = f"{path}, section {number}"
    if not isinstance(row, dict) or not isinstance(row.get("url"), str):
        raise SiteFileError(f'{where}: it needs url = "https://…"')
    unknown = ", ".join(sorted(row.keys() - {"url", "category", "pages"}))
    if unknown:
        raise SiteFileError(f"{where}: unknown: {unknown}; there are url, category, pages")
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
