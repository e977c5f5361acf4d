"""A server of archives: files by parts, over one connection at a time, with patience.

In: paths below the address of a server. Out: whole small files, and `RemoteFile`s that are read in
order and go on where a lost connection ended. Archives of pages are published for programs, and
their servers answer many of those: there is a pause before each request, `Retry-After` is obeyed,
attempts are few, and a refusal ends the work.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request

from protego import Protego

from newsclean import __version__
from newsclean.archives.saved import ArchiveError
from newsclean.discovery.checked_http import checked_opener
from newsclean.discovery.public_addresses import AddressPolicy

if TYPE_CHECKING:
    from collections.abc import Callable
    from email.message import Message

T = TypeVar("T")

#: Requests for the same bytes before the work ends.
ATTEMPTS = 6
#: Seconds before each request, after the first failure (then twice as long each time), without a
#: byte, and at most until a server may be asked again.
_PAUSE, _FIRST_WAIT, _TIMEOUT, _MAX_WAIT = 0.1, 2.0, 60.0, 600.0
#: Bytes that are read at a time, of a small file, and of a robots.txt.
_PART, _MAX_SMALL, _MAX_ROBOTS = 1 << 20, 50_000_000, 500 << 10

_AGENT = "newsclean"
_OVERLOADED = (429, 500, 502, 503, 504)
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


class ServerError(Exception):
    """A server that cannot or must not be asked any more."""


class _RefusedError(ServerError):
    """A file that the server refuses to send."""


class MissingFileError(ArchiveError):
    """A file that the server does not have."""


class _FailedError(Exception):
    """A request that may be repeated."""

    def __init__(self, problem: str, wait: float | None = None) -> None:
        super().__init__(problem)
        #: the seconds that the server asks to wait
        self.wait = wait


class ArchiveServer:
    """A server at an address; `ServerError` if it refuses or does not answer.

    ValueError if the address is not a URL.
    """

    def __init__(
        self,
        address: str,
        *,
        obeys_robots: bool = True,
        note: Callable[[str], object] = lambda text: None,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address!r} is not the http:// or https:// address of a server")
        self.address = address.rstrip("/")
        self._robots_url = f"{parts.scheme}://{parts.netloc}/robots.txt"
        self._note = note
        self._wait = wait
        self._pause = _PAUSE
        policy = AddressPolicy()
        policy.ask_for(parts.hostname)
        self._opener = checked_opener(policy)
        self._obeys_robots = obeys_robots
        self._rules: Protego | None = None

    def fetch(self, path: str) -> bytes:
        """Return a small file; `MissingFileError` if the server does not have it."""
        self._check_robots(path)
        return self._whole(f"{self.address}/{path}", _MAX_SMALL)

    def open(self, path: str, start: int = 0, end: int | None = None) -> RemoteFile:
        """Return a file, or a part of it, that is requested when it is read."""
        self._check_robots(path)
        return RemoteFile(self, f"{self.address}/{path}", start, end)

    def attempt(self, url: str, work: Callable[[], T]) -> T:
        """Return what `work` returns; repeat it if it fails, with longer and longer pauses."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return work()
            except (_FailedError, URLError, OSError, HTTPException) as error:
                reason = getattr(error, "reason", None) or error
                problem = str(reason) or type(reason).__name__
                wait = error.wait if isinstance(error, _FailedError) else None
            if wait is None:
                wait = _FIRST_WAIT * 2 ** (attempt - 1)
            if wait > _MAX_WAIT:
                raise ServerError(
                    f"{url}: {problem}; the server asks to wait {wait:,.0f} seconds: "
                    "run the command again then"
                )
            if attempt < ATTEMPTS:
                self._note(f"{url}: {problem}; trying again in {wait:,.0f} seconds")
                self._wait(wait)
        raise ServerError(f"cannot read {url}: {problem} ({ATTEMPTS} attempts)")

    def request(self, url: str, asked: str | None = None) -> Any:
        """Send one request, for all bytes or for some, and return the open response."""
        self._wait(self._pause)
        headers = {"User-Agent": f"{_AGENT}/{__version__}"} | ({"Range": asked} if asked else {})
        try:
            return self._opener.open(Request(url, headers=headers), timeout=_TIMEOUT)
        except HTTPError as error:
            status, answer = error.code, error.headers
            error.close()
        if status in (404, 410):
            raise MissingFileError(f"{url}: the server does not have it ({status})")
        if status == 416:
            raise ArchiveError(f"{url}: it is empty, or shorter than expected")
        if status in _OVERLOADED:
            raise _FailedError(f"status {status}", _retry_after(answer))
        if status in (401, 403):
            raise _RefusedError(
                f"{url}: the server refuses it (status {status}): it had too many requests, or has "
                "no such file; wait a day, or ask its operator"
            )
        raise ServerError(f"{url}: status {status}")

    def _whole(self, url: str, max_size: int) -> bytes:
        def read() -> bytes:
            with self.request(url) as response:
                body: bytes = response.read(max_size + 1)
                if response.length and len(body) <= max_size:
                    raise _FailedError(f"connection lost after {len(body):,} bytes")
            if len(body) > max_size:
                raise ServerError(f"{url}: larger than {max_size:,} bytes")
            return body

        return self.attempt(url, read)

    def _check_robots(self, path: str) -> None:
        if not self._obeys_robots:
            return
        if self._rules is None:
            try:
                body = self._whole(self._robots_url, _MAX_ROBOTS)
            except (MissingFileError, _RefusedError):  # RFC 9309, 2.3.1.3: all is allowed
                body = b""
            self._rules = Protego.parse(body.decode("utf-8", "replace"))
            self._pause = max(self._pause, self._rules.crawl_delay(_AGENT) or 0.0)
        url = f"{self.address}/{path}"
        if not self._rules.can_fetch(url, _AGENT):
            raise ServerError(
                f"{self._robots_url} does not allow {url}: if its operator publishes the archives "
                "for download, --ignore-robots reads them"
            )


