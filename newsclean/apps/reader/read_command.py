"""`newsclean read`: the articles of JSON lines as pages to read."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from newsclean.cli.terminal import (
    UNREADABLE,
    UNUSABLE,
    USAGE,
    CommandError,
    for_terminal,
    note,
    progress,
)

if TYPE_CHECKING:
    from newsclean.apps.reader.catalogue import Catalogue
    from newsclean.apps.reader.reading_site import OutputFolder


#: Broken lines that are named; the others are counted.
_MAX_NAMED = 20

_DESCRIPTION = """Write a clean page for each article, with lists by site, section and day, and an
Atom feed: files that can be read from the disk or put on any web server.

Only what has changed is written again. Of an article that is in the input several
times the last state counts. What is no longer in the input is removed, unless a
line was broken or --keep is given; other files in the folder are never touched."""

_EXAMPLES = """examples:
  newsclean read articles.jsonl --out site
  newsclean read monday.jsonl tuesday.jsonl --out site --title "Our week" --no-images
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "files", metavar="FILE", nargs="+", type=Path, help="JSON lines, also gzipped"
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="for the pages")
    parser.add_argument("--title", default="News", help="of all pages (default: News)")
    parser.add_argument(
        "--no-images", action="store_true", help="no pictures, and so no request at all"
    )
    parser.add_argument(
        "--all", action="store_true", help="also pages that the line says are no articles"
    )
    parser.add_argument(
        "--keep", action="store_true", help="leave pages of articles that the input no longer has"
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        type=_web_folder,
        help="where the pages will be, for whole addresses in the feed; pages need none",
    )
    parser.set_defaults(run=run)


def _web_folder(text: str) -> str:
    """The address of a folder on the web, with its slash."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(f"{text!r} is not the address of a folder on the web")
    return text if text.endswith("/") else f"{text}/"


def run(options: argparse.Namespace) -> int:
    from newsclean.apps.reader.article_pages import text
    from newsclean.apps.reader.catalogue import read_catalogue
    from newsclean.apps.reader.reading_site import FolderError, Options, OutputFolder, ReaderSite
    from newsclean.files import BrokenLineError

    _check_files(options.files)
    try:
        out = OutputFolder(options.out)
        catalogue = read_catalogue(options.files, everything=options.all)
        _name_broken(catalogue, options.files)
        if not catalogue.entries:
            raise CommandError(f"no article in the input ({left_out(catalogue)})", UNUSABLE)
        choices = Options(text(options.title) or "News", not options.no_images, options.base_url)
        with progress() as report:
            ReaderSite(catalogue, options.files, choices).build(out, report)
            out.finish(remove=not options.keep and not catalogue.broken)
    except FolderError as error:
        raise CommandError(f"--out: {error}", USAGE) from None
    except BrokenLineError:
        message = "a file was changed while it was read: start again, all else is kept"
        raise CommandError(message, UNREADABLE) from None
    except OSError as error:
        name = error.filename or options.out
        raise CommandError(f"{name}: {error.strerror or error}", UNREADABLE) from None
    say_result(catalogue, out)
    print(for_terminal(str(options.out / "index.html")))
    return 0


def _check_files(files: list[Path]) -> None:
    """Refuse what cannot be read twice before anything is written."""
    for path in files:
        if not path.exists():
            raise CommandError(f"{path}: no such file", UNREADABLE)
        if not path.is_file():
            raise CommandError(f"{path} is not a file; newsclean read wants JSON lines", UNREADABLE)


def _name_broken(catalogue: Catalogue, files: list[Path]) -> None:
    for place, problem in catalogue.broken[:_MAX_NAMED]:
        note(f"{files[place.file]}, line {place.number}: {problem}")
    if (more := len(catalogue.broken) - _MAX_NAMED) > 0:
        note(f"and {more:,} more such lines")


def left_out(catalogue: Catalogue) -> str:
    counts = {
        "broken lines": len(catalogue.broken),
        "pages that are no articles": catalogue.no_articles,
        "other states of an article": catalogue.older_states,
    }
    return (
        ", ".join(f"{count:,} {what}" for what, count in counts.items() if count) or "it is empty"
    )


def say_result(catalogue: Catalogue, out: OutputFolder) -> None:
    sites = len({entry.site for entry in catalogue.entries})
    note(
        f"{len(catalogue.entries):,} articles of {sites:,} {'site' if sites == 1 else 'sites'}: "
        f"{out.written:,} files written, {len(out.made) - out.written:,} as they were, "
        f"{out.removed:,} removed"
    )
    if catalogue.broken or catalogue.no_articles or catalogue.older_states:
        note(f"left out: {left_out(catalogue)}")
    if catalogue.broken:
        note("no page was removed: its article may be in a line that is broken")
