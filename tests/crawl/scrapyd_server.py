"""A real Scrapyd server on a free port of this machine."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from .scrapy_command import HURRY

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


@contextmanager
def running(folder: Path, project: str = "", **variables: str) -> Iterator[Scrapyd]:
    """A server in a new folder, perhaps with a `scrapy.cfg` there, and more in its environment."""
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "scrapyd.conf").write_text(CONFIG.format(port=port))
    if project:
        (folder / "scrapy.cfg").write_text(project)
    server = Scrapyd(folder, port)
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd"],
            cwd=folder,
            env=environment() | variables,
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
