"""The state of a crawl: one for all its components, and gone with it."""

import gc
import weakref
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.utils.test import get_crawler

from newsclean.crawl_state import CrawlState
from newsclean.files import StorageError, file_error
from newsclean.settings import defaults


def test_all_components_of_a_crawl_share_one_state_and_its_memory() -> None:
    one, other = (get_crawler(None, {**defaults, "NEWSCLEAN_MEMORY": ":memory:"}) for _ in "ab")
    assert CrawlState.of(one) is CrawlState.of(one)
    assert CrawlState.of(one) is not CrawlState.of(other)
    assert CrawlState.of(one).memory is CrawlState.of(one).memory
    assert CrawlState.of(one).memory is not CrawlState.of(other).memory


def test_the_state_does_not_outlive_its_crawl() -> None:
    crawler: Any = SimpleNamespace()  # which no log handler refers to
    state = weakref.ref(CrawlState.of(crawler))
    assert state() is not None
    del crawler
    gc.collect()
    assert state() is None


def test_only_the_first_failure_of_the_storage_is_logged_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    crawler = get_crawler()
    crawler.engine = SimpleNamespace(spider=None)  # type: ignore[assignment]
    state = CrawlState.of(crawler)
    with state.ending_on_failure():
        raise file_error("the feed", "out.jsonl", OSError(28, "No space left on device"))
    with state.ending_on_failure():
        raise StorageError("it follows from the first")
    assert state.has_failed
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 1
    assert errors[0].startswith("cannot use the feed out.jsonl: No space left on device; check")
    assert crawler.stats is not None
    assert crawler.stats.get_value("newsclean/storage_failed") == 1


def test_an_error_that_is_not_of_the_storage_is_raised() -> None:
    state = CrawlState.of(get_crawler())
    with pytest.raises(ValueError, match="another"), state.ending_on_failure():
        raise ValueError("another")
    assert not state.has_failed
