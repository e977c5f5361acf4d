"""`newsclean crawl`: a crawl without a Scrapy project, of one site or of a folder of site files."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.cli.terminal import UNREADABLE, USAGE, CommandError, note, positive

if TYPE_CHECKING:
    from newsclean.cli.crawl_process import CrawlResult


# The arguments of commands that run the spider `news`.


def add_spider_arguments(parser: argparse.ArgumentParser) -> None:
    """What the spider and Scrapy are given, and the memory."""
    parser.add_argument(
        "-a", dest="arguments", metavar="NAME=VALUE", action="append", default=[],
        help="an argument of the spider `news`, like pages=2",
    )  # fmt: skip
    parser.add_argument(
        "-s", dest="settings", metavar="NAME=VALUE", action="append", default=[],
        help="a setting of Scrapy's or of newsclean's",
    )  # fmt: skip
    parser.add_argument(
        "--memory", metavar="FILE", help="another memory: a file, or postgresql://…"
    )


def spider_arguments(options: argparse.Namespace) -> dict[str, str]:
    """The arguments of `-a`; what is crawled is not among them."""
    arguments = assignments("-a", options.arguments)
    for name in ("url", "site"):
        if name in arguments:
            raise CommandError(f"-a {name}=: name URLs without -a, and site files as well", USAGE)
    return arguments


def spider_settings(options: argparse.Namespace) -> dict[str, str]:
    """The settings of `-s` and `--memory`."""
    settings = assignments("-s", options.settings)
    if options.memory:
        settings["NEWSCLEAN_MEMORY"] = options.memory
    return settings


def assignments(option: str, given: list[str]) -> dict[str, str]:
    """The names and values of an option that takes `NAME=VALUE`.

    >>> assignments("-s", ["DOWNLOAD_DELAY=3"])
    {'DOWNLOAD_DELAY': '3'}
    """
    pairs = [text.partition("=") for text in given]
    for name, sign, value in pairs:
        if not name or not sign:
            raise CommandError(f"{option} {name}{sign}{value}: it takes NAME=VALUE", USAGE)
    return {name: value for name, _, value in pairs}


#: Sites that one process crawls; more are shared among several processes.
_MAX_SITES_PER_PROCESS = 25
#: Site files that are named for one reason.
_MAX_NAMED = 10
_OUTPUT = "articles.jsonl"
#: Names of standard output, which a worker has for its reports.
_STANDARD_OUTPUTS = ("-", "stdout:", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
#: Suffixes of formats that crawl does not write.
_OTHER_FORMATS = (".json", ".xml", ".pickle", ".marshal", ".gz")

_DESCRIPTION = f"""Crawl news sites and write their articles as JSON lines.

