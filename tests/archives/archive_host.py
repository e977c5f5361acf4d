"""A server of news archives on loopback, as Common Crawl's: lists, archives, ranges, and faults."""

from __future__ import annotations

import gzip
import re
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "crawl-data/CC-NEWS/2026/08"


def archive_path(day: int, number: int = 1) -> str:
    return f"{FOLDER}/CC-NEWS-202608{day:02}080000-{number:05}.warc.gz"


class Asked(NamedTuple):
    """A request: what for, and how many bytes were sent."""

    path: str
    range: str
    sent: int


class Fault(NamedTuple):
    """What an archive answers once instead of its bytes."""

    status: int = 206
    headers: tuple[tuple[str, str], ...] = ()
    #: bytes after which the connection is closed
    cut: int | None = None


class ArchiveHost:
    """Archives of August 2026, and what was asked for."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[Asked] = []
        self.faults: list[Fault] = []
        self.has_ranges = True
        self.robots: bytes | None = None
        #: set to let the archives be sent; until then, no more than `held` bytes of each
        self.released = threading.Event()
        self.released.set()
        self.held = 0
        self.is_holding = threading.Event()

    def add(self, path: str, data: bytes) -> None:
        self.files[path] = data
        archives = sorted(name for name in self.files if name.endswith(".warc.gz"))
        self.files[f"{FOLDER}/warc.paths.gz"] = gzip.compress("\n".join(archives).encode())

    @property
    def archives_asked(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.path.endswith(".warc.gz")]

    def forget(self) -> None:
        self.asked.clear()

    @contextmanager
    def running(self) -> Iterator[str]:
        """Serve, and give the address."""
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_address[1]}"
            finally:
                self.released.set()
                server.shutdown()

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        path = to.path.lstrip("/")
        data = self.robots if path == "robots.txt" else self.files.get(path)
        asked = to.headers.get("Range", "")
        if data is None:
            self._send(to, path, 404, b"", [])
            return
        if not asked:
            self._send(to, path, 200, data, [])
            return
        fault = self.faults.pop(0) if self.faults else Fault()
        if fault.status != 206:
            self._send(to, path, fault.status, b"", list(fault.headers))
            return
        if not self.has_ranges:
            self._send(to, path, 200, data, [])
            return
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", asked)
        assert found is not None
        start, end = int(found[1]), int(found[2] or len(data) - 1) + 1
        if start >= len(data):
            self._send(to, path, 416, b"", [])
            return
        span = f"bytes {start}-{min(end, len(data)) - 1}/{len(data)}"
        self._send(to, path, 206, data[start:end], [("Content-Range", span)], fault.cut)

    def _send(
        self,
        to: BaseHTTPRequestHandler,
        path: str,
        status: int,
        body: bytes,
        headers: list[tuple[str, str]],
        cut: int | None = None,
    ) -> None:
        sent = body[:cut]
        self.asked.append(Asked(path, to.headers.get("Range", ""), len(sent)))
        to.send_response(status)
        for name, value in [*headers, ("Content-Length", str(len(body)))]:
            to.send_header(name, value)
        to.end_headers()
        if not self.released.is_set() and path.endswith(".warc.gz"):
            to.wfile.write(sent[: self.held])
            to.wfile.flush()
            sent = sent[self.held :]
            self.is_holding.set()
            self.released.wait()
        with suppress(OSError):  # whoever asked is gone
            to.wfile.write(sent)
