"""Four workers on one queue and one memory, killed at random, with PostgreSQL restarted twice.

Fifty sites of the demo, with other seeds, on ports of this machine. Checks that each article comes
out once, that no site is crawled by two at a time, and that no host is asked more often than its
site file allows, in the log of the sites' own server. Needs PostgreSQL and the extra `cluster`.

With --stop SECONDS, a worker and its crawl are stopped for so long in the midst of a site, and then
woken, when another worker has taken it over: nothing more may be sent by the first.

python -m benchmarks.cluster_workers
python -m benchmarks.cluster_workers --stop 180
python -m benchmarks.cluster_workers --memory sqlite --sites 6 --workers 2 --kills 3
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import time
from contextlib import closing
from pathlib import Path

from newsclean.cli.queue import job_of
from newsclean.cluster.site_queue import SiteQueue
from tests.cluster.worker_findings import TOLERANCE, Findings, check_articles, urls_in
from tests.cluster.worker_kills import Plan, Workers, children_of, run
from tests.cluster.worker_sites import demo_sites
from tests.servers.postgresql import PostgresqlServer

#: Seconds that the server is away when it is restarted.
AWAY = 2.0


def show(found: Findings, plan: Plan) -> None:
    print(f"{plan.sites} sites, {plan.workers} workers, {found.seconds:.0f} s")
    print(f"killed: {dict(found.kills)}; PostgreSQL restarted: {found.restarts}")
    print(f"{found.articles:,} articles; missing {len(found.missing)}, twice {len(found.twice)}")
    print(f"sites in the queue at the end: {dict(found.states)}")
    print(f"{found.requests:,} requests in {found.runs} runs")
    print(f"requests of a run after another had begun: {len(found.two_at_a_time)}")
    print(f"requests while another one of the site was answered: {found.at_once}")
    print(
        f"seconds between two requests to a site, {plan.delay} asked for: "
        f"least of ten on average {found.least_mean_gap:.3f}, of two runs "
        f"{found.least_gap_between:.3f}, of two requests {found.least_gap:.3f}; "
        f"less than {TOLERANCE:.0%} of what was asked for: {found.too_soon}"
    )
    print(f"three requests to a site in the time between two: {found.three_at_once}")
    for line in (*found.missing, *found.twice, *found.two_at_a_time, *found.errors)[:20]:
        print(f"  {line}")


def stop_and_wake(folder: Path, plan: Plan, address: str, seconds: float) -> None:
    """Stop a worker and its crawl, have another worker finish the site, and wake the first."""
    (folder / "sites").mkdir()
    with demo_sites(folder / "sites", 1, plan.delay) as sites:
        (file,) = (folder / "sites").glob("*.toml")
        with closing(SiteQueue(address)) as queue:
            queue.add(job_of(str(file), "once"))
        workers = Workers(folder, address, address, plan, None)
        workers.start()

        def asked(agent: str) -> int:
            (visits,) = sites.visits()
            return sum(visit.user_agent == agent for visit in visits)

        while asked("worker-1") < 10:
            time.sleep(0.1)
        (worker,) = workers.running
        frozen = [worker.pid, *children_of(worker.pid)]
        for process in frozen:
            os.kill(process, signal.SIGSTOP)
        before, began = asked("worker-1"), time.monotonic()
        workers.start()
        while not asked("worker-2"):
            time.sleep(0.1)
        print(f"taken over after {time.monotonic() - began:.0f} seconds")
        time.sleep(max(0.0, began + seconds - time.monotonic()))
        for process in frozen:
            os.kill(process, signal.SIGCONT)
        for process in workers.running:
            process.wait()
        found = Findings()
        check_articles(found, urls_in(folder / "articles"), sites.articles)
        print(f"woken after {seconds:.0f} seconds; requests since: {asked('worker-1') - before}")
        print(f"{found.articles} articles, missing {len(found.missing)}, twice {len(found.twice)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=50)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=1, help="crawls of a worker")
    parser.add_argument("--memory", choices=("postgresql", "sqlite"), default="postgresql")
    parser.add_argument("--table", help="with PostgreSQL: articles go to this table, not to files")
    parser.add_argument("--stop", metavar="SECONDS", type=float, help="stop and wake a crawl")
    options = parser.parse_args()
    plan = Plan(
        options.sites, options.workers, options.kills, options.delay,
        seed=options.seed, concurrency=options.concurrency,
    )  # fmt: skip
    postgresql = PostgresqlServer()

    def restart() -> None:
        postgresql.stop()
        time.sleep(AWAY)
        postgresql.start()

    with tempfile.TemporaryDirectory() as name:
        try:
            postgresql.start()
            queue = postgresql.new_database()
            memory = queue if options.memory == "postgresql" else str(Path(name) / "memory.sqlite")
            if options.stop:
                stop_and_wake(Path(name), plan, queue, options.stop)
                return
            found = run(Path(name), plan, queue, memory, restart, table=options.table)
            show(found, plan)
            print((Path(name) / "workers.log").read_text("utf-8", "replace")[-3000:])
        finally:
            postgresql.remove()


if __name__ == "__main__":
    main()
