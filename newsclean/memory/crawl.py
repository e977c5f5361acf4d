"""The memory of a crawl: one for all its components."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from scrapy.exceptions import NotConfigured
from scrapy.utils.project import data_path

from newsclean.extraction.methods import method_named
from newsclean.memory.address import is_database_address
from newsclean.memory.article_table import ArticleTable
from newsclean.memory.schema import RAM, MemoryFileError
from newsclean.memory.store import Memory
from newsclean.storage import StorageError
from newsclean.usage import usage_error

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

FILE = "newsclean/memory.sqlite"

_memories: WeakKeyDictionary[Crawler, Memory] = WeakKeyDictionary()


def memory_of(crawler: Crawler) -> Memory:
    """The memory that all components of a crawl share."""
    memory = _memories.get(crawler)
    if memory is None:
        settings = crawler.settings
        method = method_named(settings["NEWSCLEAN_METHOD"], settings["NEWSCLEAN_MODEL"])
        window = settings.getint("NEWSCLEAN_WINDOW")
        keep = settings.getint("NEWSCLEAN_KEEP_PAGES")
        path = memory_path(settings)
        try:
            memory = Memory(
                path,
                keying=method.keying,
                model=method.model,
                window=window,
                keep_pages=keep,
                host=settings["NEWSCLEAN_HOST"],
            )
            memory.database.check_writable()
            memory.articles = article_table(settings, memory, crawler)
        except (MemoryFileError, StorageError, OSError) as error:
            raise usage_error(f"NEWSCLEAN_MEMORY: {error}", crawler) from None
        _memories[crawler] = memory
    return memory


def article_table(settings: BaseSettings, memory: Memory, crawler: Crawler) -> ArticleTable | None:
    """The table to which articles go: `NEWSCLEAN_TABLE`, in the database of the memory."""
    name = settings["NEWSCLEAN_TABLE"]
    if not name:
        return None
    try:
        if memory.database.host is None:
            raise ValueError("it needs a memory in PostgreSQL: NEWSCLEAN_MEMORY = postgresql://…")
        table = ArticleTable(memory.database, name)
        table.make()
    except Exception as error:
        memory.close()
        if isinstance(error, StorageError):
            raise
        raise usage_error(f"NEWSCLEAN_TABLE={name}: {error}", crawler) from None
    return table


def memory_path(settings: BaseSettings) -> str:
    """Where the memory is: `NEWSCLEAN_MEMORY`, or a file in Scrapy's data folder."""
    path: str | None = settings.get("NEWSCLEAN_MEMORY")
    if path == RAM or (path and is_database_address(path)):
        return path
    if path:
        return str(Path(path).expanduser())
    try:
        return data_path(FILE)
    except NotConfigured:  # the settings are named by SCRAPY_SETTINGS_MODULE, without a scrapy.cfg
        return str(Path(".scrapy", FILE))


def sites_of(spider: Spider) -> list[str]:
    """The sites that a run covers: it finishes what runs of any job have left of them.

    They are the spider's attribute `newsclean_sites`, if it has one.
    """
    return list(getattr(spider, "newsclean_sites", ()))


def job_of(spider: Spider) -> str:
    """The job of a run: a run takes over all that ended runs of the same job have left.

    It is the spider's attribute `newsclean_job`, or else its name.
    """
    return str(getattr(spider, "newsclean_job", spider.name))
