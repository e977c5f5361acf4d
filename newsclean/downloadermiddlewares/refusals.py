"""Requests that are not made, or not to their end, and why."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest


class RefusedRequest(IgnoreRequest):
    """A request that newsclean refuses, with a name for the stats and words for the log."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
