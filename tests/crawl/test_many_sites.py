"""Many sites in one command, in one process or in several."""

import os
import signal
import time
from pathlib import Path

import pytest

from .demo_sites import HURRY, demo_sites, newsclean_process, start_newsclean, urls, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.process]


def wait_for_lines(path: Path, count: int) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < count:
        assert time.monotonic() < deadline, "no articles"
        time.sleep(0.02)


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_all_articles_of_all_sites_come_once_whatever_the_number_of_processes(
    tmp_path: Path, jobs: str
) -> None:
    with demo_sites(tmp_path, 2) as articles:
        run = newsclean_process(tmp_path, "crawl", "--sites", "sites", "--jobs", jobs, *HURRY)
        assert run.exit_code == 0, run.errors
        assert urls(tmp_path / "articles.jsonl") == sorted(articles)
        assert f"{len(articles)} new or changed articles of 4 sites" in run.output
        # Everything is downloaded again, and nothing comes out again.
        again = newsclean_process(
            tmp_path, "crawl", "--sites", "sites", "--jobs", jobs, "-a", "recheck=all", *HURRY
        )
        assert again.exit_code == 0, again.errors
        assert urls(tmp_path / "articles.jsonl") == sorted(articles)


def test_killed_in_the_midst_and_started_again_nothing_is_lost_or_comes_twice(
    tmp_path: Path,
) -> None:
    output = tmp_path / "articles.jsonl"
    command = ("crawl", "--sites", "sites", "--jobs", "2", *HURRY)
    with demo_sites(tmp_path, 4, delay=0.01) as articles:
        first = start_newsclean(tmp_path, *command)
        wait_for_lines(output, 40)
        os.killpg(first.pid, signal.SIGKILL)
        wait_for(first)
        assert output.read_bytes().count(b"\n") < len(articles)
        second = newsclean_process(tmp_path, *command)
    assert second.exit_code == 0, second.errors
    assert urls(output) == sorted(articles)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_crawl_ends_cleanly_and_is_completed(
    tmp_path: Path, number: signal.Signals, jobs: str
) -> None:
    output = tmp_path / "articles.jsonl"
    command = ("crawl", "--sites", "sites", "--jobs", jobs, *HURRY)
    with demo_sites(tmp_path, 1, delay=0.05) as articles:
        first = start_newsclean(tmp_path, *command)
        wait_for_lines(output, 5)
        os.killpg(first.pid, number)  # as a terminal does
        ended = wait_for(first)
        assert ended.exit_code == 130
        assert "run the same command again to complete the crawl" in ended.output
        assert ended.errors.count("stopping after the pages under way") == 1
        assert "Traceback" not in ended.errors
        assert newsclean_process(tmp_path, *command).exit_code == 0
    assert urls(output) == sorted(articles)


def test_workers_end_when_the_process_that_started_them_is_killed(tmp_path: Path) -> None:
    output = tmp_path / "articles.jsonl"
    with demo_sites(tmp_path, 1, delay=0.2) as articles:
        first = start_newsclean(tmp_path, "crawl", "--sites", "sites", "--jobs", "2", *HURRY)
        wait_for_lines(output, 3)
        workers = Path(f"/proc/{first.pid}/task/{first.pid}/children").read_text().split()
        assert len(workers) == 2
        first.kill()  # alone
        wait_for(first)
        deadline = time.monotonic() + 60
        while any(map(is_running, workers)):
            assert time.monotonic() < deadline, "a worker goes on"
            time.sleep(0.05)
        assert output.read_bytes().count(b"\n") < len(articles)


def is_running(process: str) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
