"""What the attack puts into the process of a crawl: kills at named points, limits, a witness.

It is loaded by the settings that `crawls` writes, and never by newsclean. The environment variable
`NEWSCLEAN_ATTACK` has the orders, as JSON.
"""

from __future__ import annotations

import errno
import ipaddress
import json
import os
import signal
import socket
import sqlite3
import sys
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals
from scrapy.exporters import JsonLinesItemExporter

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

ORDERS_VARIABLE = "NEWSCLEAN_ATTACK"

#: Where a crawl can be killed, at the n-th time that it comes there.
POINTS = (
    "tables",  # before a statement that makes the tables
    "response",  # a page has arrived
    "parked",  # a page is stored and waits
    "half-line",  # in the midst of a line
    "line",  # between line and confirmation
    "statement",  # before any statement of the memory
    "idle",  # nothing is left to download
    "closing",  # before the feed is closed
    "feed-closed",  # after the feed is closed
    "stopped",  # before the memory is closed
)


def orders() -> dict[str, Any]:
    """`kill` (a point), `nth`, `connections` (a file), `max_pages` (of the memory)."""
    found: dict[str, Any] = json.loads(os.environ.get(ORDERS_VARIABLE, "{}"))
    return found


class Killer:
    """Kills the process when it comes to the ordered point for the n-th time."""

    def __init__(self, point: str, nth: int) -> None:
        self.point = point
        self.left = nth

    def at(self, point: str) -> None:
        if self.is_next(point):
            os.kill(os.getpid(), signal.SIGKILL)

    def is_next(self, point: str) -> bool:
        """Count an arrival at a point; whether the process is to be killed there now."""
        if point != self.point:
            return False
        self.left -= 1
        return self.left == 0


ORDERS = orders()
KILLER = Killer(ORDERS.get("kill", ""), ORDERS.get("nth", 1))


class KillPoints:
    """The points that Scrapy's signals tell; between the feed exporter and newsclean's tracker."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        points = cls()
        for signal_, handler in (
            (signals.response_received, points.response_received),
            (signals.item_dropped, points.item_dropped),
            (signals.item_scraped, points.item_scraped),
            (signals.spider_idle, points.spider_idle),
            (signals.feed_slot_closed, points.feed_slot_closed),
            (signals.engine_stopped, points.engine_stopped),
        ):
            crawler.signals.connect(handler, signal_)
        return points

    def response_received(self) -> None:
        KILLER.at("response")

    def item_dropped(self) -> None:
        KILLER.at("parked")

    def item_scraped(self) -> None:
        KILLER.at("line")

    def spider_idle(self) -> None:
        KILLER.at("idle")

    def feed_slot_closed(self) -> None:
        KILLER.at("feed-closed")

    def engine_stopped(self) -> None:
        KILLER.at("stopped")


class EarlyKillPoints:
    """Comes before the feed exporter."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        points = cls()
        crawler.signals.connect(points.spider_closed, signals.spider_closed)
        return points

    def spider_closed(self) -> None:
        KILLER.at("closing")


class HalfLineExporter(JsonLinesItemExporter):
    """Writes one half of a line, where that is ordered."""

    def export_item(self, item: Any) -> None:
        if KILLER.is_next("half-line"):
            fields = dict(self.get_serialized_fields(item))
            data = self.encoder.encode(fields).encode(self.encoding or "utf-8")
            self.file.write(data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        super().export_item(item)


class WatchedConnection(sqlite3.Connection):
    """A connection to the memory that may have few pages, and at whose statements one may die."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if "max_pages" in ORDERS:
            super().execute(f"PRAGMA max_page_count = {int(ORDERS['max_pages'])}")

    def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        if sql.split(None, 1)[0].upper() == "CREATE":
            KILLER.at("tables")
        KILLER.at("statement")
        return super().execute(sql, *arguments)


def install() -> None:
    """Watch this process, as ordered."""
    connect = sqlite3.connect

    def watched(*arguments: Any, **options: Any) -> sqlite3.Connection:
        made: sqlite3.Connection = connect(*arguments, **{"factory": WatchedConnection} | options)
        return made

    sqlite3.connect = watched  # type: ignore[assignment]
    sys.addaudithook(Witness(ORDERS.get("connections")))


class Witness:
    """Notes each address before a connection to it is tried, and lets none leave this machine.

    What the attack names (cloud metadata, private networks) may exist where it runs: the attempt
    is the failure, and must not become a request.
    """

    def __init__(self, path: str | None) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self.file = None if path is None else os.open(path, flags, 0o644)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
            host = str(arguments[1][0])
            self.note(host)
            if not is_loopback(host):
                raise ConnectionRefusedError(errno.ECONNREFUSED, "refused by the attack")
        elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
            host = os.fsdecode(arguments[0] or "")
            if not is_resolved_here(host):
                self.note(host)
                raise socket.gaierror(socket.EAI_NONAME, "refused by the attack")

    def note(self, host: str) -> None:
        if self.file is not None:
            os.write(self.file, f"{host}\n".encode())


def is_loopback(host: str) -> bool:
    """Whether a numeric address is of this machine alone; 0.0.0.0 connects to it, too."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host == "localhost"
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_loopback or mapped.is_unspecified)


def is_resolved_here(host: str) -> bool:
    """Whether a name needs no name server: it is a number in any spelling, or localhost."""
    try:
        socket.inet_aton(host)
    except OSError:
        return ":" in host or host in ("", "localhost", socket.gethostname())
    return True
