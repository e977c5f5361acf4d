"""`newsclean crawl`: crawl URLs or a folder of site files, without a Scrapy project.

Also the options of all commands that run the spider `news`.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from newsclean.cli.terminal import UNREADABLE, USAGE, CommandError, note, positive

if TYPE_CHECKING:
    from newsclean.cli.crawl_process import CrawlResult
    from newsclean.discovery.start_list import Publisher

#: Maximum sites per process; more sites are divided among several processes.
_MAX_SITES_PER_PROCESS = 25
#: Maximum site files listed per problem.
_MAX_NAMED = 10
_OUTPUT = "articles.jsonl"
#: Names of standard output, which a worker needs for its reports.
_STANDARD_OUTPUTS = ("-", "stdout:", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
#: Suffixes of formats that the command does not write.
_OTHER_FORMATS = (".json", ".xml", ".pickle", ".marshal", ".gz")
_WARC = ".warc.gz"

_DESCRIPTION = f"""Crawl news sites and write their articles as JSON lines.

The command works in any folder, without a Scrapy project. It uses the settings
of newsclean (newsclean.settings), obeys robots.txt and crawls politely.

Each article is written once, and again when it has changed. The memory of the
crawls is .scrapy/newsclean/memory.sqlite in this folder, or in the data folder
of the Scrapy project; `newsclean memory` and `scrapy crawl` use it too. Run the
same command again to complete a crawl that was interrupted or killed.

With --sites, all site files (*.toml) of a folder are crawled, up to
{_MAX_SITES_PER_PROCESS} sites per process. The processes share the memory and the output.

With --country and --language, the publishers of a list that comes with newsclean
are crawled, as if their addresses were given; --list prints them instead. The
addresses were looked up in public lists and not crawled: some may have moved."""

_EXIT_CODES = """exit codes (if several apply, the first in this list):
  130  interrupted (Ctrl-C, SIGTERM); run the same command again to complete the crawl
  4    the memory or the output cannot be written, or a process died
  7    another crawl with the same memory is crawling one of the domains
  2    wrong arguments or settings
  3    a site file cannot be read, or no start page of any site
  8    all sites sent walls in place of pages: browser checks, consent, log-in
  1    no start page leads to articles, or no article could be downloaded;
       with --reextract: no pages are kept
  6    all sites gave far less than usual, or nothing
  5    some sites gave far less than usual, or nothing
  0    success, also if nothing is new

examples:
  newsclean crawl https://example.org/
  newsclean crawl https://example.org/sport https://example.net/ -o sport.jsonl --since 7d
  newsclean crawl --sites sites/ --only example,other -s DOWNLOAD_DELAY=3
  newsclean crawl --country no --list
  newsclean crawl --country at,ch --language de --limit 20
  newsclean crawl https://example.org/ -o articles.parquet --warc pages.warc.gz
  newsclean crawl https://example.org/ --reextract -o again.jsonl
"""


@dataclass(frozen=True)
class CrawlPlan:
    """The options that all processes of a crawl share."""

    output: str
    #: the folder of site files, None to crawl URLs
    folder: str | None = None
    arguments: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    report: str | None = None
    log: str | None = None
    is_verbose: bool = False
    spider: str = "news"
    #: the WARC file for the pages
    warc: str | None = None
    #: whether near copies of other sites are marked
    copies: bool = False

    @property
    def what(self) -> tuple[str, str]:
        """What the summary counts: its noun, and the plural."""
        if self.spider == "news":
            return "new or changed article", "new or changed articles"
        again = "extracted again from kept pages"
        return f"article {again}", f"articles {again}"

    def start(self, sites: list[str]) -> dict[str, str]:
        """Return the argument of the spider for site files, or for URLs if there is no folder."""
        return {"url" if self.folder is None else "site": ",".join(sites)}


def add_spider_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the spider, of Scrapy and of the memory."""
    parser.add_argument(
        "-a", dest="arguments", metavar="NAME=VALUE", action="append", default=[],
        help="set an argument of the spider, such as pages=2; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "-s", dest="settings", metavar="NAME=VALUE", action="append", default=[],
        help="set a setting of Scrapy or newsclean; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--memory", metavar="FILE", help="use another memory: a file, or postgresql://…"
    )


def spider_arguments(options: argparse.Namespace) -> dict[str, str]:
    """Return the arguments of `-a`, which may not say what to crawl."""
    arguments = assignments("-a", options.arguments)
    for name in ("url", "site"):
        if name in arguments:
            raise CommandError(f"-a {name}=: name URLs and site files without -a", USAGE)
    return arguments


def spider_settings(options: argparse.Namespace) -> dict[str, str]:
    """Return the settings of `-s` and `--memory`."""
    settings = assignments("-s", options.settings)
    if options.memory:
        settings["NEWSCLEAN_MEMORY"] = options.memory
    return settings


