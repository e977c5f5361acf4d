"""One line turns it all on: `ADDONS = {"newsclean.addon.Newsclean": 500}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.utils.misc import load_object

from newsclean.defaults import DEFAULTS
from newsclean.downloadermiddlewares.robots import PatientRobotsTxt
from newsclean.downloadermiddlewares.waiting import WaitingPages
from newsclean.extensions.handing_on import HandingOn
from newsclean.feeds import LineByLineStorage
from newsclean.methods import method_named
from newsclean.pipelines.article import ArticlePipeline
from newsclean.pipelines.content import ContentPipeline
from newsclean.pipelines.dynamic_noise import DynamicNoisePipeline
from newsclean.pipelines.export import ExportPipeline
from newsclean.pipelines.metadata import MetadataPipeline
from newsclean.pipelines.neighborhood import NeighborhoodPipeline
from newsclean.pipelines.page import PagePipeline
from newsclean.pipelines.revision import RevisionPipeline
from newsclean.pipelines.static_noise import StaticNoisePipeline
from newsclean.spidermiddlewares.page_of_item import PageOfItem
from newsclean.usage import usage_error

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

#: The way of a page; all of it before the pipelines that projects usually have from 300 on.
PIPELINES = (
    PagePipeline,
    NeighborhoodPipeline,
    StaticNoisePipeline,
    DynamicNoisePipeline,
    ContentPipeline,
    ArticlePipeline,
    MetadataPipeline,
    RevisionPipeline,
    ExportPipeline,
)
FIRST_PIPELINE, PIPELINE_STEP = 110, 10

#: Nearest to the engine: a page that comes back needs neither robots.txt nor a download.
WAITING_ORDER = 10
#: After Scrapy's feed exporter: what is handed on is in the file when it is confirmed.
HANDING_ON_ORDER = 900
#: Nearest to the spider: what it yields is seen before anything else has touched it.
PAGE_ORDER = 950

#: The least value of each setting that is a number.
LEAST = {
    "NEWSCLEAN_MIN_NEIGHBORS": 0,
    "NEWSCLEAN_WINDOW": 1,
    "NEWSCLEAN_MAX_PAGE_SIZE": 0,
    "NEWSCLEAN_SECTION_PAGES": 1,
}


class Newsclean:
    """Adds the pipelines, the middlewares and the default of each setting."""

    def update_settings(self, settings: BaseSettings) -> None:
        for name, value in DEFAULTS.items():
            settings.set(name, value, priority="default")
        check(settings)
        for number, pipeline in enumerate(PIPELINES):
            order = FIRST_PIPELINE + PIPELINE_STEP * number
            settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", pipeline, order)
        settings.setdefault_in_component_priority_dict(
            "DOWNLOADER_MIDDLEWARES", WaitingPages, WAITING_ORDER
        )
        own = map(load_object, settings.getdict("DOWNLOADER_MIDDLEWARES"))
        if RobotsTxtMiddleware not in own:  # else the project has its own ways
            settings.replace_in_component_priority_dict(
                "DOWNLOADER_MIDDLEWARES_BASE", RobotsTxtMiddleware, PatientRobotsTxt
            )
        settings.setdefault_in_component_priority_dict("EXTENSIONS", HandingOn, HANDING_ON_ORDER)
        storages = settings.getdict("FEED_STORAGES_BASE")
        path = f"{LineByLineStorage.__module__}.{LineByLineStorage.__qualname__}"
        settings.set("FEED_STORAGES_BASE", {**storages, "": path, "file": path}, priority="addon")
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", PageOfItem, PAGE_ORDER)


def check(settings: BaseSettings) -> None:
    """Refuse a setting that makes no sense; without newsclean, a crawl would hand on raw pages."""
    try:
        method_named(settings["NEWSCLEAN_METHOD"])
    except ValueError as error:
        raise usage_error(f"NEWSCLEAN_METHOD: {error}") from None
    for name, default in DEFAULTS.items():
        try:
            if isinstance(default, bool):
                settings.getbool(name)
            elif isinstance(default, int) and settings.getint(name) < LEAST[name]:
                raise ValueError(name)
        except (TypeError, ValueError):
            least = LEAST.get(name)
            kind = "True or False" if least is None else f"a whole number, {least} or more"
            raise usage_error(f"{name}={settings[name]!r}: it takes {kind}") from None
