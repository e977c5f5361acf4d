"""The cron line of `deploy/crontab`, run as cron runs it."""

import fcntl
import json
import subprocess
import sys
from pathlib import Path

import pytest

from .scrapy_command import ROOT
from .small_site import Answer, section, serve, story

pytestmark = [pytest.mark.slow, pytest.mark.process]

TITLES = {f"/news/the-fair-of-{n}-{n}.html": f"The fair of {n}" for n in range(2)}
SITE = {"/news": Answer(section(TITLES))} | {
    path: Answer(story(title)) for path, title in TITLES.items()
}


def cron_command(folder: Path) -> str:
    """The command of the line, with the folder in place of the example's."""
    (line,) = (
        line for line in (ROOT / "deploy/crontab").read_text().splitlines() if line[:1] != "#"
    )
    return line.split(maxsplit=5)[5].replace("/srv/newsclean", str(folder))


def run(command: str) -> int:
    """Run a command in the environment that cron gives: a shell, and hardly any PATH."""
    environment = {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "HOME": "/"}
    return subprocess.run(["/bin/sh", "-c", command], env=environment, timeout=120).returncode


def test_the_cron_line_crawls_and_waits_for_no_other_run(tmp_path: Path) -> None:
    folder = tmp_path / "newsclean"
    (folder / ".venv/bin").mkdir(parents=True)
    program = folder / ".venv/bin/newsclean"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m newsclean "$@"\n')
    program.chmod(0o755)
    (folder / "sites").mkdir()
    command = cron_command(folder)
    with serve(SITE) as site:
        (folder / "sites/fair.toml").write_text(f'[[section]]\nurl = "{site.url}/news"\n')
        with (folder / "crawl.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # as a run that is still at work
            assert run(command) == 0
            assert not site.requests
        assert run(command) == 0
    lines = (folder / "articles.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["headline"] for line in lines} == set(TITLES.values())
