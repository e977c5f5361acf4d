"""Workers that are killed at random, servers that are restarted, and what must hold all the same.

Each article comes out exactly once; no site is crawled by two at a time; no host is asked more
often than its site file allows. All of it is read from the output and from the log of the sites'
own server. Everything is on loopback, and ends by itself.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from newsclean.cluster.queue import SiteQueue
from newsclean.demo import DemoServer
from newsclean.demo.server import Visit
from tests.crawl.small_site import Answer, section, serve, story

ROOT = Path(__file__).parents[2]
ROBOTS = "/robots.txt"
#: What part of the delay two requests must be apart when they come to the server: on their way, and
#: in a server that has many threads, one may be held up longer than the next.
TOLERANCE = 0.7
MAX_SECONDS = 1500.0
#: Of each of the articles of a small site.
YEARS = range(1901, 1913)


@dataclass(frozen=True)
class Plan:
    sites: int
    workers: int
    kills: int
    #: seconds between two requests to a site
    delay: float
    #: seconds between two kills
    pauses: tuple[float, float] = (2.0, 8.0)
    lease: int = 8
    seed: int = 1


@dataclass
class Findings:
    articles: int = 0
    missing: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    restarts: list[str] = field(default_factory=list)
    #: runs of sites that have asked for something
    runs: int = 0
    requests: int = 0
    #: sites that were asked by a run after another one had begun
    two_at_a_time: list[str] = field(default_factory=list)
    #: requests to a site that came while another one was answered
    at_once: int = 0
    #: the least time between two requests to a site: of one run, and of two
    least_gap: float = float("inf")
    least_gap_between: float = float("inf")
    #: the least mean time between two of ten requests to a site
    least_mean_gap: float = float("inf")
    too_soon: int = 0
    #: how often three requests to a site came within the time that is to be between two
    three_at_once: int = 0
    states: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    errors: list[str] = field(default_factory=list)


class Sites(NamedTuple):
    """The addresses of all articles, and what each server has been asked for, up to now."""

    articles: set[str]
    visits: Callable[[], list[list[Visit]]]


@contextmanager
def small_sites(folder: Path, plan: Plan) -> Iterator[Sites]:
    """Sites with a few short articles, and a site file for each."""
    articles: set[str] = set()
    with ExitStack() as stack:
        sites = []
        for number in range(plan.sites):
            titles = {f"/{number}/fair-of-{year}-{year}.html": f"Fair {year}" for year in YEARS}
            answers = {path: Answer(story(title)) for path, title in titles.items()}
            site = stack.enter_context(serve(answers | {"/news": Answer(section(titles))}))
            sites.append(site)
            text = f'delay = {plan.delay}\n[[section]]\nurl = "{site.url}/news"\n'
            (folder / f"small-{number:02}.toml").write_text(text)
            articles |= {site.url + path for path in titles}
        yield Sites(articles, lambda: [[Visit(s.url, *v) for v in s.visits] for s in sites])


@contextmanager
def demo_sites(folder: Path, plan: Plan) -> Iterator[Sites]:
    """The demo's sites, each two with another seed, and a site file for each."""
    articles: set[str] = set()
    with ExitStack() as stack:
        servers = []
        for seed in range((plan.sites + 1) // 2):
            server = stack.enter_context(DemoServer(seed))
            servers.append(server)
            for publisher in server.publishers[: plan.sites - 2 * seed]:
                lines = [f"delay = {plan.delay}\n"]
                lines += [f'[[section]]\nurl = "{url}"\n' for url in publisher.section_urls]
                (folder / f"{publisher.key}-{seed:02}.toml").write_text("".join(lines))
                articles |= {article.url for article in publisher.articles}
        yield Sites(articles, lambda: [server.visits for server in servers])


#: Sites by the folder for their files and the plan.
MakeSites = Callable[[Path, Plan], AbstractContextManager[Sites]]


class Workers:
    """Workers in processes of their own; each that is killed is replaced by another one."""

    def __init__(
        self, folder: Path, redis: str, memory: str, plan: Plan, table: str | None
    ) -> None:
        self.folder = folder
        self.redis = redis
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
                    "--memory", self.memory, "--lease", str(self.plan.lease), "--backoff", "2",
                    "--tries", "10", *(f"-s{name}={value}" for name, value in options.items()),
                ],
                cwd=self.folder,
                env=os.environ | {"PYTHONPATH": str(ROOT), "NEWSCLEAN_REDIS": self.redis},
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
    redis: str,
    memory: str,
    restarts: dict[str, Callable[[], None]],
    make_sites: MakeSites = demo_sites,
    table: str | None = None,
) -> Findings:
    """Crawl, kill, restart each server once, and look at what came of it."""
    findings, chance = Findings(), random.Random(plan.seed)
    began = time.monotonic()
    (folder / "sites").mkdir()
    with make_sites(folder / "sites", plan) as sites:
        files = sorted(map(str, (folder / "sites").glob("*.toml")))
        add = [sys.executable, "-m", "newsclean", "queue", "add", "--redis", redis]
        subprocess.run([*add, *files, "--every", "once"], check=True, stdout=subprocess.DEVNULL)
        workers = Workers(folder, redis, memory, plan, table)
        queue = SiteQueue(redis)
        try:
            for _ in range(plan.workers):
                workers.start()
            kill_at_random(workers, chance, findings, restarts, began)
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
    restarts: dict[str, Callable[[], None]],
    began: float,
) -> None:
    """Kill as often as planned, or until there is nothing left to do."""
    plan, left = workers.plan, list(restarts.items())
    every = plan.kills // (len(left) + 1) or 1
    while findings.kills.total() < plan.kills:
        if all(worker.poll() is not None for worker in workers.running):
            return
        assert time.monotonic() - began < MAX_SECONDS
        time.sleep(chance.uniform(*plan.pauses))
        what = workers.kill(chance)
        if what is not None:
            findings.kills[what] += 1
        if left and findings.kills.total() >= every * (len(restarts) - len(left) + 1):
            name, restart = left.pop(0)
            restart()
            findings.restarts.append(name)
    for name, restart in left:
        restart()
        findings.restarts.append(name)


