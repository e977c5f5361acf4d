"""The command `newsclean`."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from newsclean import __version__
from newsclean.cli.terminal import USAGE, CommandError, note

#: The commands of the product: what each does. Its module, `newsclean.cli.NAME`, is imported only
#: to run it or to print its help: together they import nearly everything.
_COMMANDS = {
    "crawl": "crawl news sites and write their articles as JSON lines",
    "queue": "sites that several workers crawl again and again: add, list, work, retry, remove",
    "report": "show the state of each site, now and in earlier runs",
    "site": "look at a home page and write a site file",
    "extract": "print the article of a page, or of many",
    "teach": "correct a site: label what belongs to the article on one of its pages",
    "memory": "what has been learned about the sites: list, show, forget, export, import",
}
#: The entry points of other commands: optional applications, the laboratory, or another package.
#: Each names a dictionary like `newsclean.apps.COMMANDS`.
ENTRY_POINTS = "newsclean.commands"
HOW_TO_GET = "pip install 'newsclean[bench]'"

EXIT_CODES = """exit codes:
  0  done
  1  the page cannot be used, or has no text; one that is no article, yet has text, is 0
  2  wrong arguments, or an extra that is not installed
  3  a file or URL cannot be read, or is damaged; what could be read of many is written
  4  a crawl's memory or output can no longer be written, or an index does not answer
  5  some sites of a crawl, or of a report, are in trouble
  6  all of them are, and gave far less than they usually do
  7  another crawl with the same memory is at work on one of the domains
130  interrupted
"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    asked = next((name for name in arguments if not name.startswith("-")), "")
    try:
        options = parser_for(asked).parse_args(arguments)
        code: int = options.run(options)
    except CommandError as error:
        note(str(error))
        return error.exit_code
    except ModuleNotFoundError as error:
        if asked in _COMMANDS or not is_of_an_extra(error.name or ""):
            raise
        note(f"{asked} needs {error.name}: {HOW_TO_GET}")
        return USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    return code


def parser_for(asked: str) -> argparse.ArgumentParser:
    """The parser of all commands; of each but the one that is asked for, only what it does."""
    parser = argparse.ArgumentParser(
        prog="newsclean",
        description="From news pages to articles, with what a site's own pages teach.",
        epilog=EXIT_CODES,
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
    """Return the commands of the entry points: what each does, and its module."""
    from importlib.metadata import entry_points  # takes longer than most commands need to start

    found: dict[str, tuple[str, str]] = {}
    for entry in sorted(entry_points(group=ENTRY_POINTS)):
        try:
            found |= entry.load()
        except ModuleNotFoundError:  # left out of this installation, as the laboratory may be
            continue
    return found


def is_of_an_extra(module: str) -> bool:
    """Whether a module that is missing may be: one of another project, or all of the laboratory."""
    return module.split(".")[0] != "newsclean" or module.split(".")[1:2] == ["lab"]
