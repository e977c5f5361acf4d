"""Makes small archives, and reads what is in them."""

from __future__ import annotations

import io
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from newsclean.archives.archive_index import PageIndex, build_index
from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import SavedPage, SavedPageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

WINDOW = 50
TYPE = "text/html; charset=utf-8"


def story(number: int) -> bytes:
    """A page with a text of its own, which no compression makes very short."""
    words = " ".join(f"word{zlib.crc32(b'%d %d' % (number, place)):x}" for place in range(200))
    return f"<html><title>Story {number}</title><p>Story {number} says {words}".encode()


def address(number: int) -> str:
    return f"https://www.example.org/sport/story-{number}"


class WarcFile:
    """A WARC file in the making."""

    def __init__(self, *, packed: bool = True) -> None:
        self.buffer = io.BytesIO()
        self.writer = WARCWriter(self.buffer, gzip=packed)
        #: where each record begins
        self.offsets: list[int] = []

    def add(
        self,
        url: str,
        body: bytes,
        *,
        status: str = "200 OK",
        content_type: str = TYPE,
        http: dict[str, str] | None = None,
        warc: dict[str, str] | None = None,
        kind: str = "response",
    ) -> Any:
        headers = [("Content-Type", content_type), *(http or {}).items()]
        record = self.writer.create_warc_record(
            url,
            kind,
            io.BytesIO(body),
            length=len(body),
            warc_headers_dict=warc or {},
            http_headers=StatusAndHeaders(status, headers, protocol="HTTP/1.1"),
        )
        self.write(record)
        return record

    def add_request(self, url: str) -> None:
        asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", "x")], is_http_request=True)
        create = self.writer.create_warc_record
        self.write(create(url, "request", io.BytesIO(), length=0, http_headers=asked))

    def add_revisit(self, url: str, digest: str, date: str = "2026-01-02T00:00:00Z") -> None:
        self.write(self.writer.create_revisit_record(url, digest, address(0), date))

    def write(self, record: Any) -> None:
        self.offsets.append(self.buffer.tell())
        self.writer.write_record(record)

    @property
    def data(self) -> bytes:
        return self.buffer.getvalue()


def stories(numbers: Iterable[int], *, packed: bool = True) -> WarcFile:
    """A file with these stories, a record each."""
    file = WarcFile(packed=packed)
    for number in numbers:
        file.add(address(number), story(number))
    return file


@dataclass
class Contents:
    """What was found in an archive."""

    pages: list[SavedPage] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def urls(self) -> list[str | None]:
        return [page.url for page in self.pages]


def read_all(*paths: Path) -> Contents:
    """All pages of these files and folders, and why others are left out."""
    index: PageIndex = build_index(map(str, paths), WINDOW)
    contents = Contents(left_out=index.left_out.copy())
    for position in index:
        try:
            contents.pages.append(read_page(position))
        except SavedPageError as error:
            contents.left_out[error.reason] += 1
    return contents
