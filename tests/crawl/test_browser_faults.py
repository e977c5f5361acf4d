"""A browser that is missing, hangs or dies; a crawl that is ended while it shows a page."""

import os
import signal
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .demo_sites import HURRY, newsclean_process, start_newsclean, wait_for
from .scrapy_command import Run
from .scripted_site import (
    HANGING,
    browser_with_log,
    crawl,
    is_alive,
    path_of,
    pids,
    scripted,
    wait_until,
)
from .small_site import Answer, serve

pytestmark = [pytest.mark.slow, pytest.mark.process]

GOOD, BAD = "The apples of autumn", "The pears of winter"


def paths(run: Run) -> list[str]:
    return sorted(urlsplit(line["url"]).path for line in run.lines())


def test_without_chromium_a_crawl_says_so_at_its_start_and_how_to_get_it(tmp_path: Path) -> None:
    with serve(scripted(GOOD)) as site:
        run = crawl(tmp_path, f"{site.url}/news", NEWSCLEAN_CHROMIUM="/nowhere/chromium")
        (tmp_path / "bin").mkdir()
        path = {"PATH": str(tmp_path / "bin")}
        before = dict(os.environ)
        os.environ.update(path)
        try:
            ended = newsclean_process(
                tmp_path, "crawl", f"{site.url}/news", *HURRY, "-sNEWSCLEAN_RENDER=always"
            )
        finally:
            os.environ.update(before)
    assert not site.hits
    assert run.exit_code == ended.exit_code == 2
    assert "NEWSCLEAN_RENDER=empty: no program to run at /nowhere/chromium" in run.log
    assert "NEWSCLEAN_RENDER=always: no Chromium on this machine: install it" in ended.errors
    assert "apt-get install chromium" in ended.errors
    assert "Traceback" not in run.log + ended.errors


def test_a_mode_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    run = crawl(tmp_path, "http://127.0.0.1:9/news", NEWSCLEAN_RENDER="sometimes")
    assert run.exit_code == 2
    assert "NEWSCLEAN_RENDER: 'sometimes' is not one of never, empty, always" in run.log


@pytest.mark.chromium
def test_a_page_that_hangs_is_counted_and_asked_for_again_in_the_next_run(tmp_path: Path) -> None:
    with serve(scripted(BAD, GOOD)) as site:
        whole = site.answers[path_of(BAD)]
        site.answers[path_of(BAD)] = Answer(HANGING)
        run = crawl(tmp_path, f"{site.url}/news", NEWSCLEAN_RENDER_TIMEOUT=15)
        assert paths(run) == [path_of(GOOD)]
        assert run.dropped == {"rendering-timeout": 1}
        assert run.stats["newsclean/rendering/failed"] == 1
        site.answers[path_of(BAD)] = whole
        assert paths(crawl(tmp_path, f"{site.url}/news")) == [path_of(GOOD), path_of(BAD)]


@pytest.mark.chromium
def test_a_browser_that_is_killed_is_started_again_and_no_page_is_lost(tmp_path: Path) -> None:
    program = browser_with_log(tmp_path)
    with serve(scripted(BAD, GOOD)) as site:
        data = f"/data{path_of(BAD)}"
        site.once[data] = Answer(hangs=True)

        def kill() -> None:
            if wait_until(lambda: site.hits[data]):
                os.kill(pids(tmp_path)[0], signal.SIGKILL)

        killing = threading.Thread(target=kill)
        killing.start()
        run = crawl(tmp_path, f"{site.url}/news", NEWSCLEAN_CHROMIUM=program, DOWNLOAD_TIMEOUT=20)
        killing.join()
    assert paths(run) == [path_of(GOOD), path_of(BAD)]
    assert run.exit_code == 0
    assert run.stats["newsclean/rendering/browsers"] == 2
    assert not any(map(is_alive, pids(tmp_path)))


@pytest.mark.chromium
def test_a_browser_that_does_not_start_is_tried_a_few_times_and_the_run_goes_on(
    tmp_path: Path,
) -> None:
    program = tmp_path / "no-browser"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    titles = [f"The apples of orchard {number}" for number in "one two three four five".split()]
    answers = scripted(*titles)
    answers["/news"] = Answer(_plain_list(titles))
    with serve(answers) as site:
        run = crawl(tmp_path, f"{site.url}/news", NEWSCLEAN_CHROMIUM=program)
    assert run.dropped == {"rendering-no-browser": 5}
    assert run.exit_code == 1
    assert "Traceback" not in run.log


def _plain_list(titles: list[str]) -> str:
    from .small_site import section

    return section({path_of(title): title for title in titles})


@pytest.mark.chromium
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_no_process_is_left_behind_by_a_crawl_that_is_ended(
    sent: signal.Signals, code: int, tmp_path: Path
) -> None:
    program = browser_with_log(tmp_path)
    with serve(scripted(BAD)) as site:
        site.answers[path_of(BAD)] = Answer(HANGING)
        process = start_newsclean(
            tmp_path,
            "crawl",
            f"{site.url}/news",
            *HURRY,
            "-sNEWSCLEAN_RENDER=empty",
            "-sNEWSCLEAN_RENDER_TIMEOUT=20",
            f"-sNEWSCLEAN_CHROMIUM={program}",
        )
        assert wait_until(lambda: site.hits[path_of(BAD)])
        (browser,) = pids(tmp_path)
        assert is_alive(browser)
        process.send_signal(sent)
        assert wait_for(process).exit_code == code
    assert wait_until(lambda: not is_alive(browser), 30)
