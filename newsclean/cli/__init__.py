"""The command `newsclean`."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from newsclean import __version__
from newsclean.cli.errors import USAGE, CommandError
from newsclean.cli.terminal import note

#: The commands of the product and what each does. A module `newsclean.cli.NAME` is imported only to
#: run its command, or to print its help: together they need most of what there is to import.
PRODUCT = {
    "crawl": "crawl news sites and write their articles as JSON lines",
    "queue": "sites that several workers crawl again and again: add, list, work, retry, remove",
    "report": "how the sites are, and how they were in the runs before",
    "site": "look at a home page and write a site file",
    "extract": "print the article of a page, or of many",
    "look": "show on the page itself what was taken, what was left, and why",
    "teach": "correct a site by what belongs to the article of one of its pages",
    "serve": "show sites, kept pages and why in the browser, and teach by clicks",
    "read": "write articles as pages to read, with lists and a feed",
    "index": "make articles searchable",
    "search": "find articles in an index",
    "memory": "what has been learned of the sites: list, show, forget, export, import",
}
#: Commands that are no part of the product: what each does, and its module. Nobody else needs the
#: laboratory, or what it depends on.
LATE = {
    "demo": ("crawl a small news world on this machine and show the result", "demo.command"),
    "evaluate": (
        "measure methods and other tools against gold texts",
        "lab.evaluate_command",
    ),
    "train": ("train the models that newsclean comes with on a corpus", "lab.train_command"),
}
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
        if asked not in LATE or not is_of_an_extra(error.name or ""):
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
    product = {name: (what, f"cli.{name}") for name, what in PRODUCT.items()}
    for name, (what, module) in (product | LATE).items():
        command = commands.add_parser(
            name, help=what, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == asked:
            import_module(f"newsclean.{module}").add_arguments(command)
    return parser


def is_of_an_extra(module: str) -> bool:
    """Whether a module that is missing may be: one of another project, or all of the laboratory."""
    return module.split(".")[0] != "newsclean" or module.split(".")[1:2] == ["lab"]
