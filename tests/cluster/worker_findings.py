"""What came of a crawl by workers, by their output and the log of the sites' server."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from newsclean.demo.server import Visit

ROBOTS = "/robots.txt"
#: What part of the delay two requests must be apart when they come to the server: on their way, and
#: in a server that has many threads, one may be held up longer than the next.
TOLERANCE = 0.7


@dataclass
class Findings:
    articles: int = 0
    missing: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    restarts: int = 0
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
