"""Connections that are slow or break, and lengths and packings that lie."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from asyncio import StreamWriter

from tests.attack.faults.fault import WHOLE, broken
from tests.attack.mock_server import Ask, Handler, head, reply

BODY = WHOLE.encode()
HALF = BODY[: len(BODY) // 2]
PACKED = gzip.compress(BODY)
CHUNKED = head(transfer_encoding="chunked")
#: What a crawler that reads on after its limit would have to swallow.
ENDLESS = b"<p>And it has rained on, as it did the day before.</p>\n" * 1000
BOMB_SIZE = 200_000_000


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def raw(*parts: bytes | float, reset: bool = False) -> Handler:
    """Send bytes as they are, wait where a number is given, then close or reset."""

    async def handler(ask: Ask, out: StreamWriter) -> None:
        for part in parts:
            if isinstance(part, float):
                await asyncio.sleep(part)
            else:
                out.write(part)
                await out.drain()
        if reset:
            await asyncio.sleep(0.05)  # what was sent should arrive
            out.transport.abort()

    return handler


def endless(before: bytes, part: bytes, pause: float = 0.0) -> Handler:
    """Send one part again and again until the crawler hangs up."""

    async def handler(ask: Ask, out: StreamWriter) -> None:
        out.write(before)
        while not out.is_closing():
            out.write(part)
            await out.drain()
            await asyncio.sleep(pause)

    return handler


def bomb() -> bytes:
    """Few bytes that unpack to very many."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(bytes(1_000_000)) for _ in range(20)), packer.flush()])


def plain(length: int | str, body: bytes = BODY) -> bytes:
    return head(content_length=length) + body


def packed(body: bytes, encoding: str = "gzip") -> Handler:
    return reply(body, content_encoding=encoding)


LATE = 6.0  # seconds; longer than a crawl of the attack waits

TRANSPORT = (
    broken("slow headers", raw(LATE, plain(len(BODY)))),
    broken("slow body", raw(head(content_length=len(BODY)), LATE, BODY)),
    broken("trickle", endless(head(content_length=len(BODY)), b"<", 0.2)),
    broken("trickle of headers", endless(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n", 0.2)),
    broken(
        "slow and whole", raw(plain(len(BODY), HALF), 0.4, BODY[len(HALF) :]), whole=True
    ),
    broken("reset at once", raw(reset=True)),
    broken("reset in headers", raw(b"HTTP/1.1 200 OK\r\nContent-Le", reset=True)),
    broken("reset in body", raw(plain(len(BODY), HALF), reset=True)),
    broken("reset in a chunk", raw(CHUNKED + chunk(HALF)[:-400], reset=True)),
    broken("closed without an answer", raw()),
    broken("closed in headers", raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/ht")),
    broken("length too large", raw(plain(len(BODY) + 500))),
    broken("length too small", raw(plain(len(HALF))), unsure=True),
    broken("length negative", raw(plain(-7)), unsure=True),
    broken("length no number", raw(plain("many")), unsure=True),
    broken("length of gigabytes", raw(plain(10**11), LATE)),
    broken(
        "two lengths",
        raw(head(content_length=len(HALF)).replace(b"\r\n\r\n", b"\r\nContent-Length: 9\r\n\r\n")
            + BODY),
        unsure=True,
    ),
    broken("chunks cut short", raw(CHUNKED + chunk(HALF))),
    broken("chunk size no number", raw(CHUNKED + b"zz\r\n" + BODY + b"\r\n0\r\n\r\n")),
    broken("chunk larger than sent", raw(CHUNKED + b"fffff\r\n" + BODY)),
    broken("endless chunks", endless(CHUNKED, chunk(ENDLESS))),
    broken("endless chunks of one byte", endless(CHUNKED, chunk(b"<"))),
    broken("endless body", endless(head(), ENDLESS)),
    broken("endless trailers", endless(CHUNKED + chunk(BODY) + b"0\r\n", b"X: 1\r\n"), unsure=True),
    broken("gzip cut short", packed(PACKED[: len(PACKED) * 2 // 3])),
    broken("gzip without its end", packed(PACKED[:-6])),
    broken("gzip with a wrong checksum", packed(PACKED[:-8] + bytes(8)), unsure=True),
    broken("gzip that is not one", packed(BODY), unsure=True),
    broken("gzip cut in its head", packed(PACKED[:5])),
    broken("gzip bomb", packed(bomb())),
    broken("gzip bomb in gzip", packed(gzip.compress(bomb()), "gzip, gzip")),
    broken("gzip many times over", packed(PACKED, ", ".join(["gzip"] * 40)), unsure=True),
    broken("deflate cut short", packed(zlib.compress(BODY)[:-200], "deflate")),
    broken("unknown packing", packed(BODY, "zip-of-tomorrow"), unsure=True),
    broken("rubbish behind gzip", packed(PACKED + b"rubbish" * 50), unsure=True),
)  # fmt: skip
