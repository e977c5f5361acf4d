"""What happens when a file that a crawl needs can no longer be written or read.

One error in the log says which file, why, and what to do. The spider is closed with the reason
`storage_failed`, nothing further is downloaded or written, and the process ends with a code other
than 0. What was stored is whole: the next run completes it.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

#: The reason for which the spider is closed.
STORAGE_FAILED = "storage_failed"

REMEDY = (
    "see that its disk has room and that it may be written, and start the crawl again: "
    "it completes what is left"
)

_failed: WeakSet[Crawler] = WeakSet()


class StorageError(Exception):
    """Something that can no longer be written or read; what it holds is whole."""


class DomainBusyError(StorageError):
    """Another crawl that shares the memory is at work on a domain of this one."""


def domain_busy(domain: str, path: str) -> DomainBusyError:
    """The error of a crawl whose domain another one has."""
    return DomainBusyError(
        f"another crawl with the memory {path} is at work on {domain}: there is one crawl of a "
        "domain at a time; start this one again when that one has ended"
    )


def file_error(what: str, path: str, reason: Exception) -> StorageError:
    """The error of a file, with the reason that the system gives."""
    words = getattr(reason, "strerror", None) or reason
    return StorageError(f"cannot use {what} {path}: {words}; {REMEDY}")


def has_failed(crawler: Crawler) -> bool:
    """Whether the storage of a crawl has failed."""
    return crawler in _failed


def report_failure(crawler: Crawler, error: StorageError) -> None:
    """Log and count the first failure of a crawl; those that follow from it add nothing."""
    if crawler in _failed:
        return
    _failed.add(crawler)
    logger.error("%s", error)
    assert crawler.stats is not None
    crawler.stats.set_value("newsclean/storage_failed", 1)
    if isinstance(error, DomainBusyError):
        crawler.stats.set_value("newsclean/domain_busy", 1)


def end_crawl(crawler: Crawler, error: StorageError) -> None:
    """Report a failure and close the spider, unless that is being done already."""
    # Memories are used without Scrapy as well.
    from scrapy.utils.defer import deferred_from_coro

    is_first = crawler not in _failed
    report_failure(crawler, error)
    if is_first and crawler.engine is not None and crawler.engine.spider is not None:
        deferred_from_coro(crawler.engine.close_spider_async(reason=STORAGE_FAILED))


@contextmanager
def ending_crawl(crawler: Crawler) -> Iterator[None]:
    """End the crawl if its storage fails inside."""
    try:
        yield
    except StorageError as error:
        end_crawl(crawler, error)


def mark_crawl_failed(crawler: Crawler) -> None:
    """Let the process end with a code other than 0; the last thing to do in a crawl.

    Whatever runs crawlers (`scrapy crawl`, `CrawlerProcess`, `CrawlerRunner`) counts one that ends
    without a spider as failed, and shows it as `bootstrap_failed`; of that, `scrapy crawl` makes
    exit code 1.
    """
    crawler.spider = None