def urls_in(folder: Path) -> list[str]:
    lines: list[dict[str, Any]] = []
    for path in sorted(folder.glob("*.jsonl")):
        lines += [json.loads(line) for line in path.read_bytes().splitlines()]
    return [line["url"] for line in lines]


def urls_of(memory: str, table: str) -> list[str]:
    import psycopg

    with psycopg.connect(memory) as session:
        rows = session.execute(f"SELECT url FROM {table}").fetchall()
    return [row[0] for row in rows]


def check_articles(findings: Findings, found: list[str], wanted: set[str]) -> None:
    counts = Counter(found)
    findings.articles = len(found)
    findings.missing = sorted(wanted - counts.keys())
    findings.twice = sorted(url for url, n in counts.items() if n > 1 or url not in wanted)


def check_visits(findings: Findings, visits: list[Visit], delay: float) -> None:
    """Each run begins with robots.txt: whatever comes after it belongs to the same worker."""
    by_site: dict[str, list[Visit]] = defaultdict(list)
    for visit in sorted(visits, key=lambda visit: visit.came):
        by_site[visit.base_url].append(visit)
    for site, asked in by_site.items():
        findings.requests += len(asked)
        at_work = ""
        for visit in asked:
            if visit.path == ROBOTS:
                at_work = visit.user_agent
                findings.runs += 1
            elif visit.user_agent != at_work:
                findings.two_at_a_time.append(f"{site}{visit.path}: {visit.user_agent}, {at_work}")
        for one, next_one in pairwise(asked):
            gap = next_one.came - one.came
            if next_one.user_agent == one.user_agent:
                findings.least_gap = min(findings.least_gap, gap)
            else:
                findings.least_gap_between = min(findings.least_gap_between, gap)
            findings.too_soon += gap < TOLERANCE * delay
            findings.at_once += next_one.came < one.answered
        findings.three_at_once += sum(
            third.came - one.came < delay for one, third in zip(asked, asked[2:], strict=False)
        )
        for one, tenth in zip(asked, asked[9:], strict=False):
            findings.least_mean_gap = min(findings.least_mean_gap, (tenth.came - one.came) / 9)
