"""No page, however large, keeps the crawl from its other work."""

from pathlib import Path

import pytest

from .scrapy_command import crawl_news
from .small_site import Answer, page, section, serve, story

HUGE = "/news/the-longest-report-ever-60001.html"
SMALL = "/news/the-shortest-report-ever-60002.html"

#: An extension that tells how late the reactor has ever been while the page was in work, and how
#: long that was.
PULSE = """
from time import perf_counter

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

BEAT = 0.02


class Pulse:
    def __init__(self, crawler):
        self.stats = crawler.stats
        self.loop = create_looping_call(self.beat)
        self.last = self.came = None
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.closed, signals.spider_closed)
        crawler.signals.connect(self.received, signals.response_received)
        crawler.signals.connect(self.scraped, signals.item_scraped)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def opened(self):
        self.loop.start(BEAT)

    def closed(self):
        self.loop.stop()

    def beat(self):
        now = perf_counter()
        if self.came is not None:
            late = now - (self.last or now) - BEAT
            self.stats.max_value("pulse/latest_ms", round(1000 * late))
        self.last = now

    def received(self, response):
        if "longest" in response.url:
            self.came = perf_counter()

    def scraped(self, response):
        if "longest" in response.url:
            self.stats.set_value("pulse/page_ms", round(1000 * (perf_counter() - self.came)))
"""


def longest_report(paragraphs: int) -> str:
    """Some nine megabytes, with as many elements as paragraphs of news have."""
    texts = [
        f'<p class="day-{day % 7}">On day {day}, the <b>town clerk</b> counted <i>{day + 3}</i> '
        f"wagons and {day + 11} lanterns, spoke with all who had come, and wrote it down in "
        f'<a href="/book/{day}">the book</a> that is kept for such days.</p>\n'
        for day in range(paragraphs)
    ]
    return page("The longest report", "".join(texts))


@pytest.mark.slow
def test_a_page_of_nine_megabytes_does_not_stall_the_reactor(tmp_path: Path) -> None:
    (tmp_path / "pulse.py").write_text(PULSE)
    report = longest_report(42_000)
    assert 9_000_000 < len(report) < 10_000_000
    links = {HUGE: "The longest report that was ever read", SMALL: "The shortest of all reports"}
    pages = {HUGE: Answer(report), SMALL: Answer(story("The shortest report"))}
    with serve(pages | {"/news": Answer(section(links))}) as site:
        run = crawl_news(
            tmp_path,
            f"url={site.url}/news",
            EXTENSIONS='{"pulse.Pulse": 500}',
            NEWSCLEAN_MIN_NEIGHBORS=0,
        )
    assert run.exit_code == 0
    assert {line["headline"] for line in run.lines()} == {
        "The longest report",
        "The shortest report",
    }
    latest, whole = run.stats["pulse/latest_ms"], run.stats["pulse/page_ms"]
    # Without the threads, the reactor is as late as the page is slow, on whatever machine.
    assert latest < whole / 3
