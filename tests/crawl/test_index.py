"""From a crawl straight into an index: every article arrives, once, even if the index is down."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from newsclean.apps.search import SearchRequest
from newsclean.apps.search.index_target import open_search
from newsclean.apps.search.spool import Spool
from tests.servers.postgresql import PostgresqlServer

from .scrapy_command import HURRY, command, crawl_news, environment
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow

PATIENCE = 120  # seconds, for a machine that has much else to do
EARLY = {f"/news/report-{n}.html": f"Report number {n}" for n in range(70_001, 70_008)}
LATE = {f"/news/report-{n}.html": f"Report number {n}" for n in range(80_001, 80_008)}


class GatedAnswers(dict[str, Answer]):
    """Answers of which the late ones wait for the gate to be opened."""

    gate: threading.Event

    def get(self, path: str, default: Any = None) -> Any:
        if path in LATE:
            self.gate.wait(PATIENCE)
        return super().get(path, default)


@contextmanager
def gated_site() -> Iterator[tuple[SmallSite, threading.Event]]:
    """A site with early articles, and late ones that come when the gate is opened."""
    titles = EARLY | LATE
    answers = {path: Answer(story(title)) for path, title in titles.items()}
    answers |= {"/news": Answer(section(titles))}
    gate = threading.Event()
    with serve(answers) as site:
        gated = GatedAnswers(site.answers)
        gated.gate = gate
        site.answers = gated
        try:
            yield site, gate
        finally:
            gate.set()


def wait_for(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.05)


def settings(address: str) -> dict[str, Any]:
    return HURRY | {
        "NEWSCLEAN_INDEX": address,
        "NEWSCLEAN_INDEX_SPOOL": "spool.sqlite",
        "NEWSCLEAN_INDEX_WAIT": PATIENCE,
        "NEWSCLEAN_MIN_NEIGHBORS": 2,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
        "RETRY_ENABLED": 0,
    }


def start(folder: Path, site: SmallSite, address: str) -> tuple[subprocess.Popen[bytes], Path]:
    """Start a crawl; the process and its log."""
    log = folder / "log.txt"
    process = subprocess.Popen(
        command(
            "crawl", "news", f"-aurl={site.url}/news", f"-sLOG_FILE={log}", **settings(address)
        ),
        cwd=folder,
        env=environment("newsclean.settings"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return process, log


def indexed(address: str) -> list[str]:
    """The paths of the articles in an index in PostgreSQL."""
    with psycopg.connect(address) as connection:
        if connection.execute("SELECT to_regclass('newsclean_search.article')").fetchone() == (
            None,
        ):
            return []
        rows = connection.execute("SELECT url FROM newsclean_search.article").fetchall()
    return sorted("/" + url.split("/", 3)[3] for (url,) in rows)


def test_an_article_of_a_crawl_is_found_in_its_index(tmp_path: Path) -> None:
    with gated_site() as (site, gate):
        gate.set()
        run = crawl_news(tmp_path, f"url={site.url}/news", **settings("index.db"))
    assert run.stats["newsclean/index/new"] == len(EARLY) + len(LATE)
    assert "newsclean/index/left" not in run.stats
    index = open_search(str(tmp_path / "index.db"))
    assert index.search(SearchRequest('"Report number 70003"')).total == 1
    assert [count for _, count in index.sites()] == [len(EARLY) + len(LATE)]
    index.close()


def test_every_article_arrives_once_though_postgresql_is_down_in_the_midst_of_a_crawl(
    tmp_path: Path, postgresql_server: PostgresqlServer, postgresql: str
) -> None:
    with gated_site() as (site, gate):
        process, log = start(tmp_path, site, postgresql)
        wait_for(lambda: len(indexed(postgresql)) == len(EARLY))
        postgresql_server.stop()
        try:
            gate.set()
            wait_for(lambda: "does not accept articles" in log.read_text("utf-8"))
        finally:
            postgresql_server.start()
        assert process.wait(PATIENCE) == 0
    assert indexed(postgresql) == sorted(EARLY | LATE)
    assert "accepts articles again" in log.read_text("utf-8")
    assert "'newsclean/index/left'" not in log.read_text("utf-8")


def test_every_article_is_in_the_index_once_after_a_kill_and_another_run(
    tmp_path: Path, postgresql_server: PostgresqlServer, postgresql: str
) -> None:
    with gated_site() as (site, gate):
        postgresql_server.stop()
        try:
            process, _ = start(tmp_path, site, postgresql)
            wait_for((tmp_path / "spool.sqlite").exists)
            wait_for(lambda: waiting(tmp_path, postgresql) == len(EARLY))
            process.kill()
            process.wait()
        finally:
            postgresql_server.start()
        gate.set()
        run = crawl_news(tmp_path, f"url={site.url}/news", **settings(postgresql))
    assert run.exit_code == 0
    assert indexed(postgresql) == sorted(EARLY | LATE)
    assert waiting(tmp_path, postgresql) == 0


def waiting(folder: Path, address: str) -> int:
    spool = Spool(folder / "spool.sqlite", address)
    try:
        return spool.waiting()
    finally:
        spool.close()
