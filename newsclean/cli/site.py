"""`newsclean site`: find the sections, feeds and sitemaps of a site and write a site file."""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from newsclean.cli.terminal import (
    UNREADABLE,
    UNUSABLE,
    USAGE,
    CommandError,
    for_terminal,
    print_table,
)
from newsclean.discovery.public_addresses import AddressPolicy
from newsclean.extraction.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.robotstxt import RobotParser

    from newsclean.discovery.site_survey import Survey, SurveyError, Tried

_DESCRIPTION = """Write a site file for `newsclean crawl --sites`, from the home page of a site.

The command tries the sections in the menu of the page, the feeds that it
declares and the sitemaps in robots.txt. It makes at most 32 requests, one after
the other, and none that robots.txt forbids. Whatever leads to articles goes into
the site file; the rest is listed in comments, with the reason. Check the file
before you crawl.

With --discover, the command writes a site file for each site of a list: one
domain or URL per line, further words and what follows # are ignored. Several
sites are looked at side by side. Sites that have a file are skipped: run the
same command again to complete a list that was interrupted."""

_EPILOG = """exit codes with --discover:
  130  interrupted
  2    wrong arguments
  3    the list cannot be read, or a site file cannot be written
  6    no site of the list led to articles
  5    some sites of the list did not
  0    all sites of the list have a file

examples:
  newsclean site https://example.org/ --out sites/example.toml
  newsclean site --discover domains.txt
  newsclean crawl --country no --list | newsclean site --discover - --out sites/no"""

