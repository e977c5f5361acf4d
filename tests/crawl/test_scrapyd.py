"""newsclean on a real Scrapyd server: deployed as an egg, and scheduled twice."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from .scrapy_command import HURRY, ROOT
from .small_site import Answer, section, serve, story

pytestmark = pytest.mark.slow

#: How long the server may take to start, and a job to end.
PATIENCE = 120

CONFIG = """
[scrapyd]
bind_address = 127.0.0.1
http_port = {port}
poll_interval = 0.2
max_proc = 1
"""


class Scrapyd:
    """A running server, and the folder in which its jobs work."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.url = f"http://127.0.0.1:{port}/"

    def get(self, name: str, **arguments: str) -> dict[str, Any]:
        return self._answer(f"{name}.json?{urlencode(arguments)}")

    def post(self, name: str, arguments: list[tuple[str, str]]) -> dict[str, Any]:
        return self._answer(f"{name}.json", urlencode(arguments).encode())

    def _answer(self, path: str, data: bytes | None = None) -> dict[str, Any]:
        with urlopen(self.url + path, data, timeout=PATIENCE) as response:
            answer: dict[str, Any] = json.load(response)
        assert answer["status"] == "ok", answer
        return answer

    def run(self, **arguments: Any) -> str:
        """Schedule the spider `news` and wait for its end; the log of the job."""
        settings = [("setting", f"{name}={value}") for name, value in HURRY.items()]
        given = [("project", "newsclean"), ("spider", "news"), *arguments.items(), *settings]
        job = self.post("schedule", given)["jobid"]
        deadline = time.monotonic() + PATIENCE
        while job not in {
            done["id"] for done in self.get("listjobs", project="newsclean")["finished"]
        }:
            assert time.monotonic() < deadline, "the job does not end"
            time.sleep(0.2)
        return (self.folder / "logs/newsclean/news" / f"{job}.log").read_text("utf-8")

    def articles(self) -> list[dict[str, Any]]:
        lines = (self.folder / "articles.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]


def environment() -> dict[str, str]:
    """Without what would lead Scrapy or Python to the code of the checkout."""
    unwanted = ("SCRAPY_", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}


@pytest.fixture
def scrapyd(tmp_path: Path) -> Iterator[Scrapyd]:
    folder = tmp_path / "server"
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "scrapyd.conf").write_text(CONFIG.format(port=port))
    server = Scrapyd(folder, port)
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd"],
            cwd=folder,
            env=environment(),
            stdout=log,
            stderr=log,
        )
        try:
            wait_for(server, process)
            yield server
        finally:
            process.terminate()
            process.wait(PATIENCE)


def wait_for(server: Scrapyd, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            server.get("daemonstatus")
            return
        except OSError:
            log = server.folder / "server.log"
            assert process.poll() is None, log.read_text("utf-8")
            assert time.monotonic() < deadline, log.read_text("utf-8")
            time.sleep(0.1)


def deploy(folder: Path, url: str) -> None:
    """What a user does in a checkout: `scrapyd-deploy`."""
    project = folder / "checkout"
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "newsclean", project / "newsclean", ignore=left_out)
    for name in ("pyproject.toml", "README.md", "LICENSE", "scrapy.cfg"):
        shutil.copy(ROOT / name, project)
    (project / "newsclean/version.py").write_text('VERSION = "9.9.9"\n')
    config = project / "scrapy.cfg"
    config.write_text(config.read_text().replace("http://localhost:6800/", url))
    done = subprocess.run(
        [Path(sys.executable).with_name("scrapyd-deploy"), "--debug", "--version", "r1"],
        cwd=project,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"status": "ok"' in done.stdout, done.stdout


def test_deployed_and_scheduled_twice_the_second_run_finds_nothing_new(
    scrapyd: Scrapyd, tmp_path: Path
) -> None:
    deploy(tmp_path, scrapyd.url)
    assert "news" in scrapyd.get("listspiders", project="newsclean")["spiders"]
    titles = {f"/news/the-fair-of-{year}-{year}.html": f"The fair of {year}" for year in range(8)}
    answers = {"/news": Answer(section(titles))}
    answers |= {path: Answer(story(title)) for path, title in titles.items()}
    with serve(answers) as site:
        first = scrapyd.run(url=f"{site.url}/news")
        delivered = scrapyd.articles()
        second = scrapyd.run(url=f"{site.url}/news")
    assert {line["headline"] for line in delivered} == set(titles.values())
    assert scrapyd.articles() == delivered
    assert f"'newsclean/articles': {len(titles)}" in first
    assert f"'newsclean/dropped/unchanged': {len(titles)}" in second
    for log in (first, second):
        assert "] ERROR: " not in log
        assert "Traceback" not in log
    agents = {headers["User-Agent"] for _, headers in site.requests}
    assert agents == {"newsclean/9.9.9 (news crawler)"}  # the code of the egg, and no other
