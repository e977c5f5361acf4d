"""Kills: crawls that die at random and at chosen moments, and a last run that completes them."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import tempfile
import time
from asyncio import StreamWriter
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.attack.crawls import MEMORY, Crawl, read_lines, start
from tests.attack.instruments import POINTS
from tests.attack.mock_server import Ask, Handler, MockServer, Site, reply, serve
from tests.attack.news import SECTION, News
from tests.attack.promise import Promise
from tests.attack.tally import Tally

SITES = ("127.0.1.1", "127.0.1.2")
ARTICLES = 8
MIN_NEIGHBORS = 5
#: Seconds that the server takes for a page, so that a crawl is killed with requests on their way.
ANSWER_SECONDS = 0.03
#: Seconds after its start at which a crawl is killed, where no point is named.
KILL_SECONDS = (0.1, 1.9)
MAX_SECONDS = 60.0
MAX_KILLS = 3  # of one memory, before it may complete
MAX_ORDERS = 3  # for one kill: a crawl may end before it comes to its point

#: How often a crawl comes to a point, at least in part of the runs.
TIMES = {"tables": 12, "response": 10, "parked": 5, "half-line": 8, "line": 8, "statement": 150}

ANY_MOMENT = "any moment"


@dataclass(frozen=True)
class Scenario:
    """Crawls that run at once on one memory: the site and the output of each."""

    name: str
    crawls: tuple[tuple[str, str], ...]
    has_job_folder: bool = False


FIRST, SECOND = SITES
SCENARIOS = (
    Scenario("one crawl", ((FIRST, "first.jsonl"),)),
    Scenario("one crawl with JOBDIR", ((FIRST, "first.jsonl"),), has_job_folder=True),
    Scenario("two crawls of two sites", ((FIRST, "first.jsonl"), (SECOND, "second.jsonl"))),
    Scenario("two crawls of one site", ((FIRST, "first.jsonl"), (FIRST, "second.jsonl"))),
    Scenario(
        "two crawls of two sites with JOBDIR",
        ((FIRST, "first.jsonl"), (SECOND, "second.jsonl")),
        has_job_folder=True,
    ),
)


@dataclass(frozen=True)
class Kill:
    """Where a crawl dies: at the n-th arrival at a point, or after some seconds."""

    point: str
    nth: int
    seconds: float

    @property
    def orders(self) -> dict[str, Any]:
        return {} if self.point == ANY_MOMENT else {"kill": self.point, "nth": self.nth}

    def __str__(self) -> str:
        moment = f"{self.seconds:.2f} s" if self.point == ANY_MOMENT else f"time {self.nth}"
        return f"{self.point}, {moment}"


def run(tries: int, seed: int) -> list[Promise]:
    """Kill crawls this many times; every memory is completed after a few kills, and checked."""
    chance = random.Random(seed)
    tally = Tally("kills")
    with serve({host: site(News(host, ARTICLES)) for host in SITES}) as server:
        kills = asked = round_ = 0
        points = [point for name in POINTS for point in (name, ANY_MOMENT)]
        while kills < tries and asked < MAX_ORDERS * tries:
            scenario = SCENARIOS[round_ % len(SCENARIOS)]
            count = min(chance.randint(1, MAX_KILLS), tries - kills)
            chosen = [points[(asked + n) % len(points)] for n in range(count)]
            asked += count
            round_ += 1
            with tempfile.TemporaryDirectory() as name:
                kills += Attack(scenario, Path(name), server, chance, tally).run(chosen)
    return tally.promises()


def site(news: News) -> Site:
    """A site that takes its time."""
    pages = {path: slowly(news.article(path)) for path in news.titles}
    pages[SECTION] = slowly(news.section())
    return lambda path: pages.get(path, reply("", "404 Not Found"))


def slowly(body: str) -> Handler:
    answer = reply(body)

    async def handler(ask: Ask, out: StreamWriter) -> None:
        await asyncio.sleep(ANSWER_SECONDS)
        await answer(ask, out)

    return handler


@dataclass
class Attack:
    """One memory: kills, then the last runs, then the checks."""

    scenario: Scenario
    folder: Path
    server: MockServer
    chance: random.Random
    tally: Tally

    def run(self, points: list[str]) -> int:
        """Kill at these points; how many crawls have died there."""
        story, killed = [self.scenario.name], 0
        points = sorted(points, key=lambda point: point != "tables")  # the first crawl makes them
        for point in points:
            nth = self.chance.randint(1, TIMES.get(point, 1))
            kill = Kill(point, nth, self.chance.uniform(*KILL_SECONDS))
            code = self.kill(kill)
            killed += code == -signal.SIGKILL
            story.append(f"{kill} (exit code {code})")
        order = list(self.scenario.crawls)
        self.chance.shuffle(order)
        story.append(f"last runs: {', '.join(feed for _, feed in order)}")
        self.complete(order, "; ".join(story), killed)
        return killed

    def start(self, crawl: tuple[str, str], orders: dict[str, Any] | None = None) -> Crawl:
        host, feed = crawl
        settings: dict[str, Any] = {"NEWSCLEAN_MIN_NEIGHBORS": MIN_NEIGHBORS}
        if self.scenario.has_job_folder:
            settings["JOBDIR"] = f"job-{feed}"
        url = self.server.url(host, SECTION)
        return start(self.folder, [url], feed=feed, orders=orders, **settings)

    def kill(self, kill: Kill) -> int:
        """Kill the first crawl, and half of the time the others; the exit code of the first."""
        first, *others = (
            self.start(crawl, kill.orders if not n else None)
            for n, crawl in enumerate(self.scenario.crawls)
        )
        moment = kill.seconds if kill.point == ANY_MOMENT else MAX_SECONDS
        deadline = time.monotonic() + moment
        while first.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        first.kill()
        die_too = self.chance.random() < 0.5
        for other in others:
            other.kill() if die_too else other.wait(MAX_SECONDS)
        return first.process.wait()

    def complete(self, order: list[tuple[str, str]], story: str, kills: int) -> None:
        for crawl in order:
            ended = self.start(crawl).wait(MAX_SECONDS)
            self.tally.check(
                "the run after a kill ends by itself with 0",
                ended.exit_code == 0,
                f"exit {ended.exit_code}: {story}",
            )
            self.tally.check(
                "its log has no traceback",
                not ended.tracebacks,
                f"{story}: {ended.log.partition('Traceback')[2][:900]}",
            )
        found: Counter[tuple[str, str]] = Counter()
        broken = []
        for feed in sorted({feed for _, feed in order}):
            lines, parts = read_lines(self.folder / feed)
            broken += parts
            for line in lines:
                address = urlsplit(line["url"])
                found[(address.hostname or "", address.path)] += 1
        wanted = {(host, path) for host, _ in order for path in News(host, ARTICLES).titles}
        missing, double = wanted - set(found), [name for name, n in found.items() if n > 1]
        self.tally.check("no article is lost", not missing, f"{story}: {missing}", kills)
        self.tally.check("no article comes out twice", not double, f"{story}: {double}", kills)
        self.tally.check("no half line stays", not broken, f"{story}: {broken}", kills)
        self.tally.check("the memory is whole", is_whole(self.folder / MEMORY), story, kills)


def is_whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as database:
        return bool(database.execute("PRAGMA integrity_check").fetchone()[0] == "ok")
