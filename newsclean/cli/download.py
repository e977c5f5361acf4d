"""One page over HTTP: whole, not too large, and not for ever."""

from __future__ import annotations

from http.client import HTTPException
from threading import Thread
from urllib.request import Request, urlopen

from w3lib.url import safe_url_string

from newsclean import __version__
from newsclean.cli.errors import UNREADABLE, CommandError

#: Bytes of a page, also of one that comes packed.
LARGEST = 50_000_000
#: Seconds without a byte, and for the whole page with all redirects.
SILENCE = 30
DEADLINE = 120


def download(url: str) -> tuple[bytes, str, str | None]:
    """The bytes of a page, the URL at which it was found, and its content type."""
    fetch = _Fetch(url)
    fetch.start()
    fetch.join(DEADLINE)
    if fetch.is_alive():
        raise CommandError(f"cannot fetch {url}: not done after {DEADLINE} seconds", UNREADABLE)
    if fetch.problem:
        raise CommandError(f"cannot fetch {url}: {fetch.problem}", UNREADABLE)
    return fetch.body, fetch.final, fetch.content_type


class _Fetch(Thread):
    """A download that can be left alone: no time limit of a socket is one of the whole."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url = self.final = url
        self.body = b""
        self.content_type: str | None = None
        self.problem = ""

    def run(self) -> None:
        try:
            self.fetch()
        except (OSError, HTTPException, ValueError) as error:
            self.problem = str(error) or type(error).__name__

    def fetch(self) -> None:
        agent = {"User-Agent": f"newsclean/{__version__}"}
        request = Request(safe_url_string(self.url), headers=agent)
        with urlopen(request, timeout=SILENCE) as response:
            self.body = response.read(LARGEST + 1)
            self.content_type = response.headers.get("Content-Type")
            self.final = response.url
            missing = getattr(response, "length", None)
        if len(self.body) > LARGEST:
            self.problem = f"larger than {LARGEST:,} bytes"
        elif missing:
            self.problem = f"broken off after {len(self.body):,} bytes, {missing:,} are missing"
