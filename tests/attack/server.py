"""Server faults: real crawls of sites of which one thing is wrong each."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.attack.crawls import Ended, read_lines, start
from tests.attack.faults import CATALOGUE, Fault
from tests.attack.faults.fault import CONTROL
from tests.attack.mock_server import MockServer, serve
from tests.attack.news import SECTION, News
from tests.attack.promise import Promise
from tests.attack.tally import Tally

#: How many faults one crawl meets.
MAX_FAULTS = 70
#: Seconds in which a crawl must end by itself: a few, and some for each site.
MAX_SECONDS_BASE = 30.0
MAX_SECONDS_FAULT = 1.0

CONNECTIONS = "connections.txt"
CONTROL_FAULT = Fault("nothing is wrong")


@dataclass(frozen=True)
class Visit:
    """What a crawl has made of one site."""

    fault: Fault
    host: str
    news: News
    #: how often each path came out
    lines: Counter[str]
    hits: Counter[str]
    times: list[float]


def run(tries: int, seed: int) -> list[Promise]:
    """Crawl this many faulty sites, the whole catalogue before any comes again."""
    shuffled = random.Random(seed)
    left: list[Fault] = []
    while len(left) < tries:
        left.extend(shuffled.sample(CATALOGUE, len(CATALOGUE)))
    left = left[:tries]
    tally = Tally("server")
    while left:
        faults, left = left[:MAX_FAULTS], left[MAX_FAULTS:]
        crawl(faults, tally)
    return tally.promises()


def crawl(faults: list[Fault], tally: Tally) -> None:
    """Crawl the sites of some faults at once, and check every promise."""
    hosts = {f"127.0.1.{number}": fault for number, fault in enumerate(faults, 2)}
    hosts[CONTROL] = CONTROL_FAULT  # the last: whoever speaks in its name comes before it
    news = {host: News(host) for host in hosts}
    sites = {host: fault.site(news[host]) for host, fault in hosts.items()}
    with tempfile.TemporaryDirectory() as name, serve(sites) as server:
        folder = Path(name)
        witness = folder / CONNECTIONS
        seconds = MAX_SECONDS_BASE + MAX_SECONDS_FAULT * len(faults)
        ended = start(
            folder,
            [server.url(host, SECTION) for host in hosts],
            orders={"connections": str(witness)},
            CONCURRENT_REQUESTS=64,
            CONCURRENT_REQUESTS_PER_DOMAIN=4,
        ).wait(seconds)
        lines, broken = read_lines(folder / "articles.jsonl")
        names = ", ".join(fault.name for fault in faults)
        check_end(tally, ended, broken, seconds, names)
        check_addresses(tally, witness, server, set(hosts))
        for line in lines:
            tally.check("no control character comes out", is_clean(line), str(line["url"]))
        out = count_lines(lines)
        for host, fault in hosts.items():
            hits, times = server.hits.get(host, Counter()), server.times.get(host, [])
            visit = Visit(fault, host, news[host], out.get(host, Counter()), hits, times)
            check_visit(tally, visit)


def count_lines(lines: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """How often each path came out, by address."""
    found: dict[str, Counter[str]] = {}
    for line in lines:
        parts = urlsplit(line["url"])
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        found.setdefault(parts.hostname or "", Counter())[path] += 1
    return found


def is_clean(value: Any) -> bool:
    """Whether a value is without control characters other than tabs and line ends."""
    if isinstance(value, dict):
        return all(is_clean(part) for part in value.values())
    if isinstance(value, list):
        return all(is_clean(part) for part in value)
    if not isinstance(value, str):
        return True
    return not any((c < " " and c not in "\t\n") or "\x7f" <= c <= "\x9f" for c in value)


def check_end(tally: Tally, ended: Ended, broken: list[str], seconds: float, names: str) -> None:
    tally.check(
        "a crawl ends by itself in time",
        ended.exit_code is not None,
        f"not after {seconds:.0f} s: {names}",
    )
    tally.check("it exits with 0", ended.exit_code == 0, f"{ended.exit_code}: {names}")
    first = ended.log.partition("Traceback (most recent call last)")
    example = f"{first[0][-300:]}{first[2][:900]}"
    tally.check("its log has no traceback", not ended.tracebacks, example)
    tally.check("each line is whole", not broken, str(broken[:1]))


def check_addresses(tally: Tally, witness: Path, server: MockServer, asked: set[str]) -> None:
    promise = "no connection to an address nobody asked for"
    connections = Counter(witness.read_text().split()) if witness.is_file() else Counter()
    tally.check(promise, True, "", connections.total())
    for address in connections.keys() - asked:
        tally.check(promise, False, address, 0)
    wrong = [
        f"{host}{path}" for host, hits in server.hits.items() for path in hits if host not in asked
    ]
    tally.check("no request to a site nobody asked for", not wrong, str(wrong[:1]), len(asked))
    # Where a redirect leads, only the headers are asked for: they may lead back to the site.
    tally.check("no page of another site is read", not server.read, str(server.read), len(asked))


def check_visit(tally: Tally, visit: Visit) -> None:
    fault, lines = visit.fault, visit.lines
    good = set(visit.news.titles) - set(fault.pages)
    wanted = {*good, *fault.wanted} if fault.is_open else set(fault.wanted)
    if fault.is_open is None:
        wanted = set()
    for path in sorted(wanted):
        tally.check(
            "each good article comes out exactly once",
            lines[path] == 1,
            f"{fault.name}: {lines[path]} times {path}",
        )
    allowed = good | fault.wanted | fault.possible
    others = [path for path in lines if path not in allowed]
    tally.check(
        "no broken page comes out", not others or fault.is_open is False, f"{fault.name}: {others}"
    )
    tally.check(
        "the requests to a site are bounded",
        visit.hits.total() <= fault.max_requests,
        f"{fault.name}: {visit.hits.total()} requests",
    )
    if fault.is_open is False:
        asked = [path for path in visit.hits if path != "/robots.txt"]
        tally.check(
            "a site whose robots.txt forbids or fails is left alone",
            not asked and not lines,
            f"{fault.name}: {asked}",
        )
    if fault.min_delay:
        # On the whole: two requests may arrive closer together than they were sent.
        gaps = max(len(visit.times) - 1, 1)
        mean = (max(visit.times) - min(visit.times)) / gaps if visit.times else 0.0
        tally.check(
            "the delay that robots.txt asks for is kept",
            mean >= fault.min_delay,
            f"{fault.name}: {mean:.2f} s",
        )
