"""`newsclean queue`: sites that several workers, on one machine or many, crawl again and again."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.cli.crawl import CrawlPlan
from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE, CommandError
from newsclean.cli.numbers import positive
from newsclean.cli.queue_sites import job_of, names_in_queue
from newsclean.cli.spider_arguments import (
    add_spider_arguments,
    spider_arguments,
    spider_settings,
)
from newsclean.cli.terminal import for_terminal, note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from newsclean.cluster.queue import Lease, SiteJob, SiteQueue

DESCRIPTION = """Keep sites in a queue in Redis, and crawl those that are due.

`queue add` puts sites into the queue, `queue work` crawls one after the other,
in as many processes and on as many machines as one likes. A site is crawled by
one worker at a time. The site of a worker that dies is given to another.

The address of Redis is --redis, or the environment variable NEWSCLEAN_REDIS,
which other users of the machine cannot see, or redis://127.0.0.1:6379/0.
Redis has to write each command down (appendonly yes, appendfsync always)."""

WORK = """Crawl the sites that are due, the most overdue first, until Ctrl-C or SIGTERM.

Each site is crawled as `newsclean crawl` does it, in a process of its own, and
its articles are appended to FOLDER/SITE.jsonl. Workers that share a memory
(on one machine a file, on several PostgreSQL) hand on each article once."""

OUTPUT = "articles"
EVERY = "1h"
#: Seconds: a lease that is shorter can end before a slow network has renewed it.
MIN_LEASE = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = DESCRIPTION
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--redis", metavar="ADDRESS", help="redis://HOST:PORT/0")
    shared.add_argument("--queue", metavar="NAME", default="newsclean", help="another queue")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    def action(name: str, run: Callable[[argparse.Namespace], int], **words: Any) -> Any:
        made = actions.add_parser(
            name, parents=[shared], formatter_class=argparse.RawDescriptionHelpFormatter, **words
        )
        made.set_defaults(run=run)
        return made

    add = action("add", add_sites, help="put sites into the queue, or change them")
    add.add_argument("sites", metavar="FILE|URL", nargs="+", help="site files, or home pages")
    add.add_argument(
        "--every", metavar="INTERVAL", default=EVERY,
        help="how often: 30m, 6h, 1d; 15m-1d is as often as there is something new; or once "
        f"(default: {EVERY})",
    )  # fmt: skip
    listed = action("list", list_sites, help="how the sites stand")
    listed.add_argument("--json", action="store_true", help="print JSON lines, one for each site")
    retry = action("retry", retry_sites, help="have failed sites crawled again, or any at once")
    retry.add_argument("sites", metavar="SITE", nargs="*", help="(default: all that have failed)")
    remove = action("remove", remove_sites, help="take sites out of the queue")
    remove.add_argument("sites", metavar="SITE", nargs="+")
    add_work_arguments(action("work", work, help="crawl sites that are due", description=WORK))


def add_work_arguments(parser: Any) -> None:
    until = parser.add_mutually_exclusive_group()
    until.add_argument("--once", action="store_true", help="crawl one site, if one is due")
    until.add_argument(
        "--until-empty",
        action="store_true",
        help="end when no site is due, being crawled or waiting for another try",
    )
    parser.add_argument(
        "-o", "--output", metavar="FOLDER",
        help="a JSON lines file for each site, appended to "
        f"(default: {OUTPUT}, or none with -s NEWSCLEAN_TABLE=…)",
    )  # fmt: skip
    add_spider_arguments(parser)
    parser.add_argument(
        "--lease", metavar="SECONDS", type=positive, default=60,
        help="after which a site that is not heard of is given to another worker (default: 60)",
    )  # fmt: skip
    parser.add_argument(
        "--tries", metavar="N", type=positive, default=5,
        help="runs that may fail before a site is given up (default: 5)",
    )  # fmt: skip
    parser.add_argument(
        "--backoff", metavar="SECONDS", type=positive, default=60,
        help="until a failed site is tried again; then twice as long each time (default: 60)",
    )  # fmt: skip
    parser.add_argument("--log", metavar="FOLDER", help="write the log of each site to a file")
    parser.add_argument("-v", "--verbose", action="store_true", help="log more than warnings")
    parser.add_argument(
        "--scrapyd", metavar="URL", help="schedule the sites at a Scrapyd server, as its jobs"
    )
    parser.add_argument(
        "--project", metavar="NAME", default="newsclean",
        help="with --scrapyd: the project that is deployed there (default: newsclean)",
    )  # fmt: skip


@contextmanager
def opened(options: argparse.Namespace) -> Iterator[SiteQueue]:
    """The queue that the options name, reached once; its failures are errors of the command."""
    from newsclean.cluster.queue import SiteQueue
    from newsclean.cluster.queue_connection import (
        AddressError,
        MissingExtraError,
        QueueError,
        address_of,
    )

    try:
        with closing(SiteQueue(address_of(options.redis), options.queue)) as queue:
            queue.unfinished()
            yield queue
    except (AddressError, MissingExtraError) as error:
        raise CommandError(str(error), USAGE) from None
    except QueueError as error:
        raise CommandError(str(error), UNREADABLE) from None


def add_sites(options: argparse.Namespace) -> int:
    from newsclean.cluster.queue_interval import Interval

    try:
        Interval.of(options.every)
    except ValueError as error:
        raise CommandError(f"--every: {error}", USAGE) from None
    jobs = [job_of(text, options.every) for text in options.sites]
    names = [job.name for job in jobs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CommandError(f"named twice: {', '.join(twice)}", USAGE)
    with opened(options) as queue:
        for job in jobs:
            print(f"{for_terminal(job.name)}: {queue.add(job)}")
    return 0


def list_sites(options: argparse.Namespace) -> int:
    from newsclean.cli.queue_table import show

    with opened(options) as queue:
        statuses = queue.statuses()
    if options.json:
        for status in statuses:
            print(json.dumps(asdict(status), ensure_ascii=False))
    else:
        show(statuses)
    return 0


def retry_sites(options: argparse.Namespace) -> int:
    with opened(options) as queue:
        check_known(queue, options.sites)
        due = queue.retry(options.sites)
    print(f"due now: {', '.join(map(for_terminal, due)) or 'none'}")
    if busy := [name for name in options.sites if name not in due]:
        raise CommandError(f"being crawled now: {', '.join(busy)}", UNUSABLE)
    return 0


def remove_sites(options: argparse.Namespace) -> int:
    with opened(options) as queue:
        check_known(queue, options.sites)
        print(f"removed: {queue.remove(options.sites)}")
    return 0


def check_known(queue: SiteQueue, names: list[str]) -> None:
    known = [status.name for status in queue.statuses()]
    if unknown := [name for name in names if name not in known]:
        raise CommandError(
            f"no site {', '.join(unknown)} in the queue; {names_in_queue(known)}", UNUSABLE
        )


def work(options: argparse.Namespace) -> int:
    from newsclean.cluster.queue import LeaseTerms

    if options.lease < MIN_LEASE:
        raise CommandError(f"--lease {options.lease}: it is {MIN_LEASE} seconds or more", USAGE)
    arguments, settings = spider_arguments(options), spider_settings(options)
    terms = LeaseTerms(float(options.lease), options.tries, float(options.backoff))
    make = local_worker if options.scrapyd is None else scrapyd_worker
    with opened(options) as queue:
        worker = make(options, queue, terms, arguments, settings)
        with worker.stop.on_signals():
            number = worker.run()
    done = "scheduled" if options.scrapyd is not None else "crawled"
    print(f"{number:,} {'site' if number == 1 else 'sites'} {done}")
    return 130 if worker.stop.times else worker.exit_code


def local_worker(
    options: argparse.Namespace,
    queue: SiteQueue,
    terms: Any,
    arguments: dict[str, str],
    settings: dict[str, str],
) -> Any:
    """A worker that crawls in processes of this machine."""
    from newsclean.cluster.worker import Worker

    # A table is an output of its own.
    output = options.output or (None if settings.get("NEWSCLEAN_TABLE") else OUTPUT)
    no_files = {} if output else {"FEEDS": "{}"}
    for folder in filter(None, (output, options.log)):
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"{folder}: cannot be made: {error.strerror}", UNREADABLE) from None

    def task_of(job: SiteJob, lease: Lease, folder: Path) -> dict[str, Any]:
        own = {"NEWSCLEAN_SITES": str(folder), "NEWSCLEAN_LEASE": lease.to_json()}
        plan = CrawlPlan(
            output=str(Path(output or "") / f"{job.name}.jsonl"),
            folder=str(folder),
            arguments=arguments,
            settings=no_files | settings | own,
            log=str(Path(options.log) / f"{job.name}.log") if options.log else None,
            is_verbose=options.verbose,
        )
        return {"plan": asdict(plan), "sites": [job.name]}

    command = [sys.executable, "-m", "newsclean.cli.crawl_workers"]
    return Worker(queue, terms, command, task_of, note, options.once, options.until_empty)


def scrapyd_worker(
    options: argparse.Namespace,
    queue: SiteQueue,
    terms: Any,
    arguments: dict[str, str],
    settings: dict[str, str],
) -> Any:
    """A worker that schedules jobs of Scrapyd."""
    from newsclean.cluster.worker_scrapyd import Scrapyd, ScrapydWorker

    try:
        scrapyd = Scrapyd(options.scrapyd, options.project)
    except ValueError as error:
        raise CommandError(f"--scrapyd: {error}", USAGE) from None
    given = [*arguments.items(), *(("setting", f"{k}={v}") for k, v in settings.items())]
    return ScrapydWorker(queue, terms, scrapyd, given, note, options.once, options.until_empty)
