"""robots.txt is obeyed by every request that waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.robotstxt import RobotParser


class PatientRobotsTxt(RobotsTxtMiddleware):
    """Scrapy's own, for several first requests of a host at once.

    They share one Deferred, which hands its result to the first of them; the others are told that
    there are no rules. By then the rules are known, and so they are asked once more.
    """

    async def robot_parser(self, request: Request) -> RobotParser | None:
        told = await super().robot_parser(request)
        known = self._parsers.get(urlparse_cached(request).netloc)
        return told if known is None or isinstance(known, Deferred) else known
