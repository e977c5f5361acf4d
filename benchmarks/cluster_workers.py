"""Four workers on one queue and one memory, killed at random, with each server restarted once.

Fifty sites of the demo, with other seeds, on ports of this machine. Checks that each article comes
out once, that no site is crawled by two at a time, and that no host is asked more often than its
site file allows, in the log of the sites' own server. Needs redis-server and PostgreSQL
(--memory sqlite: only the first), and the extras `cluster` and `postgresql`.

python -m benchmarks.cluster_workers
python -m benchmarks.cluster_workers --memory sqlite --sites 6 --workers 2 --kills 3
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.cluster.worker_findings import TOLERANCE, Findings
from tests.cluster.worker_kills import Plan, run
from tests.servers.postgresql import PostgresqlServer
from tests.servers.redis import RedisServer

#: Seconds that a server is away when it is restarted.
AWAY = 2.0


def slowly(server: RedisServer | PostgresqlServer) -> Callable[[], None]:
    """A restart with a pause in which nobody answers."""

    def restart() -> None:
        server.stop()
        time.sleep(AWAY)
        server.start()

    return restart


def show(found: Findings, plan: Plan) -> None:
    print(f"{plan.sites} sites, {plan.workers} workers, {found.seconds:.0f} s")
    print(f"killed: {dict(found.kills)}; restarted: {', '.join(found.restarts)}")
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=50)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", choices=("postgresql", "sqlite"), default="postgresql")
    parser.add_argument("--table", help="with PostgreSQL: articles go to this table, not to files")
    options = parser.parse_args()
    plan = Plan(options.sites, options.workers, options.kills, options.delay, seed=options.seed)
    redis = RedisServer()
    postgresql = PostgresqlServer() if options.memory == "postgresql" else None
    with tempfile.TemporaryDirectory() as name:
        restarts = {"Redis": slowly(redis)}
        memory = str(Path(name) / "memory.sqlite")
        try:
            redis.start()
            if postgresql is not None:
                postgresql.start()
                restarts["PostgreSQL"] = slowly(postgresql)
                memory = postgresql.new_database()
            found = run(Path(name), plan, redis.address, memory, restarts, table=options.table)
            show(found, plan)
            print((Path(name) / "workers.log").read_text("utf-8", "replace")[-3000:])
        finally:
            redis.remove()
            if postgresql is not None:
                postgresql.remove()


if __name__ == "__main__":
    main()
