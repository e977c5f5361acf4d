"""The add-on that turns newsclean on: `ADDONS = {"newsclean.addon.Newsclean": 500}`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

# Imported first, though only the engine needs it: Scrapy's deprecated classes in it search all
# modules that are loaded by then, for each frame of the stack (inspect.stack).
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
from newsclean.extraction.methods.hybrid.network import ModelError
from newsclean.extraction.methods.registry import method_named
from newsclean.items import DropPolicy
from newsclean.memory.database import is_database_url
from newsclean.middlewares.blocked import BlockedMiddleware
from newsclean.middlewares.parked_pages import SHARED, LocalParkedPages, ParkedPagesMiddleware
from newsclean.middlewares.politeness import (
    WITHOUT_PAUSES,
    ConcurrentRobotsTxtMiddleware,
    PausingScheduler,
    RetryAfterMiddleware,
    SiteDelayMiddleware,
    StrictRobotsTxtMiddleware,
)
from newsclean.middlewares.refusals import (
    PrivateAddressMiddleware,
    RechecksMiddleware,
    SameSiteMiddleware,
    hold_domains,
)
from newsclean.middlewares.rendering import ALWAYS, NEVER, RenderingMiddleware
from newsclean.middlewares.responses import PageItemMiddleware, TruncatedResponseMiddleware
from newsclean.middlewares.site_requests import SiteSecretsMiddleware, SiteUserAgentMiddleware
from newsclean.pipelines.output import FieldMap, item_maker
from newsclean.settings import ITEM_PIPELINES, check_settings, defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

#: The components that the add-on adds: to which setting, and in which order.
_COMPONENTS: tuple[tuple[str, type, int], ...] = (
    *(("ITEM_PIPELINES", load_object(path), order) for path, order in ITEM_PIPELINES.items()),
    # Nearest to the engine: a parked page needs neither robots.txt nor a download.
    ("DOWNLOADER_MIDDLEWARES", ParkedPagesMiddleware, 10),
    # Before robots.txt is requested: an article that is not due does not need it.
    ("DOWNLOADER_MIDDLEWARES", RechecksMiddleware, 20),
    # After all that may refuse the response, and after the validators are set.
    ("DOWNLOADER_MIDDLEWARES", RenderingMiddleware, 25),
    # Before the robots.txt of another site is requested.
    ("DOWNLOADER_MIDDLEWARES", SameSiteMiddleware, 90),
    # Before robots.txt is requested, to which the delay applies, too, and whose rules are those for
    # the user agent.
    ("DOWNLOADER_MIDDLEWARES", SiteDelayMiddleware, 95),
    ("DOWNLOADER_MIDDLEWARES", SiteUserAgentMiddleware, 96),
    # After robots.txt: while a request waits for it, the host may ask for a pause.
    ("DOWNLOADER_MIDDLEWARES", RetryAfterMiddleware, 560),
    # Before Scrapy's meta refresh (580) and retry (550), after its decompression (590).
    ("DOWNLOADER_MIDDLEWARES", BlockedMiddleware, 585),
    # Before Scrapy's cache gets the response.
    ("DOWNLOADER_MIDDLEWARES", TruncatedResponseMiddleware, 950),
    # After Scrapy's cache (900), which would store them.
    ("DOWNLOADER_MIDDLEWARES", SiteSecretsMiddleware, 990),
    # Nearest to the downloader: no middleware changes the request after it.
    ("DOWNLOADER_MIDDLEWARES", PrivateAddressMiddleware, 1000),
    # Nearest to the engine: what it yields goes to the pipelines.
    ("SPIDER_MIDDLEWARES", PageItemMiddleware, 10),
    # After Scrapy's feed exporter: what is confirmed is in the file.
    ("EXTENSIONS", DeliveryTracker, 900),
    # After `DeliveryTracker`, which starts the run in the memory.
    ("EXTENSIONS", RunReport, 910),
)

#: After the pipelines that projects usually have: the index gets what the feeds get.
_INDEX_ORDER = 1000
_INDEX_PIPELINE = "newsclean.apps.search.index_pipeline.IndexPipeline"


class Newsclean:
    """Add newsclean's components to a project, and the default of each setting.

    `NEWSCLEAN_HARDEN` names the parts of Scrapy that are replaced by stricter ones.
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
        for name, component, order in _COMPONENTS:
            settings.setdefault_in_component_priority_dict(name, component, order)
        if settings["NEWSCLEAN_INDEX"]:
            # Most crawls have no index.
            settings.setdefault_in_component_priority_dict(
                "ITEM_PIPELINES", load_object(_INDEX_PIPELINE), _INDEX_ORDER
            )
        _replace_robotstxt(settings)
        if is_database_url(str(settings["NEWSCLEAN_MEMORY"] or "")):
            # A lock of a file lasts as long as its process; one of a session may be lost.
            hold_domains(settings)
        if load_object(settings["SCHEDULER"]) is not Scheduler:
            _replace_scheduler(settings, LocalParkedPages, SHARED)
        spider = self.crawler.spidercls if self.crawler is not None else None
        if getattr(spider, "obeys_retry_after", False):  # one of newsclean's own spiders
            _replace_scheduler(settings, PausingScheduler, WITHOUT_PAUSES)
        if "feeds" in settings.getlist("NEWSCLEAN_HARDEN"):
            merge_feeds(settings)
            storages = settings.getdict("FEED_STORAGES_BASE")
            path = f"{LineByLineStorage.__module__}.{LineByLineStorage.__qualname__}"
            ours = {**storages, "": path, "file": path}
            settings.set("FEED_STORAGES_BASE", ours, priority="addon")


def _replace_robotstxt(settings: BaseSettings) -> None:
    """Replace Scrapy's robots.txt middleware, unless the project itself names it."""
    is_strict = settings.getbool("NEWSCLEAN_STRICT_ROBOTSTXT")
    is_wanted = is_strict or "robotstxt" in settings.getlist("NEWSCLEAN_HARDEN")
    named = map(load_object, settings.getdict("DOWNLOADER_MIDDLEWARES"))
    if is_wanted and RobotsTxtMiddleware not in named:
        settings.replace_in_component_priority_dict(
            "DOWNLOADER_MIDDLEWARES_BASE",
            RobotsTxtMiddleware,
            StrictRobotsTxtMiddleware if is_strict else ConcurrentRobotsTxtMiddleware,
        )


def _replace_scheduler(settings: BaseSettings, scheduler: type, former: str) -> None:
    """Set a scheduler that finds the one that was set in the setting `former`."""
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
    with _naming("NEWSCLEAN_ITEM"):
        item_maker(settings)
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
