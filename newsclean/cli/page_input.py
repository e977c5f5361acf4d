"""Read the pages that a user names: files, folders, archives, URLs and standard input.

Also the options of all commands that extract a page.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from newsclean import Extractor, Neighborhood, PageError
from newsclean.cli.terminal import UNREADABLE, UNUSABLE, USAGE, CommandError, note, positive
from newsclean.extraction.corrections import Corrections, CorrectionsError, corrections_path
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.methods.hybrid.network import ModelError
from newsclean.extraction.methods.registry import DEFAULT_METHOD, METHODS
from newsclean.extraction.page import Page
from newsclean.files import (
    MAX_NAMED,
    MAX_PAGE_SIZE,
    MAX_SINGLE_SIZE,
    PAGE_SUFFIXES,
    PageSizeError,
    is_page_name,
    ordinary_files,
    read_page_file,
    unpacked,
)
from newsclean.urls import resolve_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.browser.snapshot import Rendering

#: The default of NEWSCLEAN_SITES, the folder of site files.
SITES = Path("sites")

_ONLY_HTTP = "only http:// and https:// URLs can be read"
#: Errors of a page that may be gzipped.
_UNPACKING = (OSError, EOFError, zlib.error, PageSizeError)

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the method, and of what is known about the page."""
    add_method_arguments(parser)
    parser.add_argument(
        "--site",
        metavar="NAME|FILE",
        help="use the corrections of this site, which newsclean teach has saved in "
        "sites/NAME.corrections.toml or in FILE",
    )


def add_method_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--neighbors",
        metavar="PATH",
        nargs="+",
        default=[],
        help="other pages of the same site, or folders of them",
    )
    names = ", ".join(sorted(METHODS))
    parser.add_argument(
        "--method",
        default=DEFAULT_METHOD,
        metavar="NAME",
        help=f"{names}; chain with +; NAME:paper uses the published parameters, "
        "tree:n=NUMBER the NUMBERth ancestor instead of the second "
        f"(default: {DEFAULT_METHOD})",
    )
    parser.add_argument(
        "--model",
        metavar="FILE",
        help="another model for hybrid (open, which comes with newsclean, or a file), "
        "or another network for visual",
    )
    parser.add_argument(
        "--max-page-size",
        metavar="BYTES",
        type=positive,
        help="leave out larger pages "
        f"(default: {MAX_PAGE_SIZE:,}, and {MAX_SINGLE_SIZE:,} for a single page)",
    )
    parser.add_argument(
        "--url", type=page_url, help="the URL of the page, if it is read from a file"
    )


def page_url(text: str) -> str:
    """Check the URL of a page that a user has typed."""
    if resolve_url(text, None) is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the URL of a page: it needs http:// or https://, and a host"
        )
    return text


def read_source(
    source: str, max_size: int = MAX_SINGLE_SIZE
) -> tuple[bytes, str | None, str | None]:
    """Read a page; return its bytes and, as far as known, its URL and content type."""
    if source == "-":
        body = sys.stdin.buffer.read(max_size + 1)
        return _decompressed(body, "standard input", max_size), None, None
    scheme = _scheme_of(source)
    if scheme in ("http", "https"):
        from newsclean.cli.download import download  # not needed for a file

        body, url, content_type = download(source, max_size)
        return _decompressed(body, source, max_size), url, content_type
    if scheme:
        raise CommandError(f"cannot read {source}: {_ONLY_HTTP}", USAGE)
    return read_file(_path_of(source), max_size), None, None


def is_url(source: str) -> bool:
    return _scheme_of(source) in ("http", "https")


def are_many(sources: list[str]) -> bool:
    """Whether these may be many pages: several sources, a folder or an archive."""
    if len(sources) > 1 or os.path.isdir(sources[0]):
        return True
    name = sources[0].lower()
    if name.endswith(PAGE_SUFFIXES) or not os.path.isfile(sources[0]):
        return False
    from newsclean.archives.archive_index import is_archive  # not needed for one page

    return is_archive(sources[0])


def check_many(sources: list[str]) -> None:
    """Refuse sources that only a single page can have; unreadable files are left out later."""
    for source in sources:
        if source == "-":
            raise CommandError("standard input is one page: - must be the only source", USAGE)
        if (scheme := _scheme_of(source)) and not is_url(source):
            raise CommandError(f"cannot read {source}: {_ONLY_HTTP}", USAGE)
        if not scheme:
            _path_of(source)


def read_file(path: Path, max_size: int = MAX_SINGLE_SIZE) -> bytes:
    """Read a file, and unpack it if it is gzipped."""
    try:
        return read_page_file(str(path), max_size, is_given=True)
    except (*_UNPACKING, ValueError) as error:  # ValueError: a name with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"cannot read {path}: {reason}", UNREADABLE) from None


