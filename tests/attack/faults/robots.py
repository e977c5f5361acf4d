"""What a robots.txt may be, and what follows from it (RFC 9309)."""

from __future__ import annotations

from tests.attack.faults.bodies import NOISE
from tests.attack.faults.fault import WHOLE, Fault
from tests.attack.faults.redirects import redirect
from tests.attack.faults.transport import LATE, endless, raw
from tests.attack.mock_server import Handler, head, reply

RULES = "User-agent: *\n" + "".join(f"Disallow: /private/{n}/*/secret$\n" for n in range(20_000))
#: The bytes that the RFC asks to read.
READ_SIZE = 500 * 1024


def rules(
    handler: Handler, name: str, *, is_open: bool | None = True, min_delay: float = 0.0
) -> Fault:
    return Fault(
        f"robots.txt: {name}", {"/robots.txt": handler}, is_open=is_open, min_delay=min_delay
    )


def text(body: str | bytes, status: str = "200 OK") -> Handler:
    return reply(body, status, content_type="text/plain")


PLAIN = head(content_type="text/plain")
OPEN_RULES = b"User-agent: *\nDisallow: /search\n"

ROBOTS = (
    rules(text("", "500 Internal Server Error"), "500", is_open=False),
    rules(text("", "503 Service Unavailable"), "503", is_open=False),
    rules(raw(LATE), "no answer", is_open=False),
    rules(raw(reset=True), "reset", is_open=False),
    rules(raw(PLAIN, LATE), "no body", is_open=False),
    rules(text("User-agent: *\nDisallow: /\n"), "all forbidden", is_open=False),
    rules(
        text("User-agent: *\nDisallow: /\n" + "# more\n" * 200_000), "forbidden and huge",
        is_open=False,
    ),
    rules(text("", "403 Forbidden"), "403"),
    rules(text("", "404 Not Found"), "404"),
    rules(text(WHOLE), "a page"),
    rules(text(""), "empty"),
    rules(text(NOISE), "bytes"),
    rules(text("\ufeffUser-agent: *\r\rDisallow: /search\r"), "odd line ends"),
    rules(text(RULES), "20,000 rules"),
    rules(text("User-agent: *\nDisallow: /" + "*a" * 5000 + "$\n"), "a rule of many stars"),
    rules(text(OPEN_RULES + b"# more\n" * 200_000), "larger than is read"),
    rules(endless(PLAIN + OPEN_RULES, b"# rain\n" * 1000), "without an end", is_open=None),
    rules(text("User-agent: *\nCrawl-delay: 0.5\n"), "a delay", min_delay=0.4),
    rules(text("User-agent: *\nCrawl-delay: -5\n"), "a negative delay"),
    rules(text("User-agent: *\nCrawl-delay: nan\n"), "a delay that is no number"),
    rules(redirect("/robots.txt"), "a redirect loop", is_open=None),
    rules(redirect("http://127.0.2.1:PORT/unasked-for/robots.txt"), "a redirect elsewhere",
          is_open=None),
)  # fmt: skip
