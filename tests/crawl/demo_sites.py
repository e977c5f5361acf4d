"""Several demo sites with a site file for each, and `newsclean` to crawl them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from newsclean.demo import DemoServer
from tests.crawl.fork_server import Ended, run_module
from tests.crawl.in_process import run_here

ROOT = Path(__file__).parents[2]
HURRY = ("-sAUTOTHROTTLE_ENABLED=0", "-sDOWNLOAD_DELAY=0", "-sHTTPCACHE_ENABLED=0")
TIMEOUT = 200


@contextmanager
def demo_sites(folder: Path, servers: int, delay: float = 0.0) -> Iterator[set[str]]:
    """Two sites for each server, with their files in `sites/`; the URLs of all articles."""
    with ExitStack() as stack:
        (folder / "sites").mkdir()
        articles = set()
        for seed in range(servers):
            server = stack.enter_context(DemoServer(seed, delay=delay))
            for publisher in server.publishers:
                sections = [f'[[section]]\nurl = "{url}"\n' for url in publisher.section_urls]
                path = folder / "sites" / f"{publisher.key}-{seed}.toml"
                path.write_text("".join(sections))
                articles |= {article.url for article in publisher.articles}
        yield articles


def start_newsclean(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start `newsclean …` in a folder, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "newsclean", *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def environment() -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}
    return clean | {"PYTHONPATH": str(ROOT)}


def wait_for(process: subprocess.Popen[str]) -> Ended:
    output, errors = process.communicate(timeout=TIMEOUT)
    return Ended(process.returncode, output, errors)


def newsclean(folder: Path, *arguments: str) -> Ended:
    """Run `newsclean …` in a folder to its end, in this process."""
    return run_here("newsclean", *arguments, folder=folder, environment=environment())


def newsclean_process(folder: Path, *arguments: str) -> Ended:
    """Run `newsclean …` in a folder to its end, in a process of its own."""
    return run_module(
        "newsclean", *arguments, folder=folder, environment=environment(), timeout=TIMEOUT
    )


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def urls(path: Path) -> list[str]:
    return sorted(line["url"] for line in lines(path))