def assignments(option: str, given: list[str]) -> dict[str, str]:
    """Return the names and values of an option that takes `NAME=VALUE`.

    >>> assignments("-s", ["DOWNLOAD_DELAY=3"])
    {'DOWNLOAD_DELAY': '3'}
    """
    pairs = [text.partition("=") for text in given]
    for name, sign, value in pairs:
        if not name or not sign:
            raise CommandError(f"{option} {name}{sign}{value}: it takes NAME=VALUE", USAGE)
    return {name: value for name, _, value in pairs}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.epilog = _EXIT_CODES
    parser.add_argument("urls", metavar="URL", nargs="*", help="home page or section")
    parser.add_argument("--sites", metavar="FOLDER", help="crawl the site files of this folder")
    parser.add_argument("--only", metavar="NAME,…", help="with --sites: crawl only these sites")
    parser.add_argument(
        "--country",
        metavar="CC,…",
        action="append",
        help="crawl the publishers of the start list in these countries",
    )
    parser.add_argument(
        "--language",
        metavar="LL,…",
        action="append",
        help="crawl only those of the start list in these languages",
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="print the publishers that --country and --language choose, and crawl nothing",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=positive,
        help="with --sites or --country: number of processes (default: one for up to "
        f"{_MAX_SITES_PER_PROCESS} sites, else one per processor)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", default=_OUTPUT,
        help="append to this file: JSON lines, CSV if named .csv, or Parquet if named .parquet "
        f"(default: {_OUTPUT})",
    )  # fmt: skip
    parser.add_argument(
        "--reextract",
        action="store_true",
        help="download nothing: extract the kept pages again with the current method and model; "
        "the field `extraction` of the articles says so",
    )
    parser.add_argument(
        "--warc",
        metavar="FILE",
        help="also append the downloaded pages to this WARC file (.warc.gz)",
    )
    parser.add_argument(
        "--copies",
        action="store_true",
        help="mark articles that are near copies of recent ones of other sites (field copy_of)",
    )
    parser.add_argument("--since", metavar="DATE|AGE", help="only articles since then: 7d")
    parser.add_argument("--until", metavar="DATE|AGE", help="only articles before then: 2026-03-14")
    parser.add_argument("--limit", metavar="N", help="only the newest N articles of each site")
    add_spider_arguments(parser)
    parser.add_argument(
        "--report", metavar="FILE", help="write the results and the state of each site as JSON"
    )
    parser.add_argument("--log", metavar="FILE", help="write the log to a file")
    parser.add_argument("-v", "--verbose", action="store_true", help="log more than warnings")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    is_chosen = options.country is not None or options.language is not None or options.list
    if sum((is_chosen, bool(options.urls), options.sites is not None)) > 1:
        raise CommandError(
            "give one of them: URLs, --sites, or --country, --language and --list", USAGE
        )
    if options.list:
        _print_list(_from_start_list(options))
        return 0
    from newsclean.cli.crawl_process import crawl  # Scrapy is slow to import
    from newsclean.cli.crawl_workers import crawl_in_workers

    plan = _plan_of(options)
    if options.only is not None and options.sites is None:
        raise CommandError("--only goes with --sites", USAGE)
    bad = 0
    if is_chosen:
        sites = {one.url: {_domain_of(one.url)} for one in _from_start_list(options)}
    elif options.sites is not None:
        sites, bad = usable_sites(Path(options.sites), options.only)
    else:
        if options.jobs is not None:
            raise CommandError("--jobs goes with --sites and --country", USAGE)
        if not options.urls:
            raise CommandError("nothing to crawl: give URLs, --sites FOLDER or --country CC", USAGE)
        # The spider splits its argument at commas.
        urls = ",".join(url.replace(",", "%2C") for url in options.urls)
        result = crawl(plan, {"url": urls})
        _save_report(plan, result)
        return result.show(plan.output, what=plan.what)
    names, parts = list(sites), _parts_of(sites, options.jobs)
    if len(parts) > 1 and options.output.removeprefix("file://") in _STANDARD_OUTPUTS:
        raise CommandError("several processes cannot share standard output: give a file", USAGE)
    if len(parts) > 1 and options.output.lower().endswith((".csv", ".parquet")):
        raise CommandError(
            "several processes cannot share a CSV or Parquet file: give a .jsonl file, or --jobs 1 "
            f"for up to {_MAX_SITES_PER_PROCESS} sites",
            USAGE,
        )
    if len(parts) == 1:
        result = crawl(plan, plan.start(names))
    else:
        result = crawl_in_workers(plan, parts, options.jobs or os.cpu_count() or 1)
    _save_report(plan, result)
    return result.show(plan.output, sites=len(names), bad_files=bad, what=plan.what)


