"""The time between two requests that a site file asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from newsclean.downloadermiddlewares.slot_delays import SlotDelays
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class SiteDelayMiddleware:
    """Obeys the spider's attribute `site_delays`: seconds by registered domain.

    They hold for each host of the site, its robots.txt included.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.slot_delays = SlotDelays(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        delays: dict[str, float] = getattr(self.crawler.spider, "site_delays", {})
        if delays and (site := site_of(request.url)):
            self.slot_delays.raise_to(request, delays.get(registered_domain(site), 0.0))
