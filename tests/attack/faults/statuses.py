"""Statuses that are odd or unasked for, and heads that are floods."""

from __future__ import annotations

from tests.attack.faults.fault import WHOLE, broken
from tests.attack.faults.transport import BODY, raw
from tests.attack.mock_server import head, reply


def flood(count: int, line: str) -> bytes:
    """A head with very many lines."""
    lines = "".join(line.format(n) + "\r\n" for n in range(count))
    return head(content_length=len(BODY)).replace(b"\r\n\r\n", b"\r\n" + lines.encode() + b"\r\n")


def first_line(line: bytes) -> bytes:
    return head(content_length=len(BODY)).replace(b"HTTP/1.1 200 OK", line) + BODY


REFUSALS = (
    "400 Bad Request", "401 Unauthorized", "402 Payment Required", "403 Forbidden", "410 Gone",
    "416 Range Not Satisfiable", "418 Teapot", "429 Too Many Requests",
    "451 Unavailable For Legal Reasons", "500 Internal Server Error", "502 Bad Gateway",
    "503 Service Unavailable", "508 Loop Detected", "999 Request Denied",
)  # fmt: skip

STATUSES = (
    *(broken(status, reply(WHOLE, status, retry_after=86_400)) for status in REFUSALS),
    broken("204 with a body", raw(head("204 No Content", content_length=len(BODY)) + BODY)),
    broken("205", reply("", "205 Reset Content")),
    broken(
        "206 unasked for",
        reply(
            WHOLE[:1200], "206 Partial Content", content_range=f"bytes 0-1199/{len(WHOLE)}"
        ),
    ),
    broken("304 unasked for", raw(head("304 Not Modified"))),
    broken("300 without a place", reply(WHOLE, "300 Multiple Choices")),
    broken("101 unasked for", raw(head("101 Switching Protocols", upgrade="websocket"))),
    broken("100 without an end", raw(b"HTTP/1.1 100 Continue\r\n\r\n" * 2000)),
    broken("status without a number", raw(first_line(b"HTTP/1.1 OK")), unsure=True),
    broken("status of many digits", raw(first_line(b"HTTP/1.1 20000000 OK")), unsure=True),
    broken("status 0", raw(first_line(b"HTTP/1.1 000 Nothing")), unsure=True),
    broken("another protocol", raw(first_line(b"ICY 200 OK")), unsure=True),
    broken("no head at all", raw(BODY)),
    broken("head of bytes", raw(bytes(range(256)) * 40)),
    broken("flood of headers", raw(flood(5000, "X-Header-{}: 1") + BODY), unsure=True),
    broken("flood of cookies", raw(flood(3000, "Set-Cookie: c{}=x; Path=/") + BODY), unsure=True),
    broken("giant header", raw(flood(1, "X-Giant: {}" + "x" * 500_000) + BODY), unsure=True),
    broken("header without a colon", raw(flood(1, "no colon here {}") + BODY), unsure=True),
    broken("header with NUL", raw(flood(1, "X-Nul: a\0b{}") + BODY), unsure=True),
    broken("header of odd bytes", raw(flood(1, "X-Odd: ÿé{}") + BODY), whole=True),
)  # fmt: skip
