"""A project whose processes share requests, with the add-on: parked pages stay in their process."""

import subprocess
from pathlib import Path

import pytest

from .scrapy_command import HURRY, TIMEOUT, Run, command, environment
from .small_site import Answer, section, serve, story

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.versions]

SETTINGS = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["towns"]
SCHEDULER = "towns.SharedScheduler"
CONCURRENT_REQUESTS = 2
"""

PROJECT = """
import pickle
import sqlite3
import time

import scrapy
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.request import request_from_dict

from newsclean.middlewares.responses import STORED_PAGE


class SharedScheduler:
    '''Requests in a file, which any process takes out, and makes again with its own spider.'''

    def __init__(self, path):
        self.file = sqlite3.connect(path, timeout=60, isolation_level=None)
        self.file.execute("CREATE TABLE IF NOT EXISTS request (packed)")

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.settings["SHARED_FILE"])

    def open(self, spider):
        self.spider = spider

    def close(self, reason):
        self.file.close()

    def __len__(self):
        return self.file.execute("SELECT count(*) FROM request").fetchone()[0]

    def has_pending_requests(self):
        return len(self) > 0

    def enqueue_request(self, request):
        if STORED_PAGE in request.meta:
            raise ValueError("a parked page: the other process does not have it")
        packed = pickle.dumps(request.to_dict(spider=self.spider))
        self.file.execute("INSERT INTO request VALUES (?)", (packed,))
        return True

    def next_request(self):
        taken = self.file.execute(
            "DELETE FROM request WHERE rowid = (SELECT min(rowid) FROM request) RETURNING packed"
        ).fetchall()
        return request_from_dict(pickle.loads(taken[0][0]), spider=self.spider) if taken else None


class TownsSpider(scrapy.Spider):
    name = "towns"
    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.busy = time.monotonic()
        crawler.signals.connect(spider.response_received, scrapy.signals.response_received)
        crawler.signals.connect(spider.idle, scrapy.signals.spider_idle)
        return spider

    async def start(self):
        yield scrapy.Request(self.first)

    def response_received(self):
        self.busy = time.monotonic()

    def idle(self):
        if time.monotonic() - self.busy < 3:  # the other process may have more
            raise DontCloseSpider

    def parse(self, response):
        for link in response.css("h2 a"):
            yield response.follow(link, self.parse_story)

    def parse_story(self, response):
        yield {"url": response.url, "body": ""}
"""


def start(folder: Path, first: str) -> subprocess.Popen[str]:
    folder.mkdir()
    (folder / "towns.py").write_text(PROJECT)
    (folder / "shared.py").write_text(SETTINGS)
    options = HURRY | {"SHARED_FILE": folder.parent / "requests.sqlite"}
    return subprocess.Popen(
        command("crawl", "towns", f"-afirst={first}", "-o", "stories.jsonl", **options),
        cwd=folder,
        env=environment("shared"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_each_article_of_a_queue_that_two_processes_share_comes_once_with_its_text(
    tmp_path: Path,
) -> None:
    titles = {f"/news/the-fair-of-{year}-{year}.html": f"The fair of {year}" for year in range(24)}
    answers = {path: Answer(story(title), takes=0.2) for path, title in titles.items()}
    for number, name in enumerate(("/news", "/more-news")):
        listed = dict(list(titles.items())[number::2])
        answers[name] = Answer(section(listed), takes=1.0)
    with serve(answers) as site:
        firsts = (f"{site.url}/news", f"{site.url}/more-news")
        folders = [tmp_path / str(number) for number in range(2)]
        crawls = [start(folder, first) for folder, first in zip(folders, firsts, strict=True)]
        runs = []
        for folder, crawl in zip(folders, crawls, strict=True):
            output, log = crawl.communicate(timeout=TIMEOUT)
            runs.append(Run(folder, crawl.returncode, output, log))
    for run in runs:
        assert run.exit_code == 0, run.log
        assert "Traceback" not in run.log, run.log
    lines = [line for run in runs for line in run.lines("stories.jsonl")]
    assert sorted(line["url"] for line in lines) == sorted(site.url + path for path in titles)
    for line in lines:
        assert "the town clerk counted" in line["body"]
        assert "Published every day but Monday" not in line["body"]
    assert sum(run.stats.get("newsclean/parked", 0) for run in runs) > 0
