"""Disk and rights: full disks, files that may not be written, and the run after them."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.attack.crawls import MEMORY, Ended, read_lines, start
from tests.attack.faults import Fault
from tests.attack.mock_server import MockServer, serve
from tests.attack.news import SECTION, News
from tests.attack.promise import Promise
from tests.attack.tally import Tally

SITE, OTHER_SITE = "127.0.1.1", "127.0.1.2"
ARTICLES = 8
MAX_SECONDS = 40.0
#: Errors that the log of a crawl may have that cannot store what it finds.
MAX_ERRORS = 5
FEED = "articles.jsonl"

#: Bytes; a memory needs more before all articles are in, and one with a line less.
MEMORY_LIMIT = 120_000
#: Bytes of earlier lines in an output, far above what a memory needs.
EARLIER_SIZE = 8_000_000
#: A known memory may not grow at all: SQLite takes its size where the limit is below.
NO_MORE_PAGES = 1
TMPFS_SIZE = "220k"

#: Linux: drop a capability for good, and those that let root write to whatever it likes.
PR_CAPBSET_DROP = 24
FILE_CAPABILITIES = (1, 2, 3)  # DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER

PART = "disk and rights"
LIBC = ctypes.CDLL(None)


def limit_files(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def obey_modes() -> None:
    """Let the modes of files count for root, too; for others they do anyway."""
    if os.geteuid() == 0:
        for capability in FILE_CAPABILITIES:
            if LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
                raise OSError("root keeps its rights")


@dataclass(frozen=True)
class Shortage:
    """What a crawl lacks. `prepare` makes it so, `relieve` ends it."""

    name: str
    prepare: Callable[[Path], None] = lambda folder: None
    relieve: Callable[[Path], None] = lambda folder: None
    limits: Callable[[], None] | None = None
    orders: dict[str, Any] = field(default_factory=dict)
    #: whether a good run on another site comes before
    has_memory: bool = False


def modes(**modes: int) -> Callable[[Path], None]:
    """Set the modes of files in a folder: `memory`, `feed`, or the `folder` itself."""
    names = {"memory": MEMORY, "feed": FEED, "folder": "."}

    def change(folder: Path) -> None:
        for name, mode in modes.items():
            path = folder / names[name]
            if name == "feed":
                path.touch()
            path.chmod(mode)

    return change


def earlier_lines(folder: Path) -> None:
    """An output that has nearly reached its limit."""
    line = json.dumps({"url": "http://earlier.invalid/", "body": "x" * 900}) + "\n"
    (folder / FEED).write_text(line * (EARLIER_SIZE // len(line)), "utf-8")


def without_free_pages(folder: Path) -> None:
    """A memory that has no room left inside."""
    with closing(sqlite3.connect(folder / MEMORY)) as database:
        database.execute("VACUUM")


def make_directory(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).mkdir()


def remove_directory(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).rmdir()


SHORTAGES = (
    Shortage("files of 120 kB", limits=limit_files(MEMORY_LIMIT)),
    Shortage("files of 60 kB", limits=limit_files(MEMORY_LIMIT // 2)),
    Shortage("an output at its limit", earlier_lines, limits=limit_files(EARLIER_SIZE + 3000)),
    Shortage(
        "a memory that may not grow", without_free_pages, orders={"max_pages": NO_MORE_PAGES},
        has_memory=True,
    ),
    Shortage(
        "a read-only memory", modes(memory=0o444), modes(memory=0o644), obey_modes,
        has_memory=True,
    ),
    Shortage("a read-only output", modes(feed=0o444), modes(feed=0o644), obey_modes),
    Shortage("a read-only folder", modes(folder=0o555), modes(folder=0o755), obey_modes),
    Shortage("a folder in the output's place", make_directory(FEED), remove_directory(FEED)),
    Shortage("a folder in the memory's place", make_directory(MEMORY), remove_directory(MEMORY)),
)  # fmt: skip

MOUNT_PROMISE = "a full file system is survived"


def run(tries: int, seed: int) -> list[Promise]:
    """Try each shortage at least once and, as long as tries are left, again.

    Nothing is left to chance here; the seed is taken for the sake of the other parts.
    """
    tally = Tally(PART)
    good = Fault("nothing is wrong")
    sites = {host: good.site(News(host, ARTICLES)) for host in (SITE, OTHER_SITE)}
    with serve(sites) as server:
        for number in range(max(tries, len(SHORTAGES))):
            shortage = SHORTAGES[number % len(SHORTAGES)]
            with tempfile.TemporaryDirectory() as name:
                suffer(shortage, Path(name), server, tally)
        fill_mount(server, tally)
    return tally.promises()


def crawl(folder: Path, server: MockServer, shortage: Shortage | None, **settings: Any) -> Ended:
    return start(
        folder,
        [server.url(SITE, SECTION)],
        orders=shortage.orders if shortage else None,
        limits=shortage.limits if shortage else None,
        **settings,
    ).wait(MAX_SECONDS)


def suffer(shortage: Shortage, folder: Path, server: MockServer, tally: Tally) -> None:
    """A crawl that lacks something, and then one that does not."""
    if shortage.has_memory:
        url = server.url(OTHER_SITE, SECTION)
        start(folder, [url], feed="other.jsonl").wait(MAX_SECONDS)
    shortage.prepare(folder)
    # The log and the settings of the crawl are written by the attack, which keeps its rights.
    ended = crawl(folder, server, shortage)
    check_failure(tally, shortage.name, ended)
    shortage.relieve(folder)
    check_recovery(tally, shortage.name, folder, crawl(folder, server, None))


def check_failure(tally: Tally, name: str, ended: Ended) -> None:
    code = ended.exit_code
    tally.check("a crawl that cannot store ends by itself", code is not None, name)
    tally.check("it exits with another code than 0", bool(code), f"{name}: {code}")
    errors = ended.log.count("] ERROR:") + ended.log.count("] CRITICAL:")
    is_clear = 0 < errors <= MAX_ERRORS and not ended.tracebacks
    example = f"{name}: {errors} errors, {ended.tracebacks} tracebacks"
    tally.check("it says why, in few errors without a traceback", is_clear, example)


def check_recovery(tally: Tally, name: str, folder: Path, ended: Ended) -> None:
    tally.check("the next run ends with 0", ended.exit_code == 0, f"{name}: {ended.exit_code}")
    lines, broken = read_lines(folder / FEED)
    tally.check("no line is damaged", not broken, f"{name}: {broken}")
    with closing(sqlite3.connect(folder / MEMORY)) as database:
        state = database.execute("PRAGMA integrity_check").fetchone()[0]
    tally.check("the memory is not damaged", state == "ok", f"{name}: {state}")
    found = Counter(urlsplit(line["url"]).path for line in lines)
    counts = {path: found[path] for path in News(SITE, ARTICLES).titles if found[path] != 1}
    tally.check("all articles are there, each once", not counts, f"{name}: {counts}")


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[bool]:
    """A small file system of its own; False where one may not be made."""
    program = shutil.which("mount")
    arguments = ["-t", "tmpfs", "-o", f"size={size}", "newsclean-attack", str(folder)]
    done = program and not subprocess.run([program, *arguments], capture_output=True).returncode
    try:
        yield bool(done)
    finally:
        if done:
            subprocess.run(["umount", str(folder)], check=True)


def fill_mount(server: MockServer, tally: Tally) -> None:
    """A memory on a file system that is too small, and then is made larger."""
    with tempfile.TemporaryDirectory() as name:
        folder, small = Path(name), Path(name, "small")
        small.mkdir()
        with mounted(small, TMPFS_SIZE) as is_mounted:
            if not is_mounted:
                tally.skip(MOUNT_PROMISE, "a file system can only be mounted by root")
                return
            settings = {"NEWSCLEAN_MEMORY": f"small/{MEMORY}"}
            ended = crawl(folder, server, None, **settings)
            check_failure(tally, "a full file system", ended)
            subprocess.run(["mount", "-o", "remount,size=50m", str(small)], check=True)
            again = crawl(folder, server, None, **settings)
            shutil.copy(small / MEMORY, folder / MEMORY)
            check_recovery(tally, "a full file system", folder, again)
            tally.check(MOUNT_PROMISE, again.exit_code == 0, str(again.exit_code))
