"""`newsclean teach`: correct a site by what belongs to the article of one of its pages."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.cli.corrections import SITES, corrections_file
from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.page_arguments import page_address
from newsclean.cli.source_page import make_extractor
from newsclean.cli.sources import is_url
from newsclean.cli.terminal import note
from newsclean.extraction.corrections import FIELDS, Corrections, CorrectionsError
from newsclean.extraction.corrections.correction_files import site_file_path
from newsclean.extraction.methods import DEFAULT_METHOD
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from newsclean import Extractor

DESCRIPTION = """Correct a site by one of its pages: say what belongs to the article.

What is learned is not the text but its slot: the place in the site's template. It
speaks only where it contradicts the method on the page that you correct. First
comes what would change on the other pages of the site, those that crawls have kept
or --pages; --accept saves it, beside the site file, in NAME.corrections.toml, and
crawls, newsclean extract --site and newsclean.extract(site=...) use it from then on."""

EXAMPLES = """examples:
  newsclean teach --page https://example.org/story --exclude "Sign up for our"
  newsclean teach --page story.html --url https://example.org/story --include "The mayor"
  newsclean teach --page https://example.org/story --text article.txt --accept
  newsclean teach --page pages/ --text golds/ --site example --accept
  newsclean teach --site example --list
  newsclean teach --site example --undo 3f2a90c1
  newsclean teach --suggest
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--page", metavar="URL|FILE|FOLDER", help="the page that you correct; a folder with --text")
    add("--url", type=page_address, help="the page's address, if FILE does not tell it")
    words: dict[str, Any] = {"metavar": "WORDS", "action": "append", "default": []}
    add("--include", help="the first words of a block that belongs to the article", **words)
    add("--exclude", help="the first words of a block that does not", **words)
    for name in FIELDS:
        add(f"--{name}", metavar="WORDS", help=f"the first words of the block with the {name}")
    add("--text", metavar="FILE|FOLDER", help="the whole text of the article, NAME.txt in a folder")
    add("--note", default="", help="a note that is kept with the correction")
    add("--site", metavar="NAME|FILE", help="the site file, or its name; else by the address")
    add("--sites", metavar="FOLDER", type=Path, default=SITES, help="default: sites")
    add("--pages", metavar="PATH", nargs="+", help="other pages of the site, else the kept ones")
    add("--memory", metavar="FILE", help="another memory: a file, or postgresql://…")
    add("--method", default=DEFAULT_METHOD, metavar="NAME", help=f"default: {DEFAULT_METHOD}")
    add("--model", metavar="FILE", help="another model for hybrid")
    actions = parser.add_mutually_exclusive_group()
    act = actions.add_argument
    act("--accept", action="store_true", help="save the correction")
    act("--undo", metavar="ID", nargs="+", help="take corrections back")
    act("--list", action="store_true", help="the corrections of a site, conflicts, what is asleep")
    act("--suggest", action="store_true", help="the pages where a correction would bring most")
    parser.set_defaults(run=run)


@dataclass(frozen=True)
class TaughtSite:
    """A site, its corrections as they are, and where they are saved."""

    path: Path
    corrections: Corrections


def run(options: argparse.Namespace) -> int:
    from newsclean.cli import teach_site, teach_suggest

    if options.suggest:
        return teach_suggest.run(options, extractor_for(options))
    site = site_for(options)
    if options.undo:
        return undo(options, site)
    extractor = extractor_for(options, site.corrections)
    if options.list:
        return teach_site.show(options, site, extractor)
    if not options.page:
        raise CommandError("say which page: --page URL or FILE (or --list, --suggest)", USAGE)
    if not (options.include or options.exclude or options.text or any_field(options)):
        raise CommandError("say what is wrong: --include, --exclude, --text or a field", USAGE)
    return teach_site.teach(options, site, extractor)


def any_field(options: argparse.Namespace) -> bool:
    return any(getattr(options, name) for name in FIELDS)


def extractor_for(options: argparse.Namespace, corrections: Corrections | None = None) -> Extractor:
    extractor = make_extractor(options, corrections)
    if extractor.method.needs_rendering:
        raise CommandError(
            f"--method: {options.method} needs rendered pages, teach has none", USAGE
        )
    return extractor


def site_for(options: argparse.Namespace) -> TaughtSite:
    """The site that the options name, or that of the page's address."""
    from newsclean.teaching.site_corrections import corrections_file_of

    url = options.url or (options.page if options.page and is_url(options.page) else None)
    if options.site is not None:
        path = corrections_file(options.site, options.sites)
    elif url:
        path = corrections_file_of(url, options.sites)
    else:
        raise CommandError("say which site: --site NAME, or --url with the page's address", USAGE)
    if path.exists():
        try:
            return TaughtSite(path, Corrections.read(path))
        except CorrectionsError as error:
            raise CommandError(str(error), UNREADABLE) from None
    return TaughtSite(path, Corrections(host_of(options, path, url)))


def host_of(options: argparse.Namespace, path: Path, url: str | None) -> str:
    """The host name of a site that has no corrections yet."""
    from newsclean.teaching.site_corrections import site_domains

    if url and (site := site_of(url)):
        return registered_domain(site)
    domains = sorted(site_domains(site_file_path(path)))
    if not domains:
        raise CommandError(
            f"{path} does not exist and no site file is beside it: name the site by --url", USAGE
        )
    return domains[0]


def undo(options: argparse.Namespace, site: TaughtSite) -> int:
    try:
        left = site.corrections.without(*options.undo)
    except KeyError as error:
        raise CommandError(f"--undo: {error.args[0]}", USAGE) from None
    save(site.path, left)
    note(f"{len(site.corrections) - len(left)} taken back, {len(left)} left in {site.path}")
    return 0


def save(path: Path, corrections: Corrections) -> None:
    try:
        corrections.write(path)
    except CorrectionsError as error:
        raise CommandError(str(error), UNUSABLE) from None
