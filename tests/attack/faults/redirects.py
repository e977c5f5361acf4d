"""Redirects without an end, and redirects to where nobody asked to go."""

from __future__ import annotations

import asyncio
from asyncio import StreamWriter
from html import escape

from tests.attack.faults.fault import (
    BROKEN,
    BROKEN_TITLE,
    CONTROL,
    WHOLE,
    Fault,
    broken,
)
from tests.attack.mock_server import UNASKED_PATH, Ask, Handler, reply
from tests.attack.news import SECTION

#: Where no crawl may go, with the port of the server in the place of `PORT`.
TARGETS = {
    "another loopback address": "http://127.0.2.1:PORT/unasked-for/1.html",
    "loopback": "http://127.0.0.1:PORT/unasked-for/2.html",
    "localhost": "http://localhost:PORT/unasked-for/3.html",
    "loopback as a number": "http://2130706433:PORT/unasked-for/4.html",
    "loopback in octal": "http://0177.0.0.1:PORT/unasked-for/5.html",
    "loopback in hexadecimal": "http://0x7f.1:PORT/unasked-for/6.html",
    "zero": "http://0:PORT/unasked-for/7.html",
    "IPv6 loopback": "http://[::1]:PORT/unasked-for/8.html",
    "IPv4 in IPv6": "http://[::ffff:127.0.0.1]:PORT/unasked-for/9.html",
    "a name with a user": "http://127.0.2.1@127.0.0.1:PORT/unasked-for/10.html",
    "cloud metadata": "http://169.254.169.254/latest/meta-data/unasked-for/",
    "a private network": "http://10.255.255.1/unasked-for/11.html",
    "another private network": "http://192.168.255.254/unasked-for/12.html",
    "shared address space": "http://100.64.0.1/unasked-for/13.html",
    "broadcast": "http://255.255.255.255/unasked-for/14.html",
    "a file": "file:///etc/passwd",
    "a script": "javascript:alert(1)",
    "data": "data:text/html,<h1>Data</h1><p>It has rained on the wrong page for days.</p>",
    "FTP": "ftp://127.0.2.1:PORT/unasked-for/15.html",
    "S3": "s3://bucket/unasked-for/16.html",
    "no address at all": "http://",
    "an unclosed address": "http://[::1/unasked-for/17.html",
    "a name that is too long": f"http://{'a' * 300}.example/unasked-for/18.html",
    "port 0": "http://127.0.2.1:0/unasked-for/19.html",
    "a port that is too large": "http://127.0.2.1:99999/unasked-for/20.html",
}


def redirect(target: str, status: str = "302 Found") -> Handler:
    async def handler(ask: Ask, out: StreamWriter) -> None:
        location = target.replace("PORT", str(ask.port))
        await reply("", status, location=location)(ask, out)

    return handler


def refresh(target: str) -> Handler:
    """A page that sends browsers on."""

    async def handler(ask: Ask, out: StreamWriter) -> None:
        url = escape(target.replace("PORT", str(ask.port)))
        await reply(f'<meta http-equiv="refresh" content="0; url={url}">')(ask, out)

    return handler


def chain(step: str) -> Handler:
    """A redirect to a new address each time."""

    async def handler(ask: Ask, out: StreamWriter) -> None:
        number = int(ask.path.rpartition("=")[2]) if "=" in ask.path else 0
        await asyncio.sleep(0)
        await redirect(f"{BROKEN}?{step}={number + 1}")(ask, out)

    return handler


def section(name: str, handler: Handler) -> Fault:
    """A fault of the second page of a section."""
    page = f"{SECTION}?page=2"
    return Fault(name, {page: handler}, {page: "2"})


#: The crawl knows this site, but nobody has asked for this page of it.
OFFSITE = f"http://{CONTROL}:PORT{UNASKED_PATH}of-another-site-60002.html"

REDIRECTS = (
    broken("redirect to itself", redirect(BROKEN)),
    Fault("redirects without an end", {BROKEN: chain("n")}, {BROKEN: BROKEN_TITLE}, chain("n")),
    broken("redirect to another site", redirect(OFFSITE)),
    broken("meta refresh to another site", refresh(OFFSITE)),
    broken("redirect loop", redirect(f"{BROKEN}?again")),
    broken("redirect without a place", reply("", "302 Found")),
    broken("redirect to nothing", redirect("")),
    broken("307 without an end", redirect(BROKEN, "307 Temporary Redirect")),
    broken("meta refresh to itself", refresh(BROKEN)),
    Fault(
        "redirect within the site",
        {BROKEN: redirect("/news/moved-60003.html"), "/news/moved-60003.html": reply(WHOLE)},
        {BROKEN: BROKEN_TITLE},
        wanted=frozenset({"/news/moved-60003.html"}),
    ),
    *(broken(f"redirect to {name}", redirect(target)) for name, target in TARGETS.items()),
    *(broken(f"meta refresh to {name}", refresh(target)) for name, target in TARGETS.items()),
    *(
        section(f"section redirect to {name}", redirect(TARGETS[name]))
        for name in ("another loopback address", "localhost", "IPv6 loopback", "cloud metadata")
    ),
    *(
        section(f"section refresh to {name}", refresh(TARGETS[name]))
        for name in ("another loopback address", "loopback as a number")
    ),
    Fault(
        "links to unasked addresses",
        links={
            target.replace(":PORT", ""): f"The secret number {n} of the town"
            for n, target in enumerate(TARGETS.values())
        },
    ),
)
