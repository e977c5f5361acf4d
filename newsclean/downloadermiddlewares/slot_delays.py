"""The least time between two requests to a host, whoever asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class SlotDelays:
    """Keeps the delays of the downloader's slots from falling below what was asked for.

    Each middleware that asks for delays has its own; the largest one counts, and AutoThrottle may
    make it longer.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        #: the delay that each slot has at least
        self._delays: dict[str, float] = {}
        # After AutoThrottle, which has connected before the middlewares are made.
        crawler.signals.connect(self.response_downloaded, signals.response_downloaded)

    def raise_to(self, request: Request, delay: float) -> str | None:
        """Have the request's slot wait for at least this long between two requests.

        Returns the name of the slot if that is news.
        """
        assert self.crawler.engine is not None
        downloader = self.crawler.engine.downloader
        key = downloader.get_slot_key(request)
        if delay <= self._delays.get(key, 0.0):
            return None
        self._delays[key] = delay
        # For a slot that is made anew after a pause.
        known = downloader.per_slot_settings.get(key, {})
        usual = known.get("delay", self.crawler.settings.getfloat("DOWNLOAD_DELAY"))
        anew = {**known, "delay": max(usual, delay), "jitter": 0.0}
        downloader.per_slot_settings[key] = anew
        if slot := downloader.slots.get(key):
            slot.delay, slot.jitter = max(slot.delay, delay), 0.0
        return key

    def response_downloaded(self, request: Request) -> None:
        key = request.meta.get("download_slot", "")
        assert self.crawler.engine is not None
        if key in self._delays and (slot := self.crawler.engine.downloader.slots.get(key)):
            slot.delay = max(slot.delay, self._delays[key])
