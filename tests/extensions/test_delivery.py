"""Every article is delivered, and each state of it once; Scrapy's JOBDIR after a kill."""

import json
from pathlib import Path
from typing import Any

import pytest
from scrapy import signals
from scrapy.exceptions import DropItem
from scrapy.exporters import JsonLinesItemExporter

from newsclean.extensions.delivery import JobFolder
from newsclean.extensions.feed_files import LineByLineStorage
from newsclean.items import ParkedPage, UnusablePage

from .conftest import MakeCrawl

URL = "https://example.org/1"


class FullDisk(JsonLinesItemExporter):
    """A feed that takes no item."""

    def export_item(self, item: Any) -> None:
        raise OSError(28, "No space left on device")


class BrokenStorage(LineByLineStorage):
    """A feed that is lost when it is closed."""

    def store(self, file: Any) -> None:
        file.close()
        raise OSError(28, "No space left on device")


def test_an_article_is_delivered_when_its_line_is_in_the_file(make_crawl: MakeCrawl) -> None:
    crawl = make_crawl().start()
    response = crawl.arrive(1)
    assert crawl.stored == 1
    crawl.deliver(response)
    assert [json.loads(line)["url"] for line in Path("out.jsonl").read_text().splitlines()] == [URL]
    assert crawl.stored == 0
    assert not crawl.is_new(URL)


def test_a_dropped_page_is_not_stored_any_longer(make_crawl: MakeCrawl) -> None:
    crawl = make_crawl().start()
    crawl.drop(crawl.arrive(1), UnusablePage(URL, "unchanged", "delivered already"))
    assert crawl.stored == 0


def test_an_article_that_a_later_pipeline_drops_is_settled(make_crawl: MakeCrawl) -> None:
    crawl = make_crawl().start()
    page = crawl.arrive(1)
    assert crawl.is_new(URL)
    page.pending_name = URL
    crawl.state.follow(page)
    crawl.drop(page, DropItem("not wanted"))
    assert crawl.stored == 0
    assert not crawl.is_new(URL)


def test_a_parked_page_stays_stored_and_is_reported_at_the_end(
    make_crawl: MakeCrawl, caplog: pytest.LogCaptureFixture
) -> None:
    crawl = make_crawl().start()
    page = crawl.arrive(1)
    assert page.number is not None
    crawl.memory.pages.park(page.number)
    crawl.drop(page, ParkedPage(URL, 0))
    assert crawl.memory.pages.parked() == {page.number: URL}
    crawl.stop()
    assert crawl.crawler.stats is not None
    assert crawl.crawler.stats.get_value("newsclean/parked/left") == 1
    assert "1 page parked in the memory" in caplog.text


def test_items_without_a_page_pass(make_crawl: MakeCrawl) -> None:
    crawl = make_crawl().start()
    crawl.send(signals.item_scraped, item={"url": "a teaser"}, response=None)
    assert Path("out.jsonl").read_text() == '{"url": "a teaser"}\n'


def test_a_page_that_leads_to_errors_is_given_up_after_several_runs(
    make_crawl: MakeCrawl, caplog: pytest.LogCaptureFixture
) -> None:
    crawl = make_crawl().start()
    page = crawl.arrive(1)
    for attempt in range(3):
        assert crawl.stored == 1, attempt
        crawl.send(signals.item_error, item=page, response=page.response)
    assert crawl.stored == 0
    assert crawl.crawler.stats is not None
    assert crawl.crawler.stats.get_value("newsclean/dropped/failed-too-often") == 1
    assert f"Gave up after errors in several runs: <{URL}>" in caplog.text


def test_an_article_that_a_feed_did_not_take_comes_again_in_the_next_run(
    make_crawl: MakeCrawl, caplog: pytest.LogCaptureFixture
) -> None:
    crawl = make_crawl(FEED_EXPORTERS={"jsonlines": FullDisk}).start()
    crawl.deliver(crawl.arrive(1))
    crawl.stop()
    assert "the next run outputs it again" in caplog.text
    later = make_crawl().start()
    assert list(later.memory.pages.parked().values()) == [URL]
    assert later.is_new(URL)


def test_a_feed_that_is_written_at_the_end_delivers_at_the_end(make_crawl: MakeCrawl) -> None:
    crawl = make_crawl({"out.json": {"format": "json"}}).start()
    crawl.deliver(crawl.arrive(1))
    assert crawl.stored == 1
    crawl.stop()
    later = make_crawl().start()
    assert later.stored == 0
    assert not later.is_new(URL)


def test_the_articles_of_a_feed_that_could_not_be_stored_come_again(
    make_crawl: MakeCrawl, caplog: pytest.LogCaptureFixture
) -> None:
    feeds = {"broken://out.json": {"format": "json"}}
    crawl = make_crawl(feeds, FEED_STORAGES={"broken": BrokenStorage}).start()
    crawl.deliver(crawl.arrive(1))
    crawl.stop()
    assert "a feed could not be stored" in caplog.text
    later = make_crawl().start()
    assert list(later.memory.pages.parked().values()) == [URL]
    assert later.is_new(URL)


