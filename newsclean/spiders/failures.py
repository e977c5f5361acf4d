"""Why a page that a spider has asked for did not come."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scrapy.exceptions import IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response
    from twisted.python.failure import Failure

#: Scrapy does not say why it ignores a request but in words.
IGNORED = (("robots.txt", "robots-txt"), ("redirections", "redirect-loop"))


class Drop(NamedTuple):
    """A page that is of no use."""

    url: str
    #: a name for the stats
    reason: str
    #: words for the log
    message: str

    def __str__(self) -> str:
        return f"{self.message} [{self.reason}] <{self.url}>"


def drop_of(failure: Failure) -> Drop:
    """A page that did not come, as Scrapy tells it."""
    request: Request = failure.request  # type: ignore[attr-defined]
    if isinstance(failure.value, HttpError):
        response: Response = failure.value.response
        return Drop(response.url, f"http-{response.status}", "error status")
    message = failure.getErrorMessage() or "the download has failed"
    reason = f"download/{type(failure.value).__name__}"
    if isinstance(failure.value, IgnoreRequest):
        reason = next((name for words, name in IGNORED if words in message), "ignored")
    return Drop(request.url, reason, message)
