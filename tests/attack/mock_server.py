"""A news server that may do anything to a crawler: every site is an address of loopback."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

HTML = "text/html; charset=utf-8"

#: Addresses of this machine that no crawl is asked to visit.
UNASKED = ("127.0.0.1", "127.0.2.1", "::1")

#: How long a connection is served at most, in seconds.
MAX_SECONDS = 20.0


@dataclass(frozen=True)
class Ask:
    """A request: the address to which it came, its path with the query, and its number there."""

    host: str
    port: int
    path: str
    count: int

    @property
    def base(self) -> str:
        return f"http://{self.host}:{self.port}"


Handler = Callable[[Ask, asyncio.StreamWriter], Awaitable[None]]
#: The handler of a path.
Site = Callable[[str], Handler]


#: Where nobody has asked for anything.
UNASKED_PATH = "/unasked-for/"
#: Bytes of a page that no buffer holds, and of its pieces.
LONG_PAGE, LONG_PIECE = 64_000_000, 64_000


@dataclass
class MockServer:
    """Sites by address; what comes to another address is an intrusion."""

    port: int
    sites: dict[str, Site]
    #: how often each path was asked for, by address
    hits: dict[str, Counter[str]] = field(default_factory=dict)
    #: when each address was asked for an article or a section, in the server's seconds
    times: dict[str, list[float]] = field(default_factory=dict)
    #: long pages of which a crawl has read more than the headers, by their addresses
    read: set[str] = field(default_factory=set)

    def url(self, host: str, path: str) -> str:
        return f"http://{host}:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode("ascii", "replace")
            host = writer.get_extra_info("sockname")[0]
            hits = self.hits.setdefault(host, Counter())
            hits[path] += 1
            if path != "/robots.txt":
                self.times.setdefault(host, []).append(asyncio.get_running_loop().time())
            site = self.sites.get(host)
            ask = Ask(host, self.port, path, hits[path])
            handler = intrusion if site is None else site(path)
            if site is not None and path.startswith(UNASKED_PATH):
                handler = self.long_page
            with suppress(TimeoutError, asyncio.CancelledError):
                await asyncio.wait_for(handler(ask, writer), MAX_SECONDS)
        with suppress(OSError):
            writer.close()

    async def long_page(self, ask: Ask, out: asyncio.StreamWriter) -> None:
        """A page that is too long for the buffers between server and crawl: noted if it is read."""
        out.write(head(content_length=LONG_PAGE))
        for _ in range(LONG_PAGE // LONG_PIECE):
            out.write(b"x" * LONG_PIECE)
            await out.drain()
        self.read.add(f"{ask.host}{ask.path}")


def head(status: str = "200 OK", **headers: str | int) -> bytes:
    """The head of an answer; `content_type` is HTML unless given."""
    named = {"content_type": HTML, "connection": "close"} | headers
    lines = [f"{name.replace('_', '-').title()}: {value}" for name, value in named.items()]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode("utf-8")


def reply(body: str | bytes, status: str = "200 OK", **headers: str | int) -> Handler:
    """A handler that gives a plain answer."""
    data = body.encode() if isinstance(body, str) else body

    async def handler(ask: Ask, out: asyncio.StreamWriter) -> None:
        out.write(head(status, **{"content_length": len(data)} | headers) + data)
        await out.drain()

    return handler


missing = reply("<h1>Not found</h1>", "404 Not Found")


async def intrusion(ask: Ask, out: asyncio.StreamWriter) -> None:
    """What a service of the internal network might show."""
    await reply(f"<h1>Internal</h1><p>The secrets of {ask.host} are on this page.</p>")(ask, out)


@contextmanager
def serve(sites: Mapping[str, Site]) -> Iterator[MockServer]:
    """Serve sites on a port that is free, and watch that port of the unasked addresses."""
    loop = asyncio.new_event_loop()
    server = MockServer(0, dict(sites))
    listening: list[asyncio.Server] = []

    async def open_ports() -> None:
        listening.append(await asyncio.start_server(server.serve, UNASKED[0], 0, backlog=512))
        server.port = listening[0].sockets[0].getsockname()[1]
        for host in (*UNASKED[1:], *sites):
            with suppress(OSError):  # a machine without IPv6
                listening.append(
                    await asyncio.start_server(server.serve, host, server.port, backlog=512)
                )

    async def end() -> None:
        for port in listening:
            port.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    loop.run_until_complete(open_ports())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