#: Seconds between two requests.
DELAY, _MAX_DELAY = 1.0, 3600
#: What the message says if there are no rules: RFC 9309, 2.3.1.3.
_NO_RULES = re.compile("HTTP Error [34]")
#: The folder of site files.
FOLDER = Path("sites")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EPILOG
    parser.add_argument("url", metavar="URL", nargs="?", help="home page")
    parser.add_argument(
        "--discover",
        metavar="LIST",
        help="write a site file for each site of this list: a file, or - for the standard input",
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        type=Path,
        help="the site file to write (default: sites/HOST.toml); "
        "with --discover, the folder of the site files (default: sites)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite existing files")
    parser.add_argument(
        "--delay", type=_seconds, default=DELAY, metavar="SECONDS",
        help=f"delay between two requests (default: {DELAY:g})",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.discovery.site_files import checked_url
    from newsclean.discovery.site_survey import SurveyError, survey

    if (options.url is None) == (options.discover is None):
        raise CommandError("give either the URL of a home page, or --discover LIST", USAGE)
    if options.discover is not None:
        from newsclean.cli.site_list import discover

        return discover(options.discover, options.out or FOLDER, options.delay, options.force)
    try:
        url = checked_url(options.url)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    path: Path = options.out or FOLDER / file_name(url)
    if path.suffix != ".toml":
        raise CommandError(f"--out {path}: the name of a site file ends in .toml", USAGE)
    if path.exists() and not options.force:
        raise CommandError(f"{path} exists: --force overwrites it", USAGE)
    try:
        found = survey(url, PoliteDownloads(url, options.delay))
    except SurveyError as error:
        raise CommandError(str(error), UNREADABLE) from None
    useful = [one for one in found.tried if one.is_useful]
    show(useful or found.tried, found.home)
    if not useful:
        raise CommandError(f"{url}: nothing leads to articles, no file written", UNUSABLE)
    write_site_file(path, found)
    if left_out := len(found.tried) - len(useful):
        print(
            f"not leading to articles: {counted(left_out, 'other')}; see the comments in the file"
        )
    print(f"written to {path}: newsclean crawl --sites {path.parent} --only {path.stem}")
    return 0


def _seconds(text: str) -> float:
    """Read a delay; a number that is not one would mean no delay at all."""
    seconds = float(text)
    if not 0 <= seconds <= _MAX_DELAY:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to {_MAX_DELAY:,}")
    return seconds


def file_name(url: str) -> str:
    """Return the name of the site file for a home page.

    >>> file_name("https://www.example.org/news"), file_name("http://127.0.0.1:8001/")
    ('example.org.toml', '127.0.0.1-8001.toml')
    """
    from newsclean.urls import site_of

    host = (site_of(url) or "").replace(":", "-")
    return f"{host.strip('[]')}.toml"


def write_site_file(path: Path, found: Survey) -> None:
    """Write the site file of a survey, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            unfinished.write_text(_site_file(found), "utf-8", "replace")
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}", UNREADABLE) from None


class PoliteDownloads:
    """Downloads pages one after the other, as robots.txt allows.

    Of private addresses, only those of the host of the home page are connected to.
    """

    def __init__(self, home: str, delay: float) -> None:
        self.delay = delay
        self.policy = AddressPolicy()
        self.policy.ask_for(urlsplit(home).hostname or "")
        #: by URL: the rules, None if there are none, or why the host must be left alone
        self.robots: dict[str, RobotParser | SurveyError | None] = {}
        self._last = 0.0

    def __call__(self, url: str) -> tuple[bytes, str, str | None]:
        from newsclean.discovery.site_survey import SurveyError
        from newsclean.settings import USER_AGENT

        rules_url = urljoin(url, "/robots.txt")
        if rules_url not in self.robots:
            self.robots[rules_url] = self.read_robots(rules_url)
        rules = self.robots[rules_url]
        if isinstance(rules, SurveyError):
            raise SurveyError(str(rules))
        if rules is not None and url != rules_url and not rules.allowed(url, USER_AGENT):
            raise SurveyError(f"robots.txt forbids {url}")
        try:
            return self.download(url)
        except CommandError as error:
            raise SurveyError(str(error)) from None

    def read_robots(self, url: str) -> RobotParser | SurveyError | None:
        """Read the rules of a host. As in a crawl, it is left alone if they cannot be had."""
        from scrapy.robotstxt import ProtegoRobotParser

        from newsclean.discovery.site_survey import SurveyError

        try:
            body, _, _ = self.download(url)
        except CommandError as error:
            return None if _NO_RULES.search(str(error)) else SurveyError(str(error))
        return ProtegoRobotParser(body, None)

    def download(self, url: str) -> tuple[bytes, str, str | None]:
        from newsclean.cli.download import download

        time.sleep(max(0.0, self._last + self.delay - time.monotonic()))
        try:
            return download(url, policy=self.policy)
        finally:
            self._last = time.monotonic()


def show(tried: Sequence[Tried], home: str) -> None:
    """Print what leads to articles, or why nothing does."""
    from rich.table import Table
    from rich.text import Text

    table = Table("", box=None)
    table.add_column("URL", overflow="fold")
    table.add_column("articles", overflow="fold")
    for one in tried:
        table.add_row(
            one.kind,
            Text(for_terminal(_from_home(one.url, home))),
            Text(
                str(one.articles) if one.is_useful else for_terminal(_from_home(one.problem, home))
            ),
        )
    print_table(table)


def _from_home(text: str, home: str) -> str:
    """Shorten the URLs of the home page's host to their paths.

    >>> _from_home("http://a.example/sport", "http://a.example/"), _from_home("b", "http://a/")
    ('/sport', 'b')
    """
    return text.replace(urljoin(home, "/"), "/")


def _site_file(found: Survey) -> str:
    """Return the text of the site file, with comments on what was found."""
    lines = [f"# {_comment(found.home)}", f"name = {_text(found.title or found.home)}"]
    for kind, key in (("feed", "feeds"), ("sitemap", "sitemaps")):
        useful = [one for one in found.tried if one.kind == kind and one.is_useful]
        if useful:
            lines += [f"{key} = ["]
            lines += [
                f"    {_text(one.url)},  # names {counted(one.articles, 'article')}"
                for one in useful
            ]
            lines += ["]"]
    left_out = [one for one in found.tried if not one.is_useful]
    lines += [f"# left out: {one.kind} {_comment(one.url)}: {_comment(one.problem)}"
              for one in left_out]  # fmt: skip
    for one in found.useful("section"):
        lines += ["", *_section(one)]
    return "\n".join(lines) + "\n"


def _section(one: Tried) -> list[str]:
    label = f"{_comment(one.label)}: " if one.label else ""
    return [
        f"[[section]]  # {label}{counted(one.articles, 'link')} to articles",
        f"url = {_text(one.url)}",
    ]


def _text(value: str) -> str:
    """Return a TOML string: the same as in JSON, except for U+007F."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    return " ".join(for_terminal(text).split())
