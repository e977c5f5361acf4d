"""The corrections of a site that the command line names."""

from __future__ import annotations

from pathlib import Path

from newsclean.cli.errors import UNREADABLE, CommandError
from newsclean.extraction.corrections import Corrections, CorrectionsError, corrections_path

#: Where site files are, unless somebody says otherwise: the default of NEWSCLEAN_SITES.
SITES = Path("sites")


def corrections_file(name: str, folder: Path = SITES) -> Path:
    """The corrections of a site by its name, or beside its file.

    >>> corrections_file("example").as_posix(), corrections_file("mine/example.toml").as_posix()
    ('sites/example.corrections.toml', 'mine/example.corrections.toml')
    """
    return corrections_path(name if name.endswith(".toml") else folder / name)


def read_corrections(name: str, folder: Path = SITES) -> Corrections:
    try:
        return Corrections.of_site(corrections_file(name, folder))
    except CorrectionsError as error:
        raise CommandError(f"--site: {error}", UNREADABLE) from None
