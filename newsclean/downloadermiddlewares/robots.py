"""robots.txt is obeyed by all of a host's first requests, not by one of them alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.robotstxt import RobotParser


class ConcurrentRobotsTxtMiddleware(RobotsTxtMiddleware):
    """Scrapy's own, made right for several first requests of a host at once.

    They await one Deferred, which gives its result to the first of them; the others get None, as
    if there were no rules. By then the rules are known, and so they are looked up once more.
    """

    async def robot_parser(self, request: Request) -> RobotParser | None:
        awaited = await super().robot_parser(request)
        known = self._parsers.get(urlparse_cached(request).netloc)
        return awaited if known is None or isinstance(known, Deferred) else known
