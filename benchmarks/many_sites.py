"""How much memory a crawl of many sites takes in one process, by the number of sites.

The sites are those of the demo, with other seeds, on ports of this machine; their pages are made as
large as those of real news sites. Checks that every article comes out once.

With --kill, a first crawl is killed when half of the articles are in the output, and another one on
the same memory and output goes to its end.

python benchmarks/many_sites.py --sites 1 10 25 50
python benchmarks/many_sites.py --sites 50 --kill
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from newsclean.demo import DemoServer
from newsclean.demo.demo_site import HTML, Response, Site
from newsclean.demo.scripted_site import ScriptedSite
from newsclean.demo.world import Publisher

#: Kilobytes that are added to each page, as the median page of a news site has them.
PADDING = 200
HURRY = ("AUTOTHROTTLE_ENABLED=0", "HTTPCACHE_ENABLED=0")


class Peak(NamedTuple):
    sites: int
    articles: int
    megabytes: float
    seconds: float
    exit_code: int
    is_complete: bool
    #: lines in the output when the first crawl was killed, 0 if none was
    killed_at: int = 0


class LargePages(DemoServer):
    """The demo's sites, with scripts and a list of links at the end of each page.

    As on real sites, most bytes of a page are those of scripts.
    """

    def __init__(self, seed: int, kilobytes: int) -> None:
        super().__init__(seed)
        item = '<li class="entry item-{0}"><a href="/tags?number={0}">Topic {0}</a></li>\n'
        items = "".join(item.format(number) for number in range(kilobytes))
        script = "window.data=[" + "0.123456789,".join([""] * (kilobytes * 75)) + "]"
        padding = f"<footer><ul>{items}</ul></footer><script>{script}</script></body>"
        self.padding = padding.encode() if kilobytes else b"</body>"

    def _answer(self, site: Site | ScriptedSite, target: str) -> Response:
        response = super()._answer(site, target)
        if response.content_type != HTML:
            return response
        return replace(response, body=response.body.replace(b"</body>", self.padding))


@contextmanager
def many_sites(count: int, folder: Path, kilobytes: int = 0) -> Iterator[list[Publisher]]:
    """So many demo sites, with a site file for each in the folder."""
    with ExitStack() as stack:
        servers = [
            stack.enter_context(LargePages(seed, kilobytes)) for seed in range((count + 1) // 2)
        ]
        publishers = [publisher for server in servers for publisher in server.publishers][:count]
        folder.mkdir(exist_ok=True)
        for number, publisher in enumerate(publishers):
            sections = "".join(f'[[section]]\nurl = "{url}"\n' for url in publisher.section_urls)
            (folder / f"site-{number:03}.toml").write_text(sections)
        yield publishers


def start(folder: Path, task: str) -> subprocess.Popen[bytes]:
    """Start a crawl in a process of its own."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "newsclean.cli.crawl_workers"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert worker.stdin is not None
    worker.stdin.write(task.encode() + b"\n")
    worker.stdin.flush()
    return worker


def kill_in_the_midst(worker: subprocess.Popen[bytes], output: Path, lines: int) -> int:
    """Kill a crawl as soon as it has written so many lines; how many it had."""
    while worker.poll() is None:
        if output.exists() and output.read_bytes().count(b"\n") >= lines:
            worker.kill()
        time.sleep(0.05)
    if worker.returncode != -signal.SIGKILL:
        raise SystemExit(f"the first crawl ended by itself, with {worker.returncode}")
    return output.read_bytes().count(b"\n")


def measure(count: int, kilobytes: int, settings: list[str], *, kill: bool = False) -> Peak:
    """Crawl so many sites."""
    from newsclean.cli.crawl import CrawlPlan

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with many_sites(count, folder / "sites", kilobytes) as publishers:
            names = sorted(path.stem for path in (folder / "sites").glob("*.toml"))
            given = dict(text.split("=", 1) for text in (*HURRY, *settings))
            plan = CrawlPlan("out.jsonl", "sites", {}, {"NEWSCLEAN_SITES": "sites", **given})
            task = json.dumps({"plan": plan.__dict__, "sites": names})
            expected = sorted(a.url for publisher in publishers for a in publisher.articles)
            killed_at = 0
            if kill:
                output, half = folder / "out.jsonl", len(expected) // 2
                killed_at = kill_in_the_midst(start(folder, task), output, half)
            worker = start(folder, task)
            assert worker.stdout is not None
            *_, last = worker.stdout
            _, status, usage = os.wait4(worker.pid, 0)
            worker.returncode = os.waitstatus_to_exitcode(status)
            lines = (folder / "out.jsonl").read_bytes().splitlines()
            found = sorted(json.loads(line)["url"] for line in lines)
            return Peak(
                count, len(lines), usage.ru_maxrss / 1000, json.loads(last)["seconds"],
                worker.returncode, found == expected, killed_at,
            )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, nargs="+", default=[1, 10, 25, 50])
    parser.add_argument("--padding", type=int, default=PADDING, help="kilobytes added to each page")
    parser.add_argument("--kill", action="store_true", help="kill a first crawl in the midst")
    parser.add_argument("-s", dest="settings", action="append", default=[], help="NAME=VALUE")
    options = parser.parse_args()
    columns = ("sites", "killed at", "articles", "each once", "peak MB", "seconds", "exit code")
    table = Table(*columns, box=None)
    for count in options.sites:
        peak = measure(count, options.padding, options.settings, kill=options.kill)
        table.add_row(
            str(count), f"{peak.killed_at:,}" if options.kill else "",
            f"{peak.articles:,}", "yes" if peak.is_complete else "NO",
            f"{peak.megabytes:.0f}", f"{peak.seconds:.0f}", str(peak.exit_code),
        )  # fmt: skip
    Console().print(table)


if __name__ == "__main__":
    main()
