"""Download one page: complete, limited in size and time, from no private address.

Of private addresses, only those that the user names are connected to.
"""

from __future__ import annotations

from http.client import HTTPException
from threading import Thread
from urllib.parse import urlsplit
from urllib.request import Request

from w3lib.url import safe_url_string

from newsclean import __version__
from newsclean.cli.terminal import UNREADABLE, CommandError
from newsclean.discovery.checked_http import checked_opener
from newsclean.discovery.public_addresses import AddressPolicy
from newsclean.files import MAX_SINGLE_SIZE

#: Seconds without a byte, and for the whole page with all redirects.
_READ_TIMEOUT = 30
TOTAL_TIMEOUT = 120


def download(
    url: str, max_size: int = MAX_SINGLE_SIZE, policy: AddressPolicy | None = None
) -> tuple[bytes, str, str | None]:
    """Download a page; return its bytes, its final URL and its content type.

    Without a policy, the URL is one that the user named: its host may have a private address.
    """
    fetch = _Fetch(url, max_size, policy)
    fetch.start()
    fetch.join(TOTAL_TIMEOUT)
    if fetch.is_alive():
        raise CommandError(
            f"cannot fetch {url}: not complete after {TOTAL_TIMEOUT} seconds", UNREADABLE
        )
    if fetch.problem:
        raise CommandError(f"cannot fetch {url}: {fetch.problem}", UNREADABLE)
    return fetch.body, fetch.final_url, fetch.content_type


class _Fetch(Thread):
    """A download that can be abandoned: the timeout of a socket does not limit the total time."""

    def __init__(self, url: str, max_size: int, policy: AddressPolicy | None) -> None:
        super().__init__(daemon=True)
        self.max_size = max_size
        self.policy = policy
        self.url = self.final_url = url
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
        policy = self.policy
        if policy is None:
            policy = AddressPolicy()
            policy.ask_for(urlsplit(request.full_url).hostname or "")
        with checked_opener(policy).open(request, timeout=_READ_TIMEOUT) as response:
            self.body = response.read(self.max_size + 1)
            self.content_type = response.headers.get("Content-Type")
            self.final_url = response.url
            missing = getattr(response, "length", None)
        if len(self.body) > self.max_size:
            self.problem = f"larger than {self.max_size:,} bytes"
        elif missing:
            self.problem = (
                f"connection lost after {len(self.body):,} bytes, {missing:,} are missing"
            )
