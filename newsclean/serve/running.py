"""The web server around the application."""

from __future__ import annotations

from typing import TYPE_CHECKING

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    from starlette.applications import Starlette

#: Seconds in which a request must be whole; the answer may take longer.
REQUEST_TIMEOUT = 30.0


def make_server(app: Starlette, request_timeout: float = REQUEST_TIMEOUT) -> uvicorn.Server:
    """A server that logs no request, and speaks plain HTTP alone."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            access_log=False,
            log_level="warning",
            server_header=False,
            lifespan="off",
            ws="none",
            http=_whole_requests(request_timeout),
            loop="asyncio",
            timeout_graceful_shutdown=2,
        )
    )


def _whole_requests(timeout: float) -> type[asyncio.Protocol]:
    """HTTP that closes a connection whose request is not whole in time.

    uvicorn itself closes connections only between requests: one that sent half a request, or a
    byte now and then, stayed open for ever.
    """

    class WholeRequests(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._await_request()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._await_request()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget_deadline()
            super().connection_lost(exc)

        def _await_request(self) -> None:
            if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
                self._forget_deadline()
            elif self._deadline is None:  # more data is no reason for more time
                self._deadline = self.loop.call_later(timeout, self.transport.close)

        def _forget_deadline(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    return WholeRequests
