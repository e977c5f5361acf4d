"""The command `newsclean`."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from newsclean import __version__
from newsclean.cli.terminal import USAGE, CommandError, note

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The core commands with their help. The module `newsclean.cli.NAME` is imported only to run the
#: command or to print its help: together the modules import nearly everything.
_COMMANDS = {
    "crawl": "crawl news sites and write their articles as JSON lines",
    "queue": "crawl sites regularly with several workers: add, list, work, retry, remove",
    "site": "find the sections, feeds and sitemaps of a site and write a site file",
    "extract": "extract the article from one page or from many",
    "teach": "correct a site: label what belongs to the article on one of its pages",
    "memory": "manage what crawls have learned: list, show, forget, export, import",
}
#: The entry point group of further commands: applications, the laboratory, other packages. Each
#: entry point names a dictionary like `newsclean.apps.COMMANDS`.
ENTRY_POINTS = "newsclean.commands"

_FIRST_STEPS = """first steps:
  newsclean demo                            see it work, on this machine
  newsclean extract page.html               the article of a page
  newsclean crawl https://example.org/      the articles of a site, in articles.jsonl
  newsclean COMMAND --help                  the options of a command, with examples

"""

EXIT_CODES = """exit codes:
  0  success; also for a page with text that is not an article
  1  the page cannot be used or has no text
  2  wrong arguments, or a missing extra
  3  a file or URL cannot be read or is damaged; of many, the readable ones are written
  4  a crawl cannot write its memory or output, or an index does not answer
  5  some sites of the crawl or report are in trouble
  6  all sites are in trouble: they gave nothing or far less than usual
  7  another crawl with the same memory is crawling one of the domains
  8  all sites sent walls in place of pages: browser checks, consent, log-in
130  interrupted
"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    asked = next((name for name in arguments if not name.startswith("-")), "")
    if sys.stdin is None:  # it was closed
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    try:
        options = parser_for(asked).parse_args(arguments)
        code: int = options.run(options)
    except CommandError as error:
        note(str(error))
        return error.exit_code
    except ModuleNotFoundError as error:
        if asked in _COMMANDS or not is_of_an_extra(error.name or ""):
            raise
        from newsclean.error_hints import install_command

        note(f"{asked} needs {error.name}: {install_command('bench')}")
        return USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        note("interrupted")
        return 130
    return code


def parser_for(asked: str) -> argparse.ArgumentParser:
    """Return the parser of all commands, with the arguments of the requested one only."""
    parser = argparse.ArgumentParser(
        prog="newsclean",
        description="Crawl news sites and extract clean articles from their pages.",
        epilog=_FIRST_STEPS + EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"newsclean {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    known = {name: (what, f"newsclean.cli.{name}") for name, what in _COMMANDS.items()}
    if asked not in known:
        known |= _plugged_in()
    for name, (what, module) in known.items():
        command = commands.add_parser(
            name, help=what, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == asked:
            import_module(module).add_arguments(command)
    return parser


def _plugged_in() -> dict[str, tuple[str, str]]:
    """Return the help and the module of each command that an entry point names."""
    found: dict[str, tuple[str, str]] = {}
    for entry in sorted({entry for folder in sys.path for entry in _entry_points(folder or ".")}):
        module, _, name = entry.partition(":")
        try:
            found |= getattr(import_module(module), name)
        except ModuleNotFoundError:  # not installed: the laboratory may be left out
            continue
    return found


def _entry_points(folder: str) -> Iterator[str]:
    """Yield the entry points of the group that the packages installed in a folder have.

    `importlib.metadata` finds the same, but its import takes longer than the rest of `--help`.
    """
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            try:
                with open(f"{folder}/{name}/entry_points.txt", encoding="utf-8") as file:
                    _, _, group = file.read().partition(f"[{ENTRY_POINTS}]\n")
            except (OSError, UnicodeDecodeError):
                continue
            for line in filter(str.strip, group.partition("\n[")[0].splitlines()):
                yield line.partition("=")[2].partition("[")[0].strip()


def is_of_an_extra(module: str) -> bool:
    """Whether a missing module is optional: of another project, or of the laboratory."""
    return module.split(".")[0] != "newsclean" or module.split(".")[1:2] == ["lab"]
