"""What the header of a WARC record says, and whether it is the record of a page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import xxhash
from fastwarc.warc import WarcRecord, WarcRecordType

from newsclean.extraction.page.decode import other_type
from newsclean.urls import printable_url, site_of

#: Why a response is not a page, beside the statuses (`http-404`).
NOT_HTML, NOT_HTTP, TRUNCATED = "not-html", "not-http", "truncated"
STYLESHEET = "text/css"


@dataclass(frozen=True)
class RecordHeader:
    """The header of a record."""

    type: WarcRecordType
    url: str
    fetched_at: str | None
    record: WarcRecord

    @classmethod
    def of(cls, data: bytes) -> RecordHeader:
        """The header of a record; OSError if it is not one."""
        record = WarcRecord.from_bytes(data)
        headers = record.headers
        url = (headers.get("WARC-Target-URI") or "").strip().strip("<>")  # as old wget wrote it
        url = printable_url(url)
        return cls(record.record_type, url, _moment(headers.get("WARC-Date")), record)

    @property
    def is_response(self) -> bool:
        return self.type == WarcRecordType.response

    @property
    def is_revisit(self) -> bool:
        return self.type == WarcRecordType.revisit

    @property
    def is_stylesheet(self) -> bool:
        if not self.is_response or self.record.headers.get("WARC-Truncated"):
            return False
        headers = http_headers(self.record)
        kind = (headers.get("Content-Type") or "").partition(";")[0]
        return headers.status_code == 200 and kind.strip().lower() == STYLESHEET

    def why_not_a_page(self) -> str:
        """Why a response, or a revisit, is not of a page; empty if it is, or for other records."""
        if not (self.is_response or self.is_revisit):
            return ""
        if not self.url.lower().startswith(("http://", "https://")) or site_of(self.url) is None:
            return NOT_HTTP
        if self.record.headers.get("WARC-Truncated"):
            return TRUNCATED
        headers = http_headers(self.record)
        if self.is_response and headers.status_code != 200:
            return f"http-{headers.status_code or 'unknown'}"
        return NOT_HTML if other_type(headers.get("Content-Type")) else ""

    def payload_key(self) -> int:
        """A hash of what its payload is, by which a revisit names its original; 0 without one."""
        return _hash(self.record.headers.get("WARC-Payload-Digest"))

    def id_key(self) -> int:
        return _hash(self.record.headers.get("WARC-Record-ID"))

    def original_keys(self) -> tuple[int, int]:
        """The id and the payload of the record of which this one is a revisit."""
        return _hash(self.record.headers.get("WARC-Refers-To")), self.payload_key()


def http_headers(record: WarcRecord, unpack: Literal["none", "transfer"] = "none") -> Any:
    """The HTTP header of a response or revisit; what is left to read of the record is its payload.

    A response from an HTTP address is HTTP, also where its record lacks the content type that says
    so, or has a damaged one: fastwarc would not look for a header then.
    """
    record.is_http = True
    record.parse_http(auto_decode=unpack)
    return record.http_headers


def _hash(value: str | None) -> int:
    return xxhash.xxh3_64_intdigest(value.strip().encode("utf-8", "replace")) if value else 0


def _moment(date: str | None) -> str | None:
    try:
        moment = datetime.fromisoformat(date or "").astimezone(UTC)
    except (ValueError, OverflowError):  # the latter of the first and the last day that there is
        return None
    return moment.isoformat(timespec="seconds")
