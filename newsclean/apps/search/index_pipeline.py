"""Index articles during the crawl."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import run_in_thread
from scrapy.utils.project import data_path

from newsclean.apps.search.index_target import IndexTargetError, check_address
from newsclean.apps.search.spool import Spool, SpoolDelivery, SpoolFileError
from newsclean.crawl_state import CrawlState, usage_error
from newsclean.extraction.text import counted
from newsclean.files import StorageError
from newsclean.items import UnstoredPage
from newsclean.pipelines.output import FieldMap

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

#: The spool in Scrapy's data folder.
FILE = "newsclean/index-spool.sqlite"
#: Item classes without an id to report in the log.
_MAX_NAMED = 10


class IndexPipeline:
    """Store each article in a spool, which a thread delivers to the index.

    No item waits for the index, and no article is lost if it is down: an article counts as
    delivered only after this pipeline, when it is in the spool's file.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        address = settings["NEWSCLEAN_INDEX"]
        if not address:
            raise NotConfigured
        self.crawler = crawler
        self.address = str(address)
        self.wait = settings.getfloat("NEWSCLEAN_INDEX_WAIT")
        self.batch = settings.getint("NEWSCLEAN_INDEX_BATCH")
        try:
            check_address(self.address)
        except IndexTargetError as error:
            raise usage_error(f"NEWSCLEAN_INDEX: {error}", crawler) from None
        path = _spool_path(settings)
        try:
            self.spool = Spool(path, self.address)
        except (SpoolFileError, StorageError, OSError) as error:
            raise usage_error(f"NEWSCLEAN_INDEX_SPOOL: {error}", crawler) from None
        self.delivery = SpoolDelivery(self.spool, self.address, batch=self.batch)
        #: from fields of third-party items to ours
        self.named = FieldMap(settings).named
        #: item classes that the log has already warned about
        self.without_id: set[type] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.spider_opened, signals.spider_opened)
        # All items have passed by then, and the handler may be a coroutine.
        crawler.signals.connect(pipeline.spider_closed, signals.spider_closed)
        return pipeline

    def spider_opened(self) -> None:
        left = self.spool.waiting()
        if left:
            logger.info("Starting with %s of earlier runs for the index", counted(left, "article"))
        for other in self.spool.other_targets():
            logger.warning("%s also has articles for another index: %s", self.spool.path, other)
        self.delivery.start()

    async def process_item(self, item: Any) -> Any:
        line = self._line_of(item)
        if not line.get("id"):
            self._report_without_id(item)
        elif line.get("is_article") is not False:
            try:
                await run_in_thread(self.spool.add, line)
            except StorageError as error:
                CrawlState.of(self.crawler).end(error)
                raise UnstoredPage(str(line.get("url"))) from None
            self.delivery.notify()
        return item

    async def spider_closed(self) -> None:
        try:
            refused = await run_in_thread(self.spool.refused)
            left = await run_in_thread(self.delivery.finish, self.wait)
        except StorageError as error:
            CrawlState.of(self.crawler).end(error)
            return
        written = self.delivery.written
        counts = {
            "new": written.new,
            "changed": written.changed,
            "same": written.same,
            "older": written.older,
            "refused": self.delivery.refused,
            "failed_tries": self.delivery.failures,
            "left": left,
        }
        for name, count in counts.items():
            if count:
                self._count(name, count)
        logger.info(
            "index %s: %s, %d changed, %d unchanged",
            self.spool.target,
            counted(written.new, "new article"),
            written.changed,
            written.same + written.older,
        )
        where = f"--index {self.spool.target} --spool {self.spool.path}"
        how = f"newsclean index --deliver {where}"
        if left:
            logger.warning(
                "%s waiting for the index in %s: delivered by the next run, or by `%s`",
                counted(left, "article"),
                self.spool.path,
                how,
            )
        if refused or self.delivery.refused:
            logger.warning(
                "the index has refused articles: they are kept in %s; to retry, run `%s`",
                self.spool.path,
                how,
            )

    def _line_of(self, item: Any) -> dict[str, Any]:
        """Return the item as its JSON line, with our names for the fields of third-party items."""
        if not ItemAdapter.is_item(item):
            return {}
        line = ItemAdapter(item).asdict()
        return line | {ours: line[theirs] for theirs, ours in self.named.items() if theirs in line}

    def _report_without_id(self, item: Any) -> None:
        self._count("without_id", 1)
        kind = type(item)
        if kind not in self.without_id and len(self.without_id) < _MAX_NAMED:
            self.without_id.add(kind)
            logger.warning(
                "%s is not indexed, because it has no id. Yield dicts, or name a field for the id "
                "in NEWSCLEAN_FIELDS.",
                kind.__qualname__,
            )

    def _count(self, name: str, count: int) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"newsclean/index/{name}", count)


def _spool_path(settings: BaseSettings) -> str:
    """Return `NEWSCLEAN_INDEX_SPOOL`, or a file in Scrapy's data folder."""
    path: str | None = settings.get("NEWSCLEAN_INDEX_SPOOL")
    if path:
        return str(Path(path).expanduser())
    try:
        return data_path(FILE)
    except NotConfigured:  # SCRAPY_SETTINGS_MODULE is set, and there is no scrapy.cfg
        return str(Path(".scrapy", FILE))
