"""Bodies that are not what their heads say, or hardly a page at all."""

from __future__ import annotations

import random

from tests.attack.faults.fault import BROKEN, BROKEN_TITLE, WHOLE, Fault, broken
from tests.attack.mock_server import reply
from tests.attack.news import SECTION
from tests.crawl.small_site import page, story

NOISE = random.Random(12).randbytes(60_000)
#: Characters that steer a terminal, in the midst of words.
CONTROLS = story("The bell\x07 and\x1b[31m the escape\x7f of the day").replace(
    "wagons", "wag\x1b]0;owned\x07ons\x00\x08"
)

FALSE_TYPES = (
    "image/png", "application/pdf", "application/json", "application/octet-stream", "video/mp4",
    "text/css", "application/rss+xml", "multipart/form-data; boundary=x",
)  # fmt: skip

BODIES = (
    *(broken(f"a page as {kind}", reply(WHOLE, content_type=kind), unsure=True)
      for kind in FALSE_TYPES),
    broken("no content type", reply(WHOLE, content_type=""), unsure=True),
    broken("a content type of rubbish", reply(WHOLE, content_type="\"';;=/\\"), unsure=True),
    broken("an unknown charset", reply(WHOLE, content_type="text/html; charset=klingon-8"),
           whole=True),
    broken("a false charset", reply(WHOLE, content_type="text/html; charset=utf-16"), unsure=True),
    broken("a charset that runs code", reply(WHOLE, content_type="text/html; charset=rot13"),
           unsure=True),
    broken("UTF-16 without a mark", reply(WHOLE.encode("utf-16-le"), content_type="text/html"),
           unsure=True),
    broken("UTF-7", reply(WHOLE.encode("utf-7"), content_type="text/html; charset=utf-7"),
           unsure=True),
    broken("bytes as a page", reply(NOISE)),
    broken("a picture as a page", reply(b"\x89PNG\r\n\x1a\n" + NOISE)),
    broken("a PDF as a page", reply(b"%PDF-1.7\n" + NOISE)),
    broken("JSON as a page", reply('{"articleBody": "It has rained in Bergen for days."}')),
    broken("XML as a page", reply('<?xml version="1.0"?><rss><channel/></rss>')),
    broken("entities that grow", reply(
        '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
        + WHOLE.replace("wagons", "&c;" * 1000)), unsure=True),
    broken("an external entity", reply(
        '<!DOCTYPE html [<!ENTITY x SYSTEM "http://127.0.2.1/unasked-for/x">]>'
        + WHOLE.replace("wagons", "&x;")), unsure=True),
    broken("empty", reply("")),
    broken("white space alone", reply(" \n\t" * 20_000)),
    broken("NUL bytes alone", reply(bytes(50_000))),
    broken("NUL bytes between", reply(WHOLE.replace(" ", " \0")), unsure=True),
    broken("control characters", reply(CONTROLS), unsure=True),
    broken("tags without an end", reply("<div><p><b>" * 20_000), unsure=True),
    broken("brackets alone", reply("<" * 300_000)),
    broken("one long word", reply(page(BROKEN_TITLE, "x" * 500_000)), unsure=True),
    broken("one long comment", reply("<!--" + WHOLE * 50)),
    broken("frames alone", reply('<frameset><frame src="/unasked-for/frame"></frameset>')),
    broken("a base elsewhere", reply(WHOLE.replace(
        "<head>", '<head><base href="http://127.0.2.1/unasked-for/">')), whole=True),
    Fault("a section with a base elsewhere", {f"{SECTION}?page=2": reply(
        '<base href="http://127.0.2.1/unasked-for/">' + page("More", '<a href="a-60004.html">A</a>')
    )}, {f"{SECTION}?page=2": "2"}),
    Fault("a section of bytes", {f"{SECTION}?page=2": reply(NOISE)}, {f"{SECTION}?page=2": "2"}),
    Fault("a link of two megabytes", links={BROKEN + "?" + "x" * 100_000: BROKEN_TITLE}),
    Fault("links that are no addresses", links=dict.fromkeys(
        ("http://[", "http://\0", "//", "http:///x", "\ud83d".encode("utf-8", "replace").decode(),
         "http://a b/c", "mailto:x@y", "tel:1", "#", "?", "%00", "http://%zz/", "javascript:void(0)"
         ), BROKEN_TITLE)),
)  # fmt: skip
