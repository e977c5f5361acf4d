"""Which file holds the corrections of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.discovery.site_files import SiteFileError, read_site
from newsclean.extraction.corrections import SUFFIX, Corrections, CorrectionsError, corrections_path
from newsclean.extraction.corrections.correction_files import domain_of
from newsclean.urls import site_of

if TYPE_CHECKING:
    from pathlib import Path


def corrections_file_of(site: str, folder: Path) -> Path:
    """The file in a folder that names the site, else one beside its site file, else a new one.

    A file that makes no sense names no site; whoever reads or writes it is told.
    """
    domain = domain_of(site)
    files = _files(folder)
    for path in files:
        if path.name.endswith(SUFFIX) and _names_domain(path, domain):
            return path
    for path in files:
        if not path.name.endswith(SUFFIX) and domain in site_domains(path):
            return corrections_path(path)
    name = "".join(sign if sign.isalnum() or sign == "." else "-" for sign in domain) or "site"
    return folder / f"{name}{SUFFIX}"


def site_domains(path: Path) -> set[str]:
    """The registered domains of a site file; none if it cannot be read."""
    try:
        urls = read_site(str(path), path.parent).urls
    except (SiteFileError, OSError, ValueError):
        return set()
    return {domain_of(site_of(url) or "") for url in urls}


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except OSError:
        return []


def _names_domain(path: Path, domain: str) -> bool:
    try:
        return domain_of(Corrections.read(path).site) == domain
    except CorrectionsError:
        return False
