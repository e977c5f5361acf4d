"""How much memory a crawl of many sites takes in one process, by the number of sites.

The sites are those of the demo, with other seeds, on ports of this machine; their pages are made as
large as those of real news sites. Checks that every article comes out once.

python benchmarks/many_sites.py --sites 1 10 25 50
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from newsclean.demo import DemoServer
from newsclean.demo.site import HTML, Response, Site
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

    def _answer(self, site: Site, target: str) -> Response:
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


def measure(count: int, kilobytes: int, settings: list[str]) -> Peak:
    """Crawl so many sites in a process of its own."""
    from newsclean.cli.crawl import CrawlPlan

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with many_sites(count, folder / "sites", kilobytes) as publishers:
            names = sorted(path.stem for path in (folder / "sites").glob("*.toml"))
            given = dict(text.split("=", 1) for text in (*HURRY, *settings))
            plan = CrawlPlan("out.jsonl", "sites", {}, {"NEWSCLEAN_SITES": "sites", **given})
            task = json.dumps({"plan": plan.__dict__, "sites": names})
            worker = subprocess.Popen(
                [sys.executable, "-m", "newsclean.cli.crawl_workers"],
                cwd=folder,
                env=os.environ | {"PYTHONPATH": os.getcwd()},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            assert worker.stdin is not None
            assert worker.stdout is not None
            worker.stdin.write(task.encode() + b"\n")
            worker.stdin.flush()
            *_, last = worker.stdout
            _, status, usage = os.wait4(worker.pid, 0)
            worker.returncode = os.waitstatus_to_exitcode(status)
            lines = (folder / "out.jsonl").read_bytes().splitlines()
            found = sorted(json.loads(line)["url"] for line in lines)
            expected = sorted(a.url for publisher in publishers for a in publisher.articles)
            return Peak(
                count, len(lines), usage.ru_maxrss / 1000, json.loads(last)["seconds"],
                worker.returncode, found == expected,
            )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, nargs="+", default=[1, 10, 25, 50])
    parser.add_argument("--padding", type=int, default=PADDING, help="kilobytes added to each page")
    parser.add_argument("-s", dest="settings", action="append", default=[], help="NAME=VALUE")
    options = parser.parse_args()
    table = Table("sites", "articles", "each once", "peak MB", "seconds", "exit code", box=None)
    for count in options.sites:
        peak = measure(count, options.padding, options.settings)
        table.add_row(
            str(count), f"{peak.articles:,}", "yes" if peak.is_complete else "NO",
            f"{peak.megabytes:.0f}", f"{peak.seconds:.0f}", str(peak.exit_code),
        )  # fmt: skip
    Console().print(table)


if __name__ == "__main__":
    main()