@pytest.mark.parametrize("is_written", [True, False])
def test_what_was_pending_when_a_run_was_killed_is_looked_up_in_the_output(
    make_crawl: MakeCrawl, is_written: bool
) -> None:
    killed = make_crawl().start()
    killed.arrive(1)
    assert killed.is_new(URL)
    killed.memory.close()
    if is_written:
        Path("out.jsonl").write_text(json.dumps({"url": URL, "content_hash": f"hash of {URL}"}))
    later = make_crawl().start()
    assert later.is_new(URL) is not is_written


@pytest.mark.parametrize("is_killed", [True, False])
def test_what_is_confirmed_together_is_delivered_once_also_after_a_kill(
    make_crawl: MakeCrawl, is_killed: bool
) -> None:
    crawl = make_crawl().start()
    urls = [f"https://example.org/{number}" for number in (1, 2, 3)]
    with crawl.state.one_confirmation():
        for number in (1, 2, 3):
            crawl.deliver(crawl.arrive(number))
        assert len(crawl.state.deferred or ()) == 3
        assert crawl.stored == 3
        if is_killed:
            crawl.state.deferred = []
    assert crawl.stored == (3 if is_killed else 0)
    crawl.memory.close()
    later = make_crawl().start()
    assert [later.is_new(url) for url in urls] == [False] * 3


def test_what_is_not_yet_confirmed_is_when_the_spider_is_closed(make_crawl: MakeCrawl) -> None:
    crawl = make_crawl().start()
    with crawl.state.one_confirmation():
        crawl.deliver(crawl.arrive(1))
        crawl.stop()
    assert not crawl.state.deferred
    assert not make_crawl().start().is_new(URL)


def test_only_a_run_that_can_see_an_output_settles_what_was_on_its_way_there(
    make_crawl: MakeCrawl,
) -> None:
    killed = make_crawl({"a.jsonl": {"format": "jsonlines"}}).start()
    killed.arrive(1)
    assert killed.is_new(URL)
    killed.memory.close()
    Path("a.jsonl").write_text(json.dumps({"url": URL, "content_hash": f"hash of {URL}"}) + "\n")
    other = make_crawl({"b.jsonl": {"format": "jsonlines"}})
    other.spider.newsclean_job = "another site"  # type: ignore[attr-defined]
    assert not other.start().is_new(URL)
    other.stop()
    assert not make_crawl({"a.jsonl": {"format": "jsonlines"}}).start().is_new(URL)


def test_a_job_folder_is_marked_as_running_until_the_end(make_crawl: MakeCrawl) -> None:
    crawl = make_crawl(JOBDIR="job")
    mark = Path("job", "newsclean.running")
    assert not mark.exists()
    crawl.start()
    assert mark.exists()
    crawl.stop()
    assert not mark.exists()


def test_a_memory_can_be_closed_twice(make_crawl: MakeCrawl) -> None:
    crawl = make_crawl(NEWSCLEAN_MEMORY=":memory:").start()
    crawl.stop()
    crawl.stop()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A job folder with a queue and a filter of Scrapy's, and the spider's state."""
    queue = tmp_path / "requests.queue"
    queue.mkdir()
    (queue / "active.json").write_text("{}")
    (tmp_path / "requests.seen").write_text("fingerprint\n")
    (tmp_path / "spider.state").write_text("state")
    return tmp_path


def test_the_queue_and_the_filter_of_a_killed_run_are_put_aside(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    JobFolder(folder).mark_running()
    JobFolder(folder).repair()
    assert not (folder / "requests.queue").exists()
    assert not (folder / "requests.seen").exists()
    assert (folder / "requests.queue.damaged" / "active.json").exists()
    assert (folder / "requests.seen.damaged").read_text() == "fingerprint\n"
    assert (folder / "spider.state").exists()
    assert str(folder) in caplog.text


def test_a_run_that_came_to_its_end_goes_on_with_its_queue(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    JobFolder(folder).mark_running()
    JobFolder(folder).mark_finished()
    JobFolder(folder).repair()
    assert (folder / "requests.queue" / "active.json").exists()
    assert (folder / "requests.seen").exists()
    assert caplog.text == ""


def test_a_second_kill_replaces_what_the_first_has_left(folder: Path) -> None:
    job = JobFolder(folder)
    job.mark_running()
    job.repair()
    (folder / "requests.queue").mkdir()
    (folder / "requests.queue" / "second.json").write_text("{}")
    job.repair()
    aside = folder / "requests.queue.damaged"
    assert [path.name for path in aside.iterdir()] == ["second.json"]


def test_an_end_without_a_start_is_not_an_error(tmp_path: Path) -> None:
    JobFolder(tmp_path).mark_finished()
    assert list(tmp_path.iterdir()) == []
