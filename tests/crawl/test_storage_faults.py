"""Disks that are full and files that may not be written: one error, an end, nothing lost."""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from newsclean.memory import Memory

from .scrapy_command import TIMEOUT, Run, command, environment
from .small_site import Answer, SmallSite, section, serve, story

pytestmark = [pytest.mark.slow, pytest.mark.process]

TITLES = {f"/news/report-{n}.html": f"Report number {n}" for n in range(70_001, 70_021)}

LIBC = ctypes.CDLL(None)
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1

SETTINGS = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["newsclean.spiders"]
FEEDS = {"articles.jsonl": {"format": "jsonlines"}}
NEWSCLEAN_MEMORY = "memory.sqlite"
NEWSCLEAN_MIN_NEIGHBORS = 1000
TELNETCONSOLE_ENABLED = False
"""

#: Sets something in every connection to a memory.
PRAGMA = """
import sqlite3

connect = sqlite3.connect

def connect_and_set(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.execute("PRAGMA {setting}")
    return connection

sqlite3.connect = connect_and_set
"""
#: Keeps the files of a memory smaller than the feed.
SMALL_LOG = PRAGMA.format(setting="wal_autocheckpoint = 1")


@pytest.fixture
def site() -> Iterator[SmallSite]:
    """A section with twenty articles."""
    answers = {path: Answer(story(title, paragraphs=60)) for path, title in TITLES.items()}
    with serve(answers | {"/news": Answer(section(TITLES))}) as running:
        yield running


Crawl = Callable[..., Run]


@pytest.fixture
def crawl(tmp_path: Path, site: SmallSite) -> Crawl:
    """Crawls the section with settings and limits of a test, and as someone whom rights stop."""

    def run(extra: str = "", *arguments: str, limit: int = 0, **overrides: Any) -> Run:
        (tmp_path / "faulty.py").write_text(SETTINGS + extra)

        def prepare() -> None:
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            if os.getuid() == 0:  # rights stop root as well once it has not this capability
                assert LIBC.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0

        ended = subprocess.run(
            command("crawl", "news", f"-aurl={site.url}/news", *arguments, **overrides),
            cwd=tmp_path,
            env=environment("faulty"),
            preexec_fn=prepare,
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
        return Run(tmp_path, ended.returncode, ended.stdout, ended.stderr)

    return run


def assert_ended_with_one_error(run: Run, *words: str) -> None:
    (told,) = [line for line in run.complaints if "WARNING" not in line]
    for word in (*words, "start the crawl again"):
        assert word in told
    assert "Spider closed (storage_failed)" in run.log
    assert run.exit_code == 1


def assert_complete(run: Run, site: SmallSite, name: str = "articles.jsonl") -> None:
    """All articles are there, each once, and nothing is left in the memory."""
    assert run.exit_code == 0
    urls = sorted(line["url"] for line in run.lines(name))
    assert urls == sorted(site.url + path for path in TITLES)
    memory = Memory(str(run.folder / "memory.sqlite"))
    assert memory.pages.counts() == {}
    memory.close()


@pytest.mark.parametrize("more", [1, 10])
def test_a_full_memory_ends_the_crawl_and_the_next_run_completes_it(
    crawl: Crawl, site: SmallSite, more: int
) -> None:
    with closing(Memory()) as memory:
        ((tables,),) = memory.database.query("PRAGMA page_count")
    run = crawl(PRAGMA.format(setting=f"max_page_count = {tables + more}"))
    assert_ended_with_one_error(run, "memory.sqlite", "database or disk is full")
    assert_complete(crawl(), site)


def test_a_memory_that_becomes_unwritable_ends_the_crawl_and_the_next_run_completes_it(
    crawl: Crawl, site: SmallSite, tmp_path: Path
) -> None:
    with closing(Memory(str(tmp_path / "empty.sqlite"))):
        tables = max(path.stat().st_size for path in tmp_path.glob("empty.sqlite*"))
    run = crawl(limit=tables + 25_000)  # room for the tables, and not for all pages
    assert_ended_with_one_error(run, "memory.sqlite")
    assert_complete(crawl(), site)


def test_a_feed_on_a_full_disk_ends_the_crawl_and_the_next_run_completes_it(
    crawl: Crawl, site: SmallSite
) -> None:
    run = crawl(SMALL_LOG, limit=400_000, NEWSCLEAN_KEEP_PAGES=0)
    assert_ended_with_one_error(run, "articles.jsonl", "File too large")
    assert 0 < len(run.lines()) < len(TITLES)
    assert_complete(crawl(), site)


def test_a_device_that_takes_nothing_ends_the_crawl_and_loses_no_article(
    crawl: Crawl, site: SmallSite
) -> None:
    run = crawl('FEEDS = {"/dev/full": {"format": "jsonlines"}}')
    assert_ended_with_one_error(run, "/dev/full", "No space left on device")
    assert_complete(crawl(), site)


def test_a_json_feed_on_a_full_disk_ends_the_crawl_and_loses_no_article(
    crawl: Crawl, site: SmallSite
) -> None:
    feeds = 'FEEDS = {"articles.json": {"format": "json"}}'
    run = crawl(SMALL_LOG + feeds, limit=200_000)
    assert_ended_with_one_error(run, "articles.json", "File too large")
    assert_complete(crawl(), site)


def test_a_memory_or_a_feed_without_the_right_to_write_starts_no_crawl(
    crawl: Crawl, site: SmallSite, tmp_path: Path
) -> None:
    memory, feed, folder = (tmp_path / name for name in ("memory.sqlite", "articles.jsonl", "in"))
    Memory(str(memory)).close()
    feed.touch()
    folder.mkdir()
    Memory(str(folder / "memory.sqlite")).close()
    for path in (memory, feed):
        path.chmod(0o444)
    folder.chmod(0o555)
    inside = f'NEWSCLEAN_MEMORY = "{folder}/memory.sqlite"\n'
    runs = {
        "FEEDS: cannot write articles.jsonl: Permission denied": crawl(),
        "FEEDS: cannot write in/a.jsonl: no permission to write in the folder": crawl(
            'FEEDS = {"in/a.jsonl": {"format": "jsonlines"}}'
        ),
        "FEEDS: cannot write faulty.py/a.jsonl": crawl(
            'FEEDS = {"faulty.py/a.jsonl": {"format": "jsonlines"}}'
        ),
        f"NEWSCLEAN_MEMORY: cannot use the memory file {memory.name}": crawl("FEEDS = {}"),
        f"NEWSCLEAN_MEMORY: cannot use the memory file {folder}": crawl("FEEDS = {}\n" + inside),
    }
    folder.chmod(0o755)
    for message, run in runs.items():
        (told,) = run.complaints
        assert message in told
        assert run.exit_code == 1
        assert "Spider opened" not in run.log
    assert site.hits == {}


def test_a_feed_whose_name_is_known_late_starts_no_download_either(
    crawl: Crawl, site: SmallSite, tmp_path: Path
) -> None:
    (tmp_path / "news.jsonl").touch(0o444)
    run = crawl('FEEDS = {"%(name)s.jsonl": {"format": "jsonlines"}}')
    assert_ended_with_one_error(run, "news.jsonl", "Permission denied")
    assert site.hits == {}
    assert list(tmp_path.glob("*-run-*")) == []


SCRIPT = """
import sys
from scrapy.crawler import {process}
from scrapy.utils.project import get_project_settings

process = {process}(get_project_settings())
process.crawl("news", url=sys.argv[1])
process.start()
sys.exit(5 if process.bootstrap_failed else 0)
"""


@pytest.mark.parametrize("process", ["CrawlerProcess", "AsyncCrawlerProcess"])
@pytest.mark.parametrize(("feed", "code"), [("/dev/full", 5), ("/dev/null", 0)])
def test_a_script_sees_that_the_crawl_has_failed(
    tmp_path: Path, site: SmallSite, process: str, feed: str, code: int
) -> None:
    settings = SETTINGS.replace("articles.jsonl", feed)
    (tmp_path / "faulty.py").write_text(settings)
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(process=process), f"{site.url}/news"],
        cwd=tmp_path,
        env=environment("faulty"),
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert ended.returncode == code


def test_the_default_file_under_other_names_is_written_once(
    crawl: Crawl, site: SmallSite, tmp_path: Path
) -> None:
    (tmp_path / "link.jsonl").symlink_to("articles.jsonl")
    path = tmp_path / "articles.jsonl"
    names = ("articles.jsonl", "./articles.jsonl", "link.jsonl", str(path), path.as_uri())
    run = crawl("", *(f"-o{name}" for name in names))
    assert_complete(run, site)
    assert run.complaints == []
