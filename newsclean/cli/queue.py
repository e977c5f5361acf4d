"""`newsclean queue`: crawl sites regularly with several workers, on one machine or many."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newsclean.cli.crawl import CrawlPlan, add_spider_arguments, spider_arguments, spider_settings
from newsclean.cli.terminal import (
    UNREADABLE,
    UNUSABLE,
    USAGE,
    CommandError,
    for_terminal,
    note,
    positive,
    print_table,
)
from newsclean.extraction.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from newsclean.cluster.site_queue import JobStatus, SiteJob, SiteQueue

_DESCRIPTION = """Keep sites in a queue in PostgreSQL, and crawl those that are due.

`queue add` adds sites to the queue. `queue work` crawls the sites that are due,
in any number of processes and machines. Each registered domain has at most one
crawl at a time. When a worker dies, another takes over its site.

Give the address of the queue with --queue, or in the environment variable
NEWSCLEAN_QUEUE, which other users of the machine cannot see. The queue and the
memory may share a database."""

_WORK = """Crawl the sites that are due, the most overdue first, until Ctrl-C or SIGTERM.

Each site is crawled in its own process, as by `newsclean crawl`, and its
articles are appended to FOLDER/SITE.jsonl. Workers that share a memory (a file
on one machine, PostgreSQL on several) output each article once."""

_OUTPUT = "articles"
_EVERY = "1h"
#: Maximum known sites that the error for an unknown site lists.
_MAX_SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--queue", metavar="ADDRESS", help="the database: postgresql://HOST/NAME")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    def action(name: str, run: Callable[[argparse.Namespace], int], **words: Any) -> Any:
        made = actions.add_parser(
            name, parents=[shared], formatter_class=argparse.RawDescriptionHelpFormatter, **words
        )
        made.set_defaults(run=run)
        return made

    add = action("add", _add_sites, help="add sites to the queue, or change them")
    add.add_argument("sites", metavar="FILE|URL", nargs="+", help="site file or home page")
    add.add_argument(
        "--every", metavar="INTERVAL", default=_EVERY,
        help="30m, 6h or 1d; 15m-1d adapts to how often there are new articles; or once "
        f"(default: {_EVERY})",
    )  # fmt: skip
    listed = action("list", _list_sites, help="show the state of each site")
    listed.add_argument("--json", action="store_true", help="print JSON lines, one per site")
    retry = action("retry", _retry_sites, help="make failed sites, or the given ones, due now")
    retry.add_argument(
        "sites", metavar="SITE", nargs="*", help="only these (default: all failed sites)"
    )
    remove = action("remove", _remove_sites, help="remove sites from the queue")
    remove.add_argument("sites", metavar="SITE", nargs="+", help="a name from `queue list`")
    parser = action("work", work, help="crawl the sites that are due", description=_WORK)
    parser.add_argument(
        "--until-empty",
        action="store_true",
        help="end when no site is due, running or waiting for a retry",
    )
    parser.add_argument(
        "--concurrency", metavar="N", type=positive, default=1,
        help="sites to crawl at a time (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FOLDER",
        help="append to a JSON lines file per site in this folder "
        f"(default: {_OUTPUT}, or none with -s NEWSCLEAN_TABLE=…)",
    )  # fmt: skip
    add_spider_arguments(parser)
    parser.add_argument(
        "--tries", metavar="N", type=positive, default=5,
        help="failed crawls in a row after which a site is given up (default: 5)",
    )  # fmt: skip
    parser.add_argument(
        "--backoff", metavar="SECONDS", type=positive, default=60,
        help="delay before the first retry, doubled for each further one (default: 60)",
    )  # fmt: skip
    parser.add_argument(
        "--idle", metavar="SECONDS", type=positive, default=1800,
        help="end a crawl after this time without a response or an article (default: 1800)",
    )  # fmt: skip
    parser.add_argument(
        "--log", metavar="FOLDER", help="write the log of each site to a file in this folder"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="log more than warnings")


@contextmanager
def _opened(options: argparse.Namespace) -> Iterator[SiteQueue]:
    """Open the queue that the options name, and turn its errors into errors of the command."""
    from newsclean.cluster.site_queue import QueueError, QueueUsageError, SiteQueue, address_of

    try:
        with closing(SiteQueue(address_of(options.queue))) as queue:
            yield queue
    except QueueUsageError as error:
        raise CommandError(str(error), USAGE) from None
    except QueueError as error:
        raise CommandError(str(error), UNREADABLE) from None


def _add_sites(options: argparse.Namespace) -> int:
    from newsclean.cluster.site_queue import Interval

    try:
        Interval.of(options.every)
    except ValueError as error:
        raise CommandError(f"--every: {error}", USAGE) from None
    jobs = [job_of(text, options.every) for text in options.sites]
    names = [job.name for job in jobs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CommandError(f"given twice: {', '.join(twice)}", USAGE)
    with _opened(options) as queue:
        for job in jobs:
            print(f"{for_terminal(job.name)}: {queue.add(job)}")
    return 0


def job_of(text: str, every: str) -> SiteJob:
    """Return the job for a site file or a URL."""
    from newsclean.cluster.site_queue import SiteJob
    from newsclean.discovery.site_files import SiteFileError, read_site, section_at
    from newsclean.extraction.corrections import SUFFIX
    from newsclean.urls import registered_domain, site_of

    corrections = None
    try:
        if "://" in text:
            url = section_at(text).url
            name, file, urls = _name_of(url), f'[[section]]\nurl = "{url}"\n', [url]
        else:
            path = Path(text)
            if path.suffix != ".toml" or path.name.endswith(SUFFIX):
                raise CommandError(f"{text} is neither a site file (.toml) nor a URL", USAGE)
            urls = read_site(text, "").urls
            name, file = path.stem, path.read_text("utf-8")
            beside = path.with_name(f"{name}{SUFFIX}")
            corrections = beside.read_text("utf-8") if beside.is_file() else None
        domains = sorted({registered_domain(site_of(url) or "") for url in urls})
        return SiteJob(name, file, every, corrections, tuple(domains))
    except SiteFileError as error:
        raise CommandError(str(error), UNREADABLE) from None
    except OSError as error:
        raise CommandError(f"cannot read {text}: {error.strerror}", UNREADABLE) from None
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None


def _name_of(url: str) -> str:
    """Return the name of a site without a site file.

    >>> _name_of("https://www.example.org/news/sport/"), _name_of("http://127.0.0.1:8001/")
    ('example.org-news-sport', '127.0.0.1:8001')
    """
    from newsclean.urls import site_of

    path = urlsplit(url).path.strip("/").replace("/", "-").replace(",", "-")
    return "-".join(filter(None, (site_of(url), path)))


def _list_sites(options: argparse.Namespace) -> int:
    with _opened(options) as queue:
        statuses = queue.statuses()
    if options.json:
        for status in statuses:
            print(json.dumps(asdict(status), ensure_ascii=False))
    else:
        _show(statuses)
    return 0


def _show(statuses: list[JobStatus]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("site", overflow="fold")
    for name in ("state", "when", "every"):
        table.add_column(name, no_wrap=True)
    for name in ("runs", "articles"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("worker, last run", overflow="fold")
    now = time.time()
    for status in statuses:
        last = status.worker or ": ".join(filter(None, (status.outcome, status.reason)))
        if status.tries:
            last += f" (failed tries: {status.tries})"
        table.add_row(
            Text(for_terminal(status.name)),
            status.state,
            _moment(status.when, now),
            status.every,
            f"{status.runs:,}",
            f"{status.articles:,}",
            Text(for_terminal(last)),
            style={"failed": "bold red", "unreadable": "red", "running": "green"}.get(
                status.state, ""
            ),
        )
    print_table(table)


def _moment(when: float | None, now: float) -> str:
    """Return a time relative to now, in one unit.

    >>> _moment(1000, 400), _moment(1000, 1003), _moment(None, 1003)
    ('in 10m', '3s ago', '')
    """
    if not when:
        return ""
    seconds = abs(when - now)
    units = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))
    unit, size = next((pair for pair in units if seconds >= pair[1]), ("s", 1))
    span = f"{seconds / size:.0f}{unit}"
    return f"in {span}" if when > now else f"{span} ago"


def _retry_sites(options: argparse.Namespace) -> int:
    with _opened(options) as queue:
        _check_known(queue, options.sites)
        due = queue.retry(options.sites)
    print(f"due now: {', '.join(map(for_terminal, sorted(due))) or 'none'}")
    if busy := [name for name in options.sites if name not in due]:
        raise CommandError(f"running or about to run: {', '.join(busy)}", UNUSABLE)
    return 0


def _remove_sites(options: argparse.Namespace) -> int:
    with _opened(options) as queue:
        _check_known(queue, options.sites)
        print(f"removed: {queue.remove(options.sites)}")
    return 0


def _check_known(queue: SiteQueue, names: list[str]) -> None:
    known = [status.name for status in queue.statuses()]
    if unknown := [name for name in names if name not in known]:
        more = f" and {len(known) - _MAX_SHOWN:,} more" if len(known) > _MAX_SHOWN else ""
        there = f"it has {', '.join(known[:_MAX_SHOWN])}{more}" if known else "it is empty"
        raise CommandError(f"no site {', '.join(unknown)} in the queue; {there}", UNUSABLE)


def work(options: argparse.Namespace) -> int:
    from newsclean.cluster.queue_worker import Worker
    from newsclean.cluster.site_queue import Retries

    arguments, settings = spider_arguments(options), spider_settings(options)
    # Articles that go to a table need no files.
    output = options.output or (None if settings.get("NEWSCLEAN_TABLE") else _OUTPUT)
    no_files = {} if output else {"FEEDS": "{}"}
    for folder in filter(None, (output, options.log)):
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"cannot create {folder}: {error.strerror}", UNREADABLE) from None

    def task_of(job: SiteJob, folder: Path) -> dict[str, Any]:
        plan = CrawlPlan(
            output=str(Path(output or "") / f"{job.name}.jsonl"),
            folder=str(folder),
            arguments=arguments,
            settings=no_files | settings | {"NEWSCLEAN_SITES": str(folder)},
            log=str(Path(options.log) / f"{job.name}.log") if options.log else None,
            is_verbose=options.verbose,
        )
        return {"plan": asdict(plan), "sites": [job.name]}

    with _opened(options) as queue:
        queue.unfinished()  # so that a wrong address is an error now
        worker = Worker(
            queue,
            [sys.executable, "-m", "newsclean.cli.crawl_workers"],
            task_of,
            note,
            options.concurrency,
            Retries(options.tries, float(options.backoff)),
            float(options.idle),
            options.until_empty,
        )
        code = asyncio.run(worker.run())
    print(f"{counted(worker.crawled, 'site')} crawled")
    return code
