"""The corrections of all sites in a folder of site files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from newsclean.corrections.checks import CorrectionsError
from newsclean.corrections.corrections import Corrections
from newsclean.corrections.file import SUFFIX
from newsclean.site import registered_domain, site_of


@dataclass(frozen=True)
class CorrectionsFolder:
    """By the registered domain of their sites; whoever has none of a page's site gets None."""

    sites: dict[str, Corrections] = field(default_factory=dict)
    #: what was wrong with files that are left out
    problems: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: Path | str) -> CorrectionsFolder:
        """Those of a folder, which may be missing; a file that makes no sense is left out."""
        sites: dict[str, Corrections] = {}
        files: dict[str, Path] = {}
        problems = []
        try:
            paths = sorted(path for path in Path(folder).iterdir() if path.name.endswith(SUFFIX))
        except OSError:
            return cls()
        for path in paths:
            try:
                corrections = Corrections.read(path)
            except CorrectionsError as error:
                problems.append(str(error))
                continue
            domain = domain_of(corrections.site)
            if domain in sites:
                problems.append(f"{path}: {files[domain]} has corrections of {domain}: join them")
                continue
            sites[domain], files[domain] = corrections, path
        return cls(sites, tuple(problems))

    def __bool__(self) -> bool:
        return bool(self.sites)

    def for_page(self, url: str | None) -> Corrections | None:
        """The corrections of the site of an address."""
        if not self.sites or url is None:
            return None
        return self.sites.get(registered_domain(site_of(url) or ""))


def domain_of(site: str) -> str:
    """The registered domain of a site that somebody has written: a host name, or an address."""
    return registered_domain((site_of(site) if "://" in site else site) or site)
