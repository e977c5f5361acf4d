"""Download one page: complete, limited in size and time, from no private address.

Of private addresses, only those that the user names are connected to.
"""

from __future__ import annotations

import socket
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
    getproxies,
)

from w3lib.url import safe_url_string

from newsclean import __version__
from newsclean.cli.terminal import UNREADABLE, CommandError
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
        with _opener(policy).open(request, timeout=_READ_TIMEOUT) as response:
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


def _opener(policy: AddressPolicy) -> OpenerDirector:
    """Return an opener of http and https URLs that follows redirects.

    The proxies of the environment are allowed; the address of a host behind a proxy is unknown.
    """
    for proxy in getproxies().values():
        policy.ask_for(urlsplit(proxy if "://" in proxy else f"//{proxy}").hostname or "")
    director = OpenerDirector()
    for handler in (
        ProxyHandler(),
        _CheckedHTTPHandler(policy),
        _CheckedHTTPSHandler(policy),
        HTTPDefaultErrorHandler(),
        HTTPRedirectHandler(),
        HTTPErrorProcessor(),
        UnknownHandler(),
    ):
        director.add_handler(handler)
    return director


class _CheckedHTTPHandler(HTTPHandler):
    def __init__(self, policy: AddressPolicy) -> None:
        super().__init__()
        self.policy = policy

    def http_open(self, req: Request) -> HTTPResponse:
        def connection(host: str, **options: Any) -> HTTPConnection:
            return _checked(HTTPConnection(host, **options), self.policy)

        return self.do_open(connection, req)


class _CheckedHTTPSHandler(HTTPSHandler):
    def __init__(self, policy: AddressPolicy) -> None:
        super().__init__()
        self.policy = policy

    def https_open(self, req: Request) -> HTTPResponse:
        def connection(host: str, **options: Any) -> HTTPConnection:
            return _checked(HTTPSConnection(host, **options), self.policy)

        return self.do_open(connection, req)


def _checked(connection: HTTPConnection, policy: AddressPolicy) -> HTTPConnection:
    def connect(address: tuple[str, int], timeout: float, source: Any = None) -> socket.socket:
        return _connect_checked(policy, *address, timeout)

    connection._create_connection = connect  # type: ignore[attr-defined]
    return connection


def _connect_checked(policy: AddressPolicy, host: str, port: int, timeout: float) -> socket.socket:
    """Connect to the first address of a host that is allowed and answers."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    refused = policy.refused(host, {ip_address(sockaddr[0]) for *_, sockaddr in found})
    failure = OSError(
        f"{host} ({', '.join(sorted(map(str, refused)))}) is not a public address, "
        "and nobody asked for it"
    )
    for family, kind, protocol, _, sockaddr in found:
        if ip_address(sockaddr[0]) in refused:
            continue
        connected = socket.socket(family, kind, protocol)
        connected.settimeout(timeout)
        try:
            connected.connect(sockaddr)
        except OSError as error:
            connected.close()
            failure = error
        else:
            return connected
    raise failure