def page_files(paths: list[str]) -> Iterator[Path]:
    """Yield the files among these paths, and the pages in the folders among them.

    A subfolder that cannot be read is reported and left out.
    """
    for name in paths:
        if _scheme_of(name):
            raise CommandError(f"{name} is not a file or folder", USAGE)
        path = _path_of(name)
        if os.path.isdir(path):
            yield from _pages_in(path)
        elif not os.path.lexists(path):
            raise CommandError(f"cannot read {path}: No such file or directory", UNREADABLE)
        else:
            yield path


def _pages_in(folder: Path) -> list[Path]:
    left_out: list[str] = []
    try:
        found = [
            Path(inner, name)
            for inner, names in ordinary_files(
                str(folder), is_page_name, lambda _, what: left_out.append(str(what))
            )
            for name in names
        ]
    except OSError as error:
        raise CommandError(f"cannot read {folder}: {error.strerror}", UNREADABLE) from None
    for what in left_out[:MAX_NAMED]:
        note(f"left out: {what}")
    if len(left_out) > MAX_NAMED:
        note(f"left out: {len(left_out) - MAX_NAMED:,} more in {folder}")
    if not found:
        raise CommandError(f"no pages ({', '.join(PAGE_SUFFIXES)}) in {folder}", UNREADABLE)
    return sorted(found)


def _scheme_of(source: str) -> str | None:
    found = _SCHEME.match(source)
    return found[1].lower() if found else None


def _path_of(name: str) -> Path:
    if not name.strip():
        raise CommandError("the name of a page is empty", USAGE)
    return Path(name)


def _decompressed(body: bytes, name: str, max_size: int) -> bytes:
    try:
        return unpacked(body, max_size)
    except _UNPACKING as error:
        raise CommandError(f"cannot unpack {name}: {error}", UNREADABLE) from None


class SourcePage(NamedTuple):
    """A page as it was read, with the evidence of its neighbors."""

    body: bytes
    #: None if it was not downloaded
    url: str | None
    content_type: str | None
    page: Page
    evidence: Evidence


def extractor_for(options: argparse.Namespace, *, images: bool = True) -> Extractor:
    """Return the extractor for the options of `add_page_arguments`."""
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
    """Return the extractor for `--method` and `--model`."""
    try:
        return Extractor(
            options.method, model=options.model, images=images, corrections=corrections
        )
    except ModelError as error:
        raise CommandError(f"--model: {error}", USAGE) from None
    except ValueError as error:
        raise CommandError(f"--method: {error}", USAGE) from None


def read_source_page(options: argparse.Namespace, extractor: Extractor) -> SourcePage:
    """Read the page of the options, and learn its neighbors."""
    body, url, content_type = read_source(options.source, options.max_page_size or MAX_SINGLE_SIZE)
    neighborhood = learn(options.neighbors, extractor) if options.neighbors else None
    try:
        page = Page.from_html(body, options.url or url, content_type)
    except PageError as error:
        raise CommandError(f"{options.source}: {error}", UNUSABLE) from None
    if page.is_cut:
        note(f"{options.source}: nested too deeply for the HTML parser, the rest is lost")
    if neighborhood is not None:
        evidence = neighborhood.evidence_on(page)
    else:
        evidence = Evidence(extractor.method.score_blocks(page))
    return SourcePage(body, url, content_type, page, evidence)


def learn(paths: list[str], extractor: Extractor) -> Neighborhood:
    """Learn a neighborhood from the pages at these paths; report pages that cannot be used."""
    files = list(page_files(paths))
    neighborhood = Neighborhood(extractor.method, window=len(files))
    for path in files:
        try:
            neighborhood.learn(read_file(path), str(path))
        except (PageError, CommandError) as error:
            note(f"neighbor {path} left out: {error}")
    return neighborhood


def check_browser(extractor: Extractor, is_asked: bool) -> bool:
    """Whether pages are to be rendered; a missing browser is reported before any work."""
    if not (is_asked or extractor.method.needs_rendering):
        return False
    from newsclean.browser.chromium import BrowserMissingError
    from newsclean.browser.saved_pages import SavedPageRenderer

    try:
        SavedPageRenderer().close()
    except BrowserMissingError as error:
        name = "--render" if is_asked else f"--method {extractor.method.name}"
        raise CommandError(f"{name}: {error}", USAGE) from None
    return True


def rendering_of(source: str, page: Page, body: bytes, content_type: str | None) -> Rendering:
    """Render a page in Chromium; a file with the stylesheets beside it."""
    from newsclean.browser.chromium import BrowserMissingError
    from newsclean.browser.saved_pages import SavedPageRenderer, files_beside
    from newsclean.browser.snapshot import Rendering

    resources = None if source == "-" or is_url(source) else files_beside(Path(source), page.url)
    try:
        with SavedPageRenderer() as renderer:
            return Rendering.of(page, renderer.render(body, page.url, content_type, resources))
    except PageError as error:
        raise CommandError(f"{source}: {error}", UNUSABLE) from None
    except BrowserMissingError as error:
        raise CommandError(str(error), USAGE) from None