class RemoteFile:
    """A file on a server, or a part of it, that is read from its beginning to its end."""

    def __init__(self, server: ArchiveServer, url: str, start: int, end: int | None) -> None:
        self._server = server
        self.url = url
        self._place = start
        self._end = end
        #: the bytes of the whole file, None before the first are read
        self.size: int | None = None
        self._response: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def read(self, count: int) -> bytes:
        """Return as many bytes, or fewer at the end of the file or part."""
        parts: list[bytes] = []
        while count and (self._end is None or self._place < self._end):
            part = self._server.attempt(self.url, partial(self._read_part, min(count, _PART)))
            self._place += len(part)
            count -= len(part)
            parts.append(part)
        return b"".join(parts)

    def _read_part(self, count: int) -> bytes:
        try:
            if self._response is None:
                self._open()
            part: bytes = self._response.read(count)
            if not part:
                raise _FailedError(f"connection lost after {self._place:,} bytes")
        except BaseException:
            self._close()
            raise
        return part

    def _open(self) -> None:
        last = "" if self._end is None else self._end - 1
        self._response = self._server.request(self.url, f"bytes={self._place}-{last}")
        found = _CONTENT_RANGE.fullmatch(self._response.headers.get("Content-Range") or "")
        if self._response.status != 206 or found is None:
            raise ServerError(
                f"{self.url}: the server does not send parts of files (ranges), which reading "
                "archives needs"
            )
        start, last_sent, size = map(int, found.groups())
        self._end = size if self._end is None else self._end
        if start != self._place or last_sent + 1 != self._end or self.size not in (None, size):
            raise ArchiveError(f"{self.url}: it has changed, or is shorter than expected")
        self.size = size

    def _close(self) -> None:
        if self._response is not None:
            self._response.close()
            self._response = None


def _retry_after(headers: Message) -> float | None:
    """Return the seconds after which a server may be asked again, None if it does not say."""
    value = (headers.get("Retry-After") or "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    with suppress(ValueError):
        moment = parsedate_to_datetime(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    return None
