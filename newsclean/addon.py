"""One line turns it all on: `ADDONS = {"newsclean.addon.Newsclean": 500}`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

# Early, though only the engine needs it: Scrapy's deprecated classes in it look through all modules
# there are by then, for each frame of the stack (inspect.stack).
import scrapy.core.downloader.contextfactory  # noqa: F401
from scrapy.core.scheduler import Scheduler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.settings import get_settings_priority
from scrapy.utils.misc import load_object

from newsclean.browser.chromium import BrowserMissingError, check_browser
from newsclean.crawl_state import usage_error
from newsclean.discovery.public_addresses import AddressPolicy
from newsclean.extensions.delivery import DeliveryTracker
from newsclean.extensions.feed_files import LineByLineStorage, merge_feeds
from newsclean.extensions.run_report import RunReport
from newsclean.extraction.methods import ModelError, method_named
from newsclean.items import DropPolicy
from newsclean.middlewares.page_items import PageItemMiddleware
from newsclean.middlewares.parked_pages import SHARED, LocalParkedPages, ParkedPagesMiddleware
from newsclean.middlewares.rechecks import RechecksMiddleware
from newsclean.middlewares.refusals import PrivateAddressMiddleware, SameSiteMiddleware
from newsclean.middlewares.rendering import ALWAYS, NEVER, RenderingMiddleware
from newsclean.middlewares.retry_after import WITHOUT_PAUSES, PausingScheduler, RetryAfterMiddleware
from newsclean.middlewares.robots import (
    ConcurrentRobotsTxtMiddleware,
    SiteDelayMiddleware,
    StrictRobotsTxtMiddleware,
)
from newsclean.middlewares.truncated import TruncatedResponseMiddleware
from newsclean.pipelines.output import FieldMap
from newsclean.settings import ITEM_PIPELINES, check_settings, defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

#: What is added to which setting, and where.
_COMPONENTS: tuple[tuple[str, type, int], ...] = (
    *(("ITEM_PIPELINES", load_object(path), order) for path, order in ITEM_PIPELINES.items()),
    # Nearest to the engine: a parked or saved page needs neither robots.txt nor a download.
    ("DOWNLOADER_MIDDLEWARES", ParkedPagesMiddleware, 10),
    # Before robots.txt of another site is asked for.
    ("DOWNLOADER_MIDDLEWARES", SameSiteMiddleware, 90),
    # Before robots.txt is asked for, of which it is true as well.
    ("DOWNLOADER_MIDDLEWARES", SiteDelayMiddleware, 95),
    # Before Scrapy's cache keeps the response.
    ("DOWNLOADER_MIDDLEWARES", TruncatedResponseMiddleware, 950),
    # Nearest to the downloader: no middleware changes the request after it.
    ("DOWNLOADER_MIDDLEWARES", PrivateAddressMiddleware, 1000),
    # Before robots.txt is looked up: an article that is not due needs neither.
    ("DOWNLOADER_MIDDLEWARES", RechecksMiddleware, 20),
    # After all that may still refuse the response, and after the validators are set.
    ("DOWNLOADER_MIDDLEWARES", RenderingMiddleware, 25),
    # After robots.txt, for which a request may have waited until its host asked for a pause.
    ("DOWNLOADER_MIDDLEWARES", RetryAfterMiddleware, 560),
    # Nearest to the engine: what comes out of it goes to the pipelines.
    ("SPIDER_MIDDLEWARES", PageItemMiddleware, 10),
    # After Scrapy's feed exporter: what is confirmed is in the file.
    ("EXTENSIONS", DeliveryTracker, 900),
    # After it: a run is known to the memory, and not yet closed.
    ("EXTENSIONS", RunReport, 910),
)

#: After the pipelines that projects usually have: what is indexed is what the feeds get.
_INDEX_ORDER = 1000


class Newsclean:
    """Adds the pipelines, the middlewares and the default of each setting.

    What of Scrapy's own it replaces is named by `NEWSCLEAN_HARDEN`.
    """

    def __init__(self, crawler: Crawler | None = None) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def update_settings(self, settings: BaseSettings) -> None:
        try:
            settings.setdict(defaults, priority="default")
            check_settings(settings)
            _check_values(settings)
        except ValueError as error:
            raise usage_error(str(error), self.crawler) from None
        hardened = settings.getlist("NEWSCLEAN_HARDEN")
        for name, component, order in _COMPONENTS:
            settings.setdefault_in_component_priority_dict(name, component, order)
        if settings["NEWSCLEAN_INDEX"]:
            from newsclean.pipelines.index import IndexPipeline  # most crawls have no index

            settings.setdefault_in_component_priority_dict(
                "ITEM_PIPELINES", IndexPipeline, _INDEX_ORDER
            )
        own = map(load_object, settings.getdict("DOWNLOADER_MIDDLEWARES"))
        is_strict = settings.getbool("NEWSCLEAN_STRICT_ROBOTSTXT")
        # A project that names Scrapy's own has its own ways.
        if (is_strict or "robotstxt" in hardened) and RobotsTxtMiddleware not in own:
            settings.replace_in_component_priority_dict(
                "DOWNLOADER_MIDDLEWARES_BASE",
                RobotsTxtMiddleware,
                StrictRobotsTxtMiddleware if is_strict else ConcurrentRobotsTxtMiddleware,
            )
        if settings["NEWSCLEAN_LEASE"]:
            from newsclean.cluster.worker_lease import SiteLease  # most crawls have no queue

            # After the memory is closed, the site may be given to another worker.
            settings.setdefault_in_component_priority_dict("EXTENSIONS", SiteLease, 920)
        if load_object(settings["SCHEDULER"]) is not Scheduler:
            _replace_scheduler(settings, LocalParkedPages, SHARED)
        spider = self.crawler.spidercls if self.crawler is not None else None
        if getattr(spider, "obeys_retry_after", False):  # a spider of ours
            _replace_scheduler(settings, PausingScheduler, WITHOUT_PAUSES)
        if "feeds" in hardened:
            merge_feeds(settings)
            storages = settings.getdict("FEED_STORAGES_BASE")
            path = f"{LineByLineStorage.__module__}.{LineByLineStorage.__qualname__}"
            ours = {**storages, "": path, "file": path}
            settings.set("FEED_STORAGES_BASE", ours, priority="addon")


def _replace_scheduler(settings: BaseSettings, scheduler: type, former: str) -> None:
    """Put a scheduler before the one that is set, which it finds in the setting `former`."""
    settings.set(former, settings["SCHEDULER"], priority="addon")
    priority = max(settings.getpriority("SCHEDULER") or 0, get_settings_priority("addon"))
    settings.set("SCHEDULER", scheduler, priority=priority)


def _check_values(settings: BaseSettings) -> None:
    """Raise ValueError for what the table of settings can't know: names, addresses, programs."""
    try:
        method = method_named(settings["NEWSCLEAN_METHOD"], settings["NEWSCLEAN_MODEL"])
    except ValueError as error:
        name = "MODEL" if isinstance(error, ModelError) else "METHOD"
        raise ValueError(f"NEWSCLEAN_{name}: {error}") from None
    with _naming("NEWSCLEAN_ALLOWED_HOSTS"):
        AddressPolicy(settings.getlist("NEWSCLEAN_ALLOWED_HOSTS"))
    with _naming("NEWSCLEAN_DROP"):
        DropPolicy(settings)
    with _naming("NEWSCLEAN_FIELDS"):
        FieldMap(settings)
    if settings["NEWSCLEAN_INDEX"]:
        from newsclean.index.clients import check_address  # most crawls have no index
        from newsclean.index.target import IndexTargetError

        with _naming("NEWSCLEAN_INDEX", IndexTargetError):
            check_address(str(settings["NEWSCLEAN_INDEX"]))
    mode = settings["NEWSCLEAN_RENDER"]
    if method.needs_rendering and mode != ALWAYS:
        raise ValueError(
            f"NEWSCLEAN_METHOD={method.name}: it needs rendered pages, but NEWSCLEAN_RENDER is "
            f"{mode!r}; set it to {ALWAYS!r}"
        )
    if mode != NEVER:
        with _naming(f"NEWSCLEAN_RENDER={mode}", BrowserMissingError):
            check_browser(settings["NEWSCLEAN_CHROMIUM"])
            reactor = settings["TWISTED_REACTOR"] or ""
            if "asyncio" not in reactor.lower():
                raise ValueError(f"it needs the asyncio reactor, not {reactor}")


@contextmanager
def _naming(setting: str, error: type[Exception] = ValueError) -> Iterator[None]:
    """Put the name of a setting before the message of an error."""
    try:
        yield
    except (error, ValueError) as found:
        raise ValueError(f"{setting}: {found}") from None