Works in any folder, without a Scrapy project, with newsclean's own settings
(newsclean.settings): it obeys robots.txt and is gentle with the sites. Each
article is written once, and again when it has changed: what was written is
remembered in .scrapy/newsclean/memory.sqlite in this folder (inside a Scrapy
project, in the project's data folder), where `newsclean memory` and `scrapy
crawl` look for it too; --memory names another file. A crawl that was ended or
killed is completed by the same command.

With --sites, all site files (*.toml) of a folder are crawled, up to
{_MAX_SITES_PER_PROCESS} sites in a process. Processes share the memory and the output."""

_EXIT_CODES = """exit codes, of several processes the one that comes first here:
  130  interrupted (Ctrl-C, SIGTERM); the same command completes the crawl
  4    the memory or the output can no longer be written, or a process has died
  7    another crawl with the same memory is at work on one of the domains
  2    wrong arguments or settings
  3    a site file or, of all sites, no start page could be read
  1    no start page leads to articles, or none of them could be had; with --reextract, no page is
       kept
  6    all sites gave far less than they usually do, or nothing
  5    some of the sites are in such trouble, the others are not
  0    done, also if nothing is new

examples:
  newsclean crawl https://example.org/
  newsclean crawl https://example.org/sport https://example.net/ -o sport.jsonl --since 7d
  newsclean crawl --sites sites/ --only example,other -s DOWNLOAD_DELAY=3
  newsclean crawl https://example.org/ --reextract -o again.jsonl
"""


@dataclass(frozen=True)
class CrawlPlan:
    """What the processes of a crawl have in common."""

    output: str
    #: the folder of site files, None if the crawl is of URLs
    folder: str | None = None
    arguments: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    report: str | None = None
    log: str | None = None
    is_verbose: bool = False
    spider: str = "news"

    @property
    def what(self) -> str:
        """What is counted at the end."""
        is_news = self.spider == "news"
        return "new or changed articles" if is_news else "articles made again of kept pages"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXIT_CODES
    parser.add_argument("urls", metavar="URL", nargs="*", help="home pages or sections")
    parser.add_argument("--sites", metavar="FOLDER", help="crawl the site files of this folder")
    parser.add_argument("--only", metavar="NAME,…", help="with --sites: only these of them")
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=positive,
        help="with --sites: how many processes run at a time (default: one for up to "
        f"{_MAX_SITES_PER_PROCESS} sites, else as many as there are processors)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", default=_OUTPUT,
        help=f"JSON lines, or CSV if it ends so, to which is appended (default: {_OUTPUT})",
    )  # fmt: skip
    parser.add_argument(
        "--reextract",
        action="store_true",
        help="download nothing: make the articles of kept pages again, by the method and model of "
        "now; they say so in their field `extraction`",
    )
    parser.add_argument("--since", metavar="DATE|AGE", help="only articles from then on: 7d")
    parser.add_argument("--until", metavar="DATE|AGE", help="only articles before: 2026-03-14")
    parser.add_argument("--limit", metavar="N", help="at most N articles of each site, the newest")
    add_spider_arguments(parser)
    parser.add_argument(
        "--report", metavar="FILE", help="write what each site gave, and how it is, as JSON"
    )
    parser.add_argument("--log", metavar="FILE", help="write the log to a file, and none to here")
    parser.add_argument("-v", "--verbose", action="store_true", help="log more than warnings")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from newsclean.cli.crawl_process import crawl  # Scrapy is slow to import
    from newsclean.cli.crawl_workers import crawl_in_workers

    plan = _plan_of(options)
    if options.sites is None:
        if options.only is not None or options.jobs is not None:
            raise CommandError("--only and --jobs go with --sites", USAGE)
        if not options.urls:
            raise CommandError("say what to crawl: URLs, or --sites FOLDER", USAGE)
        # The spider takes addresses between commas.
        urls = ",".join(url.replace(",", "%2C") for url in options.urls)
        result = crawl(plan, {"url": urls})
        _save_report(plan, result)
        return result.show(plan.output, what=plan.what)
    if options.urls:
        raise CommandError("crawl takes URLs or --sites, one of them", USAGE)
    sites, bad = usable_sites(Path(options.sites), options.only)
    names, parts = list(sites), _parts_of(sites, options.jobs)
    if len(parts) > 1 and options.output.removeprefix("file://") in _STANDARD_OUTPUTS:
        raise CommandError("several processes cannot share standard output: name a file", USAGE)
    if len(parts) > 1 and options.output.lower().endswith(".csv"):
        raise CommandError("several processes cannot share a CSV file: name one .jsonl", USAGE)
    if len(parts) == 1:
        result = crawl(plan, {"site": ",".join(names)})
    else:
        result = crawl_in_workers(plan, parts, options.jobs or os.cpu_count() or 1)
    _save_report(plan, result)
    return result.show(plan.output, sites=len(names), bad_files=bad, what=plan.what)


def _plan_of(options: argparse.Namespace) -> CrawlPlan:
    """The options as a spider and Scrapy take them."""
    if options.output.lower().endswith(_OTHER_FORMATS):
        raise CommandError(
            f"-o {options.output}: crawl writes JSON lines and CSV; call it .jsonl or .csv, or set "
            "FEEDS in a Scrapy project for other formats",
            USAGE,
        )
    arguments = spider_arguments(options)
    for name in ("since", "until", "limit"):
        if (value := getattr(options, name)) is not None:
            arguments[name] = value
    settings = spider_settings(options)
    if options.sites is not None:
        settings["NEWSCLEAN_SITES"] = options.sites
    return CrawlPlan(
        options.output,
        options.sites,
        arguments,
        settings,
        options.report,
        options.log,
        options.verbose,
        "reextract" if options.reextract else "news",
    )


def _save_report(plan: CrawlPlan, result: CrawlResult) -> None:
    """Write the report of all processes, if one is wanted."""
    from newsclean.memory.site_report import write_report

    if plan.report is None:
        return
    try:
        write_report(Path(plan.report), result.reports)
    except OSError as error:
        note(f"--report {plan.report}: cannot be written: {error.strerror}")


def usable_sites(folder: Path, only: str | None) -> tuple[dict[str, set[str]], int]:
    """The usable site files with their domains, and how many are not; those are reported."""
    from newsclean.discovery.site_files import SiteFileError, read_site
    from newsclean.urls import registered_domain, site_of

    names = site_names(folder)
    if only is not None:
        wanted = list(dict.fromkeys(name.strip() for name in only.split(",") if name.strip()))
        unknown = [name for name in wanted if name not in names]
        if unknown or not wanted:
            what = f"no site file {', '.join(unknown)}" if unknown else "no name"
            raise CommandError(f"--only: {what}; {folder} has {', '.join(names)}", USAGE)
        names = [name for name in names if name in wanted]
    usable: dict[str, set[str]] = {}
    problems: dict[str, list[tuple[str, SiteFileError]]] = {}
    for name in names:
        try:
            if "," in name:
                raise SiteFileError(f"{folder / name}.toml: its name has a comma")
            addresses = read_site(name, folder).urls
            usable[name] = {registered_domain(site_of(url) or "") for url in addresses}
        except SiteFileError as error:
            reason = str(error).removeprefix(str(folder / f"{name}.toml"))
            problems.setdefault(reason, []).append((name, error))
    for (_, problem), *others in problems.values():  # one mistake in many files is told once
        note(f"left out: {problem}")
        if others:
            alike = ", ".join(name for name, _ in others[:_MAX_NAMED])
            more = f" and {len(others) - _MAX_NAMED:,} more" if len(others) > _MAX_NAMED else ""
            note(f"left out for the same reason: {alike}{more}")
    if not usable:
        raise CommandError(f"no site file in {folder} can be used", UNREADABLE)
    return usable, len(names) - len(usable)


def site_names(folder: Path) -> list[str]:
    """The names of all site files in a folder."""
    from newsclean.extraction.corrections import SUFFIX

    try:
        files = (path for path in folder.iterdir() if path.suffix == ".toml")
        names = sorted(path.stem for path in files if not path.name.endswith(SUFFIX))
    except OSError as error:
        raise CommandError(f"--sites: cannot read {folder}: {error.strerror}", UNREADABLE) from None
    if not names:
        raise CommandError(f"--sites: there are no site files (*.toml) in {folder}", UNREADABLE)
    return names


def _parts_of(sites: dict[str, set[str]], jobs: int | None) -> list[list[str]]:
    """The sites of each process, by their domains: those that share one are in one process.

    They are always the same for the same sites and jobs.

    >>> _parts_of({"a": {"a.org"}, "b": {"b.org"}, "c": {"c.org"}}, 2)
    [['a', 'c'], ['b']]
    >>> _parts_of({"a": {"a.org"}, "b": {"b.org"}, "c": {"c.org", "a.org"}, "d": {"c.org"}}, 3)
    [['a', 'c', 'd'], ['b']]
    """
    by_domain: dict[str, list[str]] = {}
    for name, domains in sites.items():
        group = [name]
        for other in {id(by_domain[d]): by_domain[d] for d in domains if d in by_domain}.values():
            group += other
        for member in group:
            by_domain |= dict.fromkeys(sites[member], group)
    groups = sorted({id(group): sorted(group) for group in by_domain.values()}.values())
    count = max(min(jobs or 1, len(groups)), -(-len(sites) // _MAX_SITES_PER_PROCESS))
    parts = (groups[first::count] for first in range(count))
    return [[name for group in part for name in group] for part in parts if part]
