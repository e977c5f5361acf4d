"""Crawls whose memory, and whose output, is in PostgreSQL."""

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from newsclean.cli import main
from newsclean.demo import DemoServer
from newsclean.memory import Memory
from tests.servers.postgresql import PostgresqlServer

from .scrapy_command import HURRY, Run, command, environment
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = pytest.mark.slow

TITLES = {f"/news/report-{n}.html": f"Report number {n}" for n in range(70_001, 70_031)}
PASSWORD = "secret-word"
#: Seconds in which something must have happened, on a slow machine as well.
PATIENCE = 240

SETTINGS = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["newsclean.spiders"]
FEEDS = {"articles.jsonl": {"format": "jsonlines"}}
NEWSCLEAN_MIN_NEIGHBORS = 2
TELNETCONSOLE_ENABLED = False
"""


@pytest.fixture
def address(postgresql: str) -> str:
    """A database, with a password that nobody is to see."""
    return postgresql.replace("postgres@", f"postgres:{PASSWORD}@")


@pytest.fixture
def site() -> Iterator[SmallSite]:
    """A section with thirty articles."""
    answers = {path: Answer(story(title)) for path, title in TITLES.items()}
    with serve(answers | {"/news": Answer(section(TITLES))}) as running:
        yield running


class GatedAnswers(dict[str, Answer]):
    """Answers of which the one of the last article waits for the gate to be opened."""

    gate: threading.Event

    def get(self, path: str, default: Any = None) -> Any:
        if path == list(TITLES)[-1]:
            self.gate.wait(PATIENCE)
        return super().get(path, default)


@pytest.fixture
def gate(site: SmallSite) -> Iterator[threading.Event]:
    """Holds back the last article, so that no crawl ends before the test goes on."""
    site.answers = gated = GatedAnswers(site.answers)
    gated.gate = threading.Event()
    yield gated.gate
    gated.gate.set()


@dataclass(frozen=True)
class Crawl:
    """A crawl that was started, and its log."""

    process: subprocess.Popen[bytes]
    log: Path

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def run(self) -> Run:
        """The crawl when it has come to its end; nobody finds the password in its log."""
        code = self.process.wait(PATIENCE)
        log = self.log.read_text("utf-8")
        assert PASSWORD not in log
        return Run(self.log.parent, code, "", log)


Start = Callable[..., Crawl]


@pytest.fixture
def start(tmp_path: Path, address: str) -> Iterator[Start]:
    """Starts crawls of sections; those that still run when the test ends are killed."""
    started: list[Crawl] = []

    def start(url: str, extra: str = "", **overrides: Any) -> Crawl:
        (tmp_path / "postgres.py").write_text(SETTINGS + extra)
        settings = HURRY | {"NEWSCLEAN_MEMORY": address} | overrides
        log = tmp_path / f"{len(started)}.log"
        with log.open("wb") as file:  # nobody reads a pipe while the crawl runs
            process = subprocess.Popen(
                command("crawl", "news", f"-aurl={url}", **settings),
                cwd=tmp_path,
                env=environment("postgres"),
                stdout=subprocess.DEVNULL,
                stderr=file,
            )
        started.append(Crawl(process, log))
        return started[-1]

    yield start
    for crawl in started:
        if crawl.process.poll() is None:
            crawl.kill()


def delivered(address: str) -> list[str]:
    """The addresses of the articles in the table; none before there is one."""
    try:
        with psycopg.connect(address) as session:
            found = session.execute("SELECT url, revision FROM articles ORDER BY url").fetchall()
    except psycopg.errors.UndefinedTable:
        return []
    assert {revision for _, revision in found} <= {1}
    return [url for url, _ in found]


def wait_until(is_true: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_each_article_is_a_row_and_the_second_crawl_adds_none(
    demo: DemoServer,
    address: str,
    start: Start,
    capsys: pytest.CaptureFixture[str],
) -> None:
    urls = ",".join(url for publisher in demo.publishers for url in publisher.section_urls)
    expected = sorted(a.url for publisher in demo.publishers for a in publisher.articles)
    first = start(urls, NEWSCLEAN_TABLE="articles").run()
    assert (first.exit_code, first.complaints) == (0, [])
    assert delivered(address) == expected
    with psycopg.connect(address) as session:
        rows = session.execute("SELECT url, item FROM articles").fetchall()
    assert dict(rows) == {line["url"]: line for line in first.lines()}
    second = start(urls, NEWSCLEAN_TABLE="articles").run()
    assert second.exit_code == 0
    assert "newsclean/parked" not in second.stats
    assert delivered(address) == expected
    assert len(second.lines()) == len(expected)
    for arguments in (["memory", "--memory", address, "list"], ["report", "--memory", address]):
        assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "MB" in shown
    assert PASSWORD not in shown


@pytest.mark.parametrize("table", ["articles", ""])
def test_a_killed_crawl_is_completed_by_the_next_with_each_article_once(
    tmp_path: Path, site: SmallSite, address: str, start: Start, table: str
) -> None:
    feed = tmp_path / "articles.jsonl"

    def count() -> int:
        if table:
            return len(delivered(address))
        return len(feed.read_bytes().splitlines()) if feed.exists() else 0

    for least in (3, 15):
        crawl = start(f"{site.url}/news", NEWSCLEAN_TABLE=table)
        wait_until(lambda least=least: count() >= least)  # type: ignore[misc]
        crawl.kill()
    last = start(f"{site.url}/news", NEWSCLEAN_TABLE=table).run()
    assert last.exit_code == 0
    found = delivered(address) if table else sorted(line["url"] for line in last.lines())
    assert found == sorted(site.url + path for path in TITLES)
    with closing(Memory(address)) as memory:
        for name in ("stored_page", "pending_delivery", "run"):
            assert memory.database.query(f"SELECT * FROM {name}") == []


def test_a_server_that_is_started_again_in_the_midst_costs_nothing(
    site: SmallSite,
    gate: threading.Event,
    address: str,
    start: Start,
    postgresql_server: PostgresqlServer,
) -> None:
    crawl = start(f"{site.url}/news", NEWSCLEAN_TABLE="articles")
    wait_until(lambda: len(delivered(address)) >= 5)
    postgresql_server.restart()
    gate.set()
    run = crawl.run()
    assert run.exit_code == 0
    assert delivered(address) == sorted(site.url + path for path in TITLES)
    assert sorted(line["url"] for line in run.lines()) == delivered(address)
    assert [line for line in run.complaints if "WARNING" not in line] == []


def test_a_server_that_stays_away_ends_the_crawl_with_one_error_and_the_next_completes_it(
    site: SmallSite,
    gate: threading.Event,
    address: str,
    start: Start,
    postgresql_server: PostgresqlServer,
) -> None:
    impatient = "from newsclean.memory import postgresql\npostgresql.PATIENCE = 0.5\n"
    crawl = start(f"{site.url}/news", impatient, NEWSCLEAN_TABLE="articles")
    wait_until(lambda: len(delivered(address)) >= 3)
    postgresql_server.stop()
    gate.set()
    try:
        run = crawl.run()
    finally:
        postgresql_server.start()
    assert run.exit_code == 1
    (told,) = [line for line in run.complaints if "WARNING" not in line]
    assert "cannot use the memory postgresql://postgres@" in told
    assert "start the crawl again" in told
    assert start(f"{site.url}/news", NEWSCLEAN_TABLE="articles").run().exit_code == 0
    assert delivered(address) == sorted(site.url + path for path in TITLES)


def test_a_second_crawl_of_a_domain_asks_for_nothing_and_says_why(
    site: SmallSite, gate: threading.Event, address: str, start: Start
) -> None:
    first = start(f"{site.url}/news", NEWSCLEAN_TABLE="articles", USER_AGENT="first")
    wait_until(lambda: len(delivered(address)) >= 3)
    second = start(f"{site.url}/news", NEWSCLEAN_TABLE="articles", USER_AGENT="second").run()
    assert second.exit_code == 1
    (told,) = second.complaints
    assert "is crawling 127.0.0.1:" in told
    gate.set()
    assert first.run().exit_code == 0
    assert {headers["User-Agent"] for _, headers in site.requests} == {"first"}
    assert delivered(address) == sorted(site.url + path for path in TITLES)


@pytest.mark.parametrize("table", ["articles", ""])
def test_a_crawl_that_was_stopped_and_lost_its_domain_sends_and_writes_nothing_more(
    site: SmallSite, address: str, start: Start, table: str
) -> None:
    """Its session is ended by the crawl that takes over, as it is silent for too long."""
    hasty = "from newsclean.memory import postgresql_locks as locks\n"
    hasty += "locks.MAX_FROZEN, locks.GRACE, locks.LOOK_EVERY = 3, 4.0, 0.5\n"
    hasty += "from newsclean.memory import postgresql\npostgresql.MAX_SILENCE = 1.5\n"
    options = {"NEWSCLEAN_TABLE": table, "DOWNLOAD_DELAY": 0.2}
    frozen = start(f"{site.url}/news", hasty, USER_AGENT="frozen", **options)
    wait_until(lambda: site.hits.total() >= 8)
    frozen.process.send_signal(signal.SIGSTOP)
    time.sleep(4)  # what is silent for three seconds has lost its domain to whoever asks
    sent = agents(site).count("frozen")
    other = start(f"{site.url}/news", hasty, USER_AGENT="other", **options)
    wait_until(lambda: agents(site).count("other") >= 5)
    frozen.process.send_signal(signal.SIGCONT)
    ended = frozen.run()
    assert (ended.exit_code, ended.stats["newsclean/domain_busy"]) == (1, 1)
    assert other.run().exit_code == 0
    assert agents(site).count("frozen") == sent
    wanted = sorted(site.url + path for path in TITLES)
    last = start(f"{site.url}/news", hasty, **options | {"DOWNLOAD_DELAY": 0}).run()
    assert last.exit_code == 0
    found = delivered(address) if table else sorted(line["url"] for line in last.lines())
    assert found == wanted


def agents(site: SmallSite) -> list[str]:
    return [headers["User-Agent"] for _, headers in site.requests]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"NEWSCLEAN_MEMORY": "memory.sqlite", "NEWSCLEAN_TABLE": "a"}, "a memory in PostgreSQL"),
        ({"NEWSCLEAN_TABLE": "a b"}, "NEWSCLEAN_TABLE=a b: it takes the name of a table"),
        (
            {"NEWSCLEAN_MEMORY": f"postgresql://a:{PASSWORD}@127.0.0.1:1/x"},
            "cannot open the memory",
        ),
        ({"FEEDS": f'{{"postgresql://a:{PASSWORD}@db/x": {{}}}}'}, "postgresql://a@db/x is not a"),
    ],
)
def test_settings_that_make_no_sense_start_no_crawl(
    site: SmallSite, start: Start, settings: dict[str, str], words: str
) -> None:
    hasty = "from newsclean.memory import postgresql\npostgresql.OPENING_PATIENCE = 0.0\n"
    run = start(f"{site.url}/news", hasty, **settings).run()
    assert run.exit_code == 1
    assert words in run.complaints[-1]
    assert "Traceback" not in run.log
    assert site.hits == {}