def _from_start_list(options: argparse.Namespace) -> list[Publisher]:
    """Return the publishers of the start list that the options choose."""
    from newsclean.discovery.site_files import listed
    from newsclean.discovery.start_list import StartListError, matching

    wanted: dict[str, list[str]] = {}
    for name in ("country", "language"):
        given = getattr(options, name)
        wanted[name] = listed(",".join(given or ()))
        if given is not None and not wanted[name]:
            raise CommandError(f"--{name}: no code given", USAGE)
    try:
        return matching(wanted["country"], wanted["language"])
    except StartListError as error:
        raise CommandError(str(error), USAGE) from None


def _print_list(publishers: list[Publisher]) -> None:
    """Print one publisher per line, its address first."""
    width = max(len(one.url) for one in publishers)
    for one in publishers:
        print(f"{one.url:{width}}  {one.country}  {one.language:3}  {one.name}")
    note(f"{len(publishers)} {'publisher' if len(publishers) == 1 else 'publishers'}")


def _domain_of(url: str) -> str:
    from newsclean.urls import registered_domain, site_of

    return registered_domain(site_of(url) or "")


def _plan_of(options: argparse.Namespace) -> CrawlPlan:
    """Return the options as arguments and settings of the spider."""
    if options.output.lower().endswith(_OTHER_FORMATS):
        raise CommandError(
            f"-o {options.output}: use .jsonl, .csv or .parquet; for other formats set FEEDS in "
            "a Scrapy project",
            USAGE,
        )
    if options.warc is not None and not options.warc.lower().endswith(_WARC):
        raise CommandError(f"--warc {options.warc}: use a name that ends in {_WARC}", USAGE)
    if options.warc is not None and options.reextract:
        raise CommandError("--warc does not go with --reextract, which downloads nothing", USAGE)
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
        options.warc,
        options.copies,
    )


def _save_report(plan: CrawlPlan, result: CrawlResult) -> None:
    """Write the report of all processes, if `--report` asks for one."""
    from newsclean.memory.site_report import write_report

    if plan.report is None:
        return
    try:
        write_report(Path(plan.report), result.reports)
    except OSError as error:
        note(f"--report: cannot write {plan.report}: {error.strerror}")


def usable_sites(folder: Path, only: str | None) -> tuple[dict[str, set[str]], int]:
    """Return the domains of each usable site file, and the number of unusable ones, reported."""
    from newsclean.discovery.site_files import SiteFileError, read_site
    from newsclean.discovery.site_settings import SettingsOfSites

    names = site_names(folder)
    if only is not None:
        wanted = list(dict.fromkeys(name.strip() for name in only.split(",") if name.strip()))
        unknown = [name for name in wanted if name not in names]
        if unknown or not wanted:
            what = f"no site file {', '.join(unknown)}" if unknown else "no name given"
            raise CommandError(f"--only: {what}; {folder} has {', '.join(names)}", USAGE)
        names = [name for name in names if name in wanted]
    usable: dict[str, set[str]] = {}
    settings = SettingsOfSites()
    problems: dict[str, list[tuple[str, SiteFileError]]] = {}
    for name in names:
        try:
            if "," in name:
                raise SiteFileError(f"{folder / name}.toml: the name has a comma")
            file = read_site(name, folder)
            urls = file.urls
            try:
                settings.add(file.own_urls, file.settings.resolved(os.environ))
            except ValueError as error:
                raise SiteFileError(f"{folder / name}.toml: {error}") from None
            usable[name] = set(map(_domain_of, urls))
        except SiteFileError as error:
            reason = str(error).removeprefix(str(folder / f"{name}.toml"))
            problems.setdefault(reason, []).append((name, error))
    for (_, problem), *others in problems.values():  # report a problem of many files once
        note(f"left out: {problem}")
        if others:
            alike = ", ".join(name for name, _ in others[:_MAX_NAMED])
            more = f" and {len(others) - _MAX_NAMED:,} more" if len(others) > _MAX_NAMED else ""
            note(f"left out for the same reason: {alike}{more}")
    if not usable:
        raise CommandError(f"no usable site file in {folder}", UNREADABLE)
    return usable, len(names) - len(usable)


def site_names(folder: Path) -> list[str]:
    from newsclean.extraction.corrections import SUFFIX

    try:
        files = (path for path in folder.iterdir() if path.suffix == ".toml")
        names = sorted(path.stem for path in files if not path.name.endswith(SUFFIX))
    except OSError as error:
        raise CommandError(f"--sites: cannot read {folder}: {error.strerror}", UNREADABLE) from None
    if not names:
        raise CommandError(f"--sites: no site files (*.toml) in {folder}", UNREADABLE)
    return names


def _parts_of(sites: dict[str, set[str]], jobs: int | None) -> list[list[str]]:
    """Divide sites among processes; sites that share a domain go to one process.

    The result is the same for the same sites and jobs.

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
