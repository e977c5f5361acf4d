"""The page that a command is given, and what is known of it before its article is found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from newsclean import Extractor, Neighborhood, PageError
from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.sources import page_files, read_file, read_source
from newsclean.cli.terminal import note
from newsclean.extraction.corrections import Corrections, CorrectionsError, corrections_path
from newsclean.extraction.methods import Evidence, ModelError
from newsclean.extraction.page import Page
from newsclean.files import MAX_SINGLE_SIZE

if TYPE_CHECKING:
    import argparse

#: The default of NEWSCLEAN_SITES, the folder of site files.
SITES = Path("sites")


class SourcePage(NamedTuple):
    """A page as it was read, with what its neighbors know of it."""

    body: bytes
    #: from where it was downloaded
    url: str | None
    content_type: str | None
    page: Page
    evidence: Evidence


def extractor_for(options: argparse.Namespace, *, images: bool = True) -> Extractor:
    """What finds the article, by the options of `add_page_arguments`."""
    corrections = None
    if options.site is not None:
        try:
            corrections = Corrections.of_site(corrections_file(options.site))
        except CorrectionsError as error:
            raise CommandError(f"--site: {error}", UNREADABLE) from None
    return make_extractor(options, corrections, images=images)


def corrections_file(name: str, folder: Path = SITES) -> Path:
    """Return the path of a site's corrections, by the name of the site or by its site file.

    >>> corrections_file("example").as_posix(), corrections_file("mine/example.toml").as_posix()
    ('sites/example.corrections.toml', 'mine/example.corrections.toml')
    """
    return corrections_path(name if name.endswith(".toml") else folder / name)


def make_extractor(
    options: argparse.Namespace, corrections: Corrections | None, *, images: bool = True
) -> Extractor:
    """The extractor of `--method` and `--model`."""
    try:
        return Extractor(
            options.method, model=options.model, images=images, corrections=corrections
        )
    except ModelError as error:
        raise CommandError(f"--model: {error}", USAGE) from None
    except ValueError as error:
        raise CommandError(f"--method: {error}", USAGE) from None


def read_source_page(options: argparse.Namespace, extractor: Extractor) -> SourcePage:
    """Read the page, and learn its neighbors."""
    body, url, content_type = read_source(options.source, options.max_page_size or MAX_SINGLE_SIZE)
    neighborhood = learn(options.neighbors, extractor) if options.neighbors else None
    try:
        page = Page.from_html(body, options.url or url, content_type)
    except PageError as error:
        raise CommandError(f"{options.source}: {error}", UNUSABLE) from None
    if page.is_cut:
        note(f"{options.source}: nested deeper than the HTML parser goes, what follows is lost")
    if neighborhood is not None:
        evidence = neighborhood.evidence_on(page)
    else:
        evidence = Evidence(extractor.method.score_blocks(page))
    return SourcePage(body, url, content_type, page, evidence)


def learn(paths: list[str], extractor: Extractor) -> Neighborhood:
    """A neighborhood of the pages at these paths; a page that cannot be used is reported."""
    files = list(page_files(paths))
    neighborhood = Neighborhood(extractor.method, window=len(files))
    for path in files:
        try:
            neighborhood.learn(read_file(path), str(path))
        except (PageError, CommandError) as error:
            note(f"neighbor {path} left out: {error}")
    return neighborhood
