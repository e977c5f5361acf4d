"""Mistakes in arguments and settings, told in one line."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from scrapy.exceptions import UsageError

logger = logging.getLogger(__name__)


def usage_error(message: str) -> UsageError:
    """The error to raise for a mistake of the user's.

    `scrapy crawl` leaves to asyncio what a crawl raises on its way up, and asyncio logs it with a
    traceback. From here on it logs the message alone.
    """
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
