"""Crawls of the attack: `scrapy crawl news` in a process and a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.attack.instruments import ORDERS_VARIABLE
from tests.crawl.fork_server import Forked
from tests.crawl.scrapy_command import HURRY, ROOT, Run, environment, options_of

SETTINGS = """
from newsclean.settings import *
from tests.attack.instruments import install

install()
EXTENSIONS = {
    "tests.attack.instruments.EarlyKillPoints": -1,
    "tests.attack.instruments.KillPoints": 500,
}
FEED_EXPORTERS = {"jsonlines": "tests.attack.instruments.HalfLineExporter"}
"""
MEMORY = "memory.sqlite"

#: The servers of the attack are on this machine, and some of their answers never end.
IMPATIENT: dict[str, Any] = HURRY | {
    # Not less: on a busy machine, answers that do come would count as lost.
    "DOWNLOAD_TIMEOUT": 5,
    "DOWNLOAD_MAXSIZE": 2_000_000,
    "RETRY_TIMES": 1,
    "NEWSCLEAN_MEMORY": MEMORY,
    "NEWSCLEAN_MIN_NEIGHBORS": 3,
}


@dataclass
class Crawl:
    """A crawl that has started; its log is a file in its folder."""

    process: subprocess.Popen[bytes] | Forked
    folder: Path
    log: Path
    started: float

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def wait(self, seconds: float) -> Ended:
        """Wait for the end at most this long, and then enforce it."""
        try:
            code: int | None = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            code = None
        passed = time.monotonic() - self.started
        return Ended(self.folder, code, self.log.read_text("utf-8", "replace"), passed)


@dataclass(frozen=True)
class Ended:
    """A crawl that has ended; without an exit code, it did not do so by itself."""

    folder: Path
    exit_code: int | None
    log: str
    seconds: float

    @property
    def run(self) -> Run:
        return Run(self.folder, -1 if self.exit_code is None else self.exit_code, "", self.log)

    @property
    def tracebacks(self) -> int:
        return self.log.count("Traceback (most recent call last)")


def start(
    folder: Path,
    urls: list[str],
    *,
    feed: str = "articles.jsonl",
    orders: dict[str, Any] | None = None,
    limits: Callable[[], None] | None = None,
    **overrides: Any,
) -> Crawl:
    """Start a crawl of these sections; `limits` is called in its process before it begins.

    Without limits, it is forked from a process that has imported Scrapy.
    """
    feeds = {feed: {"format": "jsonlines", "encoding": "utf-8", "overwrite": False}}
    settings = f"{SETTINGS}\nFEEDS = {feeds!r}\n"
    (folder / f"settings_{feed.partition('.')[0]}.py").write_text(settings, "utf-8")
    log = folder / f"{feed}.log"
    paths = [str(ROOT), str(folder)]
    arguments = ["crawl", "news", f"-aurl={','.join(urls)}", *options_of(IMPATIENT | overrides)]
    variables = environment(f"settings_{feed.partition('.')[0]}") | {
        ORDERS_VARIABLE: json.dumps(orders or {}),
        "PYTHONPATH": os.pathsep.join(paths),
        # What this crawl compiles may come out cut off, and others would read it.
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    process: subprocess.Popen[bytes] | Forked
    with log.open("wb") as file, open(os.devnull, "wb") as nowhere:
        if limits is None:
            process = Forked(
                "scrapy", *arguments, folder=folder, environment=variables, out=nowhere, err=file
            )
        else:
            process = subprocess.Popen(
                [sys.executable, "-m", "scrapy", *arguments],
                cwd=folder,
                env=variables,
                stdout=nowhere,
                stderr=file,
                preexec_fn=limits,
            )
    return Crawl(process, folder, log, time.monotonic())


def read_lines(path: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """The JSON lines of a file, and what is not one."""
    lines, broken = [], []
    text = path.read_text("utf-8", "replace") if path.is_file() else ""
    for line in text.splitlines(keepends=True):
        try:
            lines.append(json.loads(line))
        except ValueError:
            broken.append(line[:80])
        else:
            if not line.endswith("\n"):
                broken.append(line[-80:])
    return lines, broken
