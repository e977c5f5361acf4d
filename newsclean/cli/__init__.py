"""The command `newsclean`."""

from __future__ import annotations

import argparse
import sys

from newsclean import __version__
from newsclean.cli import articles, demo, evaluate, extract, memory, train, tune
from newsclean.cli.errors import CommandError

EXIT_CODES = """exit codes:
  0  done
  1  the page cannot be used, or has no text; one that is no article, yet has text, is 0
  2  wrong arguments
  3  a file or URL cannot be read
"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="newsclean",
        description="From news pages to articles, with what a site's own pages teach.",
        epilog=EXIT_CODES + "\nTo crawl a site: scrapy crawl news -a url=https://…/section",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"newsclean {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (extract, evaluate, tune, train, articles, memory, demo):
        command.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
    except CommandError as error:
        print(f"newsclean: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
    return code
