"""The processor time of a crawl, by this version and another one in turn.

    benchmarks/crawl_time.py OTHER [--rounds 3]

OTHER is the folder of another checkout of newsclean. Both crawl the same demo sites, which a
process of their own serves, each time from nothing. Printed is the user and system time of each
crawl divided by the pages that it fetched, the start of the process included.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

SERVER = """
import sys
from newsclean.demo import DemoServer
with DemoServer() as server:
    print(",".join(u for p in server.publishers for u in p.section_urls), flush=True)
    sys.stdin.read()
"""
_FETCHED = re.compile(r"'downloader/response_status_count/200': (\d+)")
_ITEMS = re.compile(r"'item_scraped_count': (\d+)")


@contextmanager
def demo_sections() -> Iterator[str]:
    """The addresses of the sections of the demo's sites, while they are served."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.stdin.close()
        server.wait()


def crawl(version: Path, sections: str) -> tuple[float, int, int]:
    """The seconds of a crawl, the pages it fetched and the articles it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PYTHONPATH": str(version.resolve()),
            "PYTHONSAFEPATH": "1",
            "SCRAPY_SETTINGS_MODULE": "newsclean.settings",
        }
        log = Path(folder) / "log.txt"
        command = [sys.executable, "-m", "scrapy", "crawl", "news", f"-aurl={sections}"]
        command += ["-O", "out.jsonl", "--logfile", str(log), "--loglevel", "INFO"]
        command += ["-sAUTOTHROTTLE_ENABLED=0", "-sDOWNLOAD_DELAY=0", "-sHTTPCACHE_ENABLED=0"]
        running = subprocess.Popen(command, cwd=folder, env=environment)
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        text = log.read_text("utf-8")
        fetched, items = _FETCHED.search(text), _ITEMS.search(text)
        if running.returncode or not fetched or not items:
            raise SystemExit(f"the crawl by {version} failed:\n{text[-2000:]}")
        return usage.ru_utime + usage.ru_stime, int(fetched[1]), int(items[1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("other", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    versions = {"this version": Path(__file__).parent.parent, "the other": options.other}
    found: dict[str, list[float]] = {name: [] for name in versions}
    with demo_sections() as sections:
        for turn in range(options.rounds):
            for name in list(versions) if turn % 2 else list(reversed(versions)):
                seconds, pages, items = crawl(versions[name], sections)
                found[name].append(seconds / pages)
                print(f"{name}: {seconds:.1f} s, {pages} pages, {items} articles", flush=True)
    for name, values in found.items():
        print(f"{name}: {1000 * median(values):.1f} ms a page")
    ratios = [one / other for one, other in zip(*found.values(), strict=True)]
    print(f"ratio, median of {len(ratios)} turns: {median(ratios):.2f}")


if __name__ == "__main__":
    main()
