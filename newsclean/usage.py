"""Mistakes in arguments and settings, told in one line."""

from __future__ import annotations

import asyncio
import logging
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


def usage_error(message: str, crawler: Crawler | None = None) -> UsageError:
    """The error to raise for a mistake of the user's.

    `scrapy crawl` leaves to asyncio what a crawl raises on its way up, and asyncio logs it with a
    traceback. From here on it logs the message alone. A crawler without a spider makes it end with
    an exit code other than 0.
    """
    if crawler is not None:
        crawler.spider = None
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # not in a crawl
        return UsageError(message)
    others = loop.get_exception_handler()

    def tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), UsageError):
            logger.error("%s", context["exception"])
        elif others is not None:
            others(loop, context)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(tell)
    return UsageError(message)


def nearest(name: str, known: Collection[str]) -> str:
    """The known name that is most like one that is not known.

    >>> nearest("contnet", ["title", "content"])
    'content'
    """
    return get_close_matches(name, sorted(known), 1, cutoff=0.0)[0]
