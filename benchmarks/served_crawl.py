"""Crawls of demo sites that a process of their own serves: by newsclean, and by bare Scrapy.

Both fetch the same articles, each time from nothing; the time of the server does not count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

#: Two publishers for each seed, with so many articles in each of their three sections.
SERVER = """
import json, sys
from contextlib import ExitStack
from newsclean.demo import world
from many_sites import LargePages
sites, articles, kilobytes = map(int, sys.argv[1:])
world._ARTICLES_PER_SECTION = articles
with ExitStack() as stack:
    servers = [stack.enter_context(LargePages(seed, kilobytes)) for seed in range((sites + 1) // 2)]
    publishers = [publisher for server in servers for publisher in server.publishers][:sites]
    sections = [url for publisher in publishers for url in publisher.section_urls]
    urls = [article.url for publisher in publishers for article in publisher.articles]
    print(json.dumps([sections, urls]), flush=True)
    sys.stdin.read()
"""

#: Scrapy alone: the same articles, a title and the links of each page, JSON lines.
BARE = """
import sys
from scrapy import Spider
from scrapy.crawler import CrawlerProcess
class Bare(Spider):
    name = "bare"
    start_urls = open(sys.argv[1]).read().split()
    def parse(self, response):
        title, links = response.css("title::text").get(), response.css("a::attr(href)").getall()
        yield {"url": response.url, "title": title, "links": len(links), "html": response.text}
process = CrawlerProcess({
    "FEEDS": {"out.jsonl": {"format": "jsonlines"}}, "LOG_LEVEL": "WARNING",
    "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0,
})
process.crawl(Bare)
process.start()
"""

HURRY = ("AUTOTHROTTLE_ENABLED=0", "DOWNLOAD_DELAY=0", "HTTPCACHE_ENABLED=0")


class Crawl(NamedTuple):
    #: user and system time of the process, its start included
    seconds: float
    articles: int
    peak_megabytes: float

    @property
    def milliseconds_per_page(self) -> float:
        return 1000 * self.seconds / max(self.articles, 1)


class Served(NamedTuple):
    sections: list[str]
    urls: list[str]


@contextmanager
def served_sites(sites: int, articles: int, kilobytes: int = 0) -> Iterator[Served]:
    """Serve demo sites with so many articles in each section and kilobytes more on each page."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, *map(str, (sites, articles, kilobytes))],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield Served(*json.loads(server.stdout.readline()))
    finally:
        server.stdin.close()
        server.wait()


def crawl(version: Path, served: Served, *profiled: str) -> Crawl:
    """Crawl the sections with a version of newsclean."""
    settings = [f"-s{setting}" for setting in HURRY]
    command = ["scrapy", "crawl", "news", f"-aurl={','.join(served.sections)}", *settings]
    command += ["-O", "out.jsonl", "--loglevel", "WARNING"]
    return _run(command, version, "newsclean.settings", profiled)


def bare_crawl(served: Served) -> Crawl:
    """Crawl the same articles with Scrapy alone."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as urls:
        urls.write("\n".join(served.urls))
        urls.flush()
        return _run(["-c", BARE, urls.name], None, "", ())


def _run(
    command: list[str], version: Path | None, settings: str, profiled: tuple[str, ...]
) -> Crawl:
    environment = os.environ | {"PYTHONSAFEPATH": "1", "SCRAPY_SETTINGS_MODULE": settings}
    if version is not None:
        environment["PYTHONPATH"] = str(version.resolve())
        command = ["-m", *command]
    with tempfile.TemporaryDirectory() as folder:
        running = subprocess.Popen(
            [sys.executable, *profiled, *command], cwd=folder, env=environment
        )
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode:
            raise SystemExit(f"the crawl by {version or 'Scrapy'} failed")
        lines = (Path(folder) / "out.jsonl").read_bytes().count(b"\n")
    return Crawl(usage.ru_utime + usage.ru_stime, lines, usage.ru_maxrss / 1000)
