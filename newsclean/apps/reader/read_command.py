"""`newsclean read`: write the articles of JSON lines as web pages."""

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
    Progress,
    for_terminal,
    note,
)
from newsclean.extraction.text import counted

if TYPE_CHECKING:
    from newsclean.apps.reader.catalogue import Catalogue
    from newsclean.apps.reader.reading_site import OutputFolder


#: Broken lines to report; the others are counted.
_MAX_NAMED = 20

_DESCRIPTION = """Write a clean page for each article, with lists by site, section and day, and an
Atom feed. Open the files from disk, or put them on any web server.

Only changed files are written again. If an article is in the input several
times, its latest state is used. Pages of articles that are no longer in the
input are removed, unless a line is broken or --keep is given. Other files in the
folder are never touched."""

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
    parser.add_argument(
        "-o", "--out", metavar="FOLDER", type=Path, required=True, help="output folder"
    )
    parser.add_argument("--title", default="News", help="title of all pages (default: News)")
    parser.add_argument(
        "--no-images", action="store_true", help="leave out pictures, so that pages load nothing"
    )
    parser.add_argument("--all", action="store_true", help="include pages that are not articles")
    parser.add_argument(
        "--keep", action="store_true", help="keep pages of articles that are no longer in the input"
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        type=_web_folder,
        help="where the pages will be published, for absolute URLs in the feed",
    )
    parser.set_defaults(run=run)


def _web_folder(text: str) -> str:
    """Return the URL of a folder, with a slash at its end."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the URL of a folder: http(s)://host/path/"
        )
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
            raise CommandError(f"no articles in the input ({left_out(catalogue)})", UNUSABLE)
        choices = Options(text(options.title) or "News", not options.no_images, options.base_url)
        with Progress("articles") as progress:
            ReaderSite(catalogue, options.files, choices).build(out, progress.advance)
            out.finish(remove=not options.keep and not catalogue.broken)
    except FolderError as error:
        raise CommandError(f"--out: {error}", USAGE) from None
    except BrokenLineError:
        message = "a file changed while it was read: run the command again"
        raise CommandError(message, UNREADABLE) from None
    except OSError as error:
        name = error.filename or options.out
        raise CommandError(f"{name}: {error.strerror or error}", UNREADABLE) from None
    say_result(catalogue, out)
    print(for_terminal(str(options.out / "index.html")))
    return 0


def _check_files(files: list[Path]) -> None:
    """Refuse input that cannot be read twice, before anything is written."""
    for path in files:
        if not path.exists():
            raise CommandError(f"{path}: no such file", UNREADABLE)
        if not path.is_file():
            raise CommandError(f"{path} is not a file with JSON lines", UNREADABLE)


def _name_broken(catalogue: Catalogue, files: list[Path]) -> None:
    for place, problem in catalogue.broken[:_MAX_NAMED]:
        note(f"{files[place.file]}, line {place.number}: {problem}")
    if (more := len(catalogue.broken) - _MAX_NAMED) > 0:
        note(f"and {counted(more, 'more such line')}")


def left_out(catalogue: Catalogue) -> str:
    counts = {
        ("broken line", "broken lines"): len(catalogue.broken),
        ("page that is not an article", "pages that are not articles"): catalogue.no_articles,
        ("older state of an article", "older states of articles"): catalogue.older_states,
    }
    return ", ".join(counted(count, *what) for what, count in counts.items() if count) or (
        "it is empty"
    )


def say_result(catalogue: Catalogue, out: OutputFolder) -> None:
    sites = len({entry.site for entry in catalogue.entries})
    note(
        f"{counted(len(catalogue.entries), 'article')} of {counted(sites, 'site')}: "
        f"{counted(out.written, 'file')} written, {len(out.made) - out.written:,} unchanged, "
        f"{out.removed:,} removed"
    )
    if catalogue.broken or catalogue.no_articles or catalogue.older_states:
        note(f"left out: {left_out(catalogue)}")
    if catalogue.broken:
        note("no page was removed, because its article may be in a broken line")
