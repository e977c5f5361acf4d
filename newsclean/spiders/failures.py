"""Why a page that a spider has requested did not arrive."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from scrapy.exceptions import IgnoreRequest, ResponseDataLossError
from scrapy.spidermiddlewares.httperror import HttpError

from newsclean.downloadermiddlewares.refusals import RefusedRequest
from newsclean.sources import SourceError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)

#: Scrapy says only in words why it ignores a request: a part of its message, and our reason.
IGNORED = (
    ("robots.txt", "robots-txt"),
    ("redirections", "redirect-loop"),
    ("Retry-After", "retry-after"),
)


class DroppedPage(NamedTuple):
    """A page that is of no use."""

    url: str
    #: a name for the stats
    reason: str
    #: words for the log
    message: str

    def __str__(self) -> str:
        return f"{self.message} [{self.reason}] <{self.url}>"


def dropped_page(failure: Failure) -> DroppedPage:
    """A page that did not arrive, with the reason that Scrapy reports."""
    request: Request = failure.request  # type: ignore[attr-defined]
    if isinstance(failure.value, HttpError):
        response: Response = failure.value.response
        return DroppedPage(response.url, f"http-{response.status}", "error status")
    message = failure.getErrorMessage() or "the download has failed"
    reason = f"download/{type(failure.value).__name__}"
    if isinstance(failure.value, RefusedRequest):
        reason = failure.value.reason
    elif isinstance(failure.value, ResponseDataLossError):
        reason, message = "truncated", str(failure.value) or "the body breaks off"
    elif isinstance(failure.value, IgnoreRequest):
        reason = next((name for words, name in IGNORED if words in message), "ignored")
    return DroppedPage(request.url, reason, message)


def unreadable_source(url: str, kind: str, error: Exception) -> DroppedPage:
    """A source that has arrived and cannot be read, for whatever reason."""
    if not isinstance(error, SourceError):
        logger.error("Unexpected error while reading <%s>", url, exc_info=error)
        error = SourceError(f"cannot be read: {error!r}")
    return DroppedPage(url, f"{kind}-unreadable", f"it {error}")
