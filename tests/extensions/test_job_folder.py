"""Scrapy's JOBDIR after a kill."""

from pathlib import Path

import pytest

from newsclean.extensions.delivery import JobFolder


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
