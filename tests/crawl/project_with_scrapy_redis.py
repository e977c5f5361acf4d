"""A project with scrapy-redis and the add-on: parked pages stay in their process.

Run by `make versions`, which installs scrapy-redis.
"""

import subprocess
from pathlib import Path

import pytest
from redis import Redis

from .scrapy_command import HURRY, TIMEOUT, Run, command, environment
from .small_site import Answer, section, serve, story

pytestmark = pytest.mark.versions

SETTINGS = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["towns"]
SCHEDULER = "scrapy_redis.scheduler.Scheduler"
DUPEFILTER_CLASS = "scrapy_redis.dupefilter.RFPDupeFilter"
SCHEDULER_PERSIST = True
MAX_IDLE_TIME_BEFORE_CLOSE = 3
CONCURRENT_REQUESTS = 2
"""

SPIDER = """
from scrapy_redis.spiders import RedisSpider


class TownsSpider(RedisSpider):
    name = "towns"
    redis_key = "towns:start"

    def parse(self, response):
        for link in response.css("h2 a"):
            yield response.follow(link, self.parse_story)

    def parse_story(self, response):
        yield {"url": response.url, "body": ""}
"""


def start(folder: Path, redis: str) -> subprocess.Popen[str]:
    folder.mkdir()
    (folder / "towns.py").write_text(SPIDER)
    (folder / "shared.py").write_text(SETTINGS)
    feed = ["-o", "stories.jsonl"]
    return subprocess.Popen(
        command("crawl", "towns", *feed, **HURRY, REDIS_URL=redis),
        cwd=folder,
        # scrapy-redis itself uses what Scrapy has deprecated.
        env=environment("shared") | {"PYTHONWARNINGS": "ignore"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_each_article_of_a_queue_that_two_processes_share_comes_once_with_its_text(
    tmp_path: Path, redis_address: str
) -> None:
    titles = {f"/news/the-fair-of-{year}-{year}.html": f"The fair of {year}" for year in range(12)}
    answers = {"/news": Answer(section(titles))}
    answers |= {path: Answer(story(title)) for path, title in titles.items()}
    with serve(answers) as site, Redis.from_url(redis_address) as client:
        folders = [tmp_path / str(number) for number in range(2)]
        client.lpush("towns:start", f"{site.url}/news")
        crawls = [start(folder, redis_address) for folder in folders]
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
