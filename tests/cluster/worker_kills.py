"""Workers that are killed at random, servers that are restarted, and what must hold all the same.

Each article comes out exactly once; no site is crawled by two at a time; no host is asked more
often than its site file allows. All of it is read from the output and from the log of the sites'
own server. Everything is on loopback, and ends by itself.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from newsclean.cluster.site_queue import SiteQueue

from .worker_findings import Findings, check_articles, check_visits, urls_in, urls_of
from .worker_sites import MakeSites, demo_sites

ROOT = Path(__file__).parents[2]
MAX_SECONDS = 1500.0


@dataclass(frozen=True)
class Plan:
    sites: int
    workers: int
    kills: int
    #: seconds between two requests to a site
    delay: float
    #: seconds between two kills
    pauses: tuple[float, float] = (2.0, 8.0)
    seed: int = 1
    concurrency: int = 1
    restarts: int = 2


class Workers:
    """Workers in processes of their own; each that is killed is replaced by another one."""

    def __init__(
        self, folder: Path, queue: str, memory: str, plan: Plan, table: str | None
    ) -> None:
        self.folder = folder
        self.queue = queue
        self.memory = memory
        self.plan = plan
        self.table = table
        self.started = 0
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        self.started += 1
        options: dict[str, object] = {
            "AUTOTHROTTLE_ENABLED": 0,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "USER_AGENT": f"worker-{self.started}",
        }
        if self.table:
            options["NEWSCLEAN_TABLE"] = self.table
        with (self.folder / "workers.log").open("ab") as log:
            worker = subprocess.Popen(
                [
                    sys.executable, "-m", "newsclean", "queue", "work", "--until-empty",
                    "--memory", self.memory, "--concurrency", str(self.plan.concurrency),
                    "--backoff", "2", "--tries", "10",
                    *(f"-s{name}={value}" for name, value in options.items()),
                ],
                cwd=self.folder,
                env=os.environ | {"PYTHONPATH": str(ROOT), "NEWSCLEAN_QUEUE": self.queue},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )  # fmt: skip
        self.running.append(worker)

    def kill(self, chance: random.Random) -> str | None:
        """Kill a worker that crawls: alone, its crawl alone, or both, as a machine dies."""
        crawling = [(w, c) for w in self.running if (c := children_of(w.pid))]
        if not crawling:
            return None
        worker, crawls = chance.choice(crawling)
        what = chance.choice(("worker", "crawl", "both", "both"))
        if what == "crawl":
            crawls = [chance.choice(crawls)]
        victims = [worker.pid] * (what != "crawl") + crawls * (what != "worker")
        for victim in victims:
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        if what != "crawl":
            worker.wait()
            self.running.remove(worker)
            self.start()
        return what

    def stop(self) -> None:
        for worker in self.running:
            worker.terminate()
        for worker in self.running:
            worker.wait()


def children_of(process: int) -> list[int]:
    try:
        return [
            int(n) for n in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []


def run(
    folder: Path,
    plan: Plan,
    queue_address: str,
    memory: str,
    restart: Callable[[], None],
    make_sites: MakeSites = demo_sites,
    table: str | None = None,
) -> Findings:
    """Crawl, kill, restart PostgreSQL, and look at what came of it."""
    findings, chance = Findings(), random.Random(plan.seed)
    began = time.monotonic()
    (folder / "sites").mkdir()
    with make_sites(folder / "sites", plan.sites, plan.delay) as sites:
        files = sorted(map(str, (folder / "sites").glob("*.toml")))
        add = [sys.executable, "-m", "newsclean", "queue", "add", "--queue", queue_address]
        subprocess.run([*add, *files, "--every", "once"], check=True, stdout=subprocess.DEVNULL)
        workers = Workers(folder, queue_address, memory, plan, table)
        queue = SiteQueue(queue_address)
        try:
            for _ in range(plan.workers):
                workers.start()
            kill_at_random(workers, chance, findings, restart, began)
            while any(worker.poll() is None for worker in workers.running):
                assert time.monotonic() - began < MAX_SECONDS, queue.statuses()
                time.sleep(0.1)
        finally:
            workers.stop()
        findings.seconds = time.monotonic() - began
        findings.states = Counter(status.state for status in queue.statuses())
        queue.close()
        found = urls_of(memory, table) if table else urls_in(folder / "articles")
        check_articles(findings, found, sites.articles)
        for visits in sites.visits():
            check_visits(findings, visits, plan.delay)
    log = (folder / "workers.log").read_text("utf-8", "replace")
    findings.errors = [line for line in log.splitlines() if "Traceback" in line]
    return findings


def kill_at_random(
    workers: Workers,
    chance: random.Random,
    findings: Findings,
    restart: Callable[[], None],
    began: float,
) -> None:
    """Kill as often as planned, or until there is nothing left to do."""
    plan = workers.plan
    every = plan.kills // (plan.restarts + 1) or 1
    while findings.kills.total() < plan.kills:
        if all(worker.poll() is not None for worker in workers.running):
            return
        assert time.monotonic() - began < MAX_SECONDS
        time.sleep(chance.uniform(*plan.pauses))
        what = workers.kill(chance)
        if what is not None:
            findings.kills[what] += 1
        wanted = min(findings.kills.total() // every, plan.restarts)
        if findings.restarts < wanted:
            restart()
            findings.restarts += 1
    while findings.restarts < plan.restarts:
        restart()
        findings.restarts += 1
