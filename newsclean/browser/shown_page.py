"""A page while it is shown in the browser: what it asks for, and what it gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from playwright.async_api import BrowserContext, Route


@dataclass(frozen=True)
class BrowserRequest:
    """What a page asks for."""

    url: str
    method: str
    #: Playwright's name: script, stylesheet, xhr, fetch, image …
    kind: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True)
class Answer:
    body: bytes
    headers: Mapping[str, str]
    status: int = 200


@dataclass
class ShownPage:
    """A page while it is shown."""

    url: str
    document: Answer
    answer: Callable[[BrowserRequest], Awaitable[Answer | None]]
    is_loaded: bool = False
    is_over: bool = False
    #: requests that wait for their answers, and all that were made
    pending: int = 0
    requests: int = 0
    #: seconds that the page itself has taken, and those in which it waited for answers
    seconds: float = 0.0
    waited: float = 0.0
    context: BrowserContext | None = field(default=None, repr=False)

    async def route(self, route: Route) -> None:
        """Answer a request of the page; navigations away from it are not made."""
        from playwright.async_api import Error

        request = route.request
        is_document = request.is_navigation_request()
        answer = None
        try:
            if is_document and not self.is_loaded and request.frame.parent_frame is None:
                self.is_loaded = True
                answer = self.document
            elif not is_document and not self.is_over:
                self.pending += 1
                self.requests += 1
                try:
                    answer = await self.answer(_browser_request(route))
                finally:
                    self.pending -= 1
            if answer is None:
                await route.abort("aborted" if is_document else "blockedbyclient")
            else:
                await route.fulfill(
                    status=answer.status, headers=dict(answer.headers), body=answer.body
                )
        except Error:  # the page is gone
            if not self.is_over:
                raise


def _browser_request(route: Route) -> BrowserRequest:
    request = route.request
    return BrowserRequest(
        request.url,
        request.method,
        request.resource_type,
        request.headers,
        request.post_data_buffer,
    )
