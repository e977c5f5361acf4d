"""Sends a request only while the crawl holds its domains: the last step before the network.

Requests wait in Scrapy's downloader for the delay of their host, behind all middlewares. A process
that was stopped and woken would send those first.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.exceptions import IgnoreRequest
from scrapy.settings import get_settings_priority
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler, load_object

from newsclean.crawl_state import CrawlState

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings


#: The setting that holds the handlers before these, by scheme.
FORMER = "DOWNLOAD_HANDLERS_BEFORE_NEWSCLEAN"


class _HeldDomainsHandler:
    """The handler of a scheme, behind a look whether the domains are still held."""

    lazy: ClassVar[bool] = False  # the handler behind it may not be
    scheme: ClassVar[str]

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        handler = crawler.settings[FORMER][self.scheme]
        self.handler: Any = build_from_crawler(load_object(handler), crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> _HeldDomainsHandler:
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        state = CrawlState.of(self.crawler)
        if not state.has_failed:
            with state.ending_on_failure():
                state.memory.database.check_held()
        if state.has_failed:
            raise IgnoreRequest("the crawl has ended: nothing more is sent")
        if inspect.iscoroutinefunction(self.handler.download_request):
            response: Response = await self.handler.download_request(request)
            return response
        # As Scrapy does with handlers of the old kind.
        spider = self.crawler.spider
        return await maybe_deferred_to_future(self.handler.download_request(request, spider))

    async def close(self) -> None:
        if inspect.isawaitable(closed := self.handler.close()):
            await closed


class HeldHttpHandler(_HeldDomainsHandler):
    scheme = "http"


class HeldHttpsHandler(_HeldDomainsHandler):
    scheme = "https"


def hold_domains(settings: BaseSettings) -> None:
    """Put the handlers above before those of the project."""
    former = settings.getwithbase("DOWNLOAD_HANDLERS").copy_to_dict()
    settings.set(FORMER, former, priority="addon")
    ours = {kind.scheme: kind for kind in (HeldHttpHandler, HeldHttpsHandler)}
    given = {scheme: kind for scheme, kind in ours.items() if former.get(scheme)}
    priority = max(settings.getpriority("DOWNLOAD_HANDLERS") or 0, get_settings_priority("addon"))
    settings.set("DOWNLOAD_HANDLERS", settings.getdict("DOWNLOAD_HANDLERS") | given, priority)


def handler_of(settings: BaseSettings, scheme: str) -> str:
    """The handler that connects, which may be behind one of ours."""
    former: dict[str, str] = settings.get(FORMER) or {}
    return former.get(scheme) or settings.getwithbase("DOWNLOAD_HANDLERS")[scheme]
