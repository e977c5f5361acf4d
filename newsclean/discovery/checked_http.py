"""HTTP connections to allowed addresses only: each is checked after its host is resolved."""

from __future__ import annotations

import socket
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
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

if TYPE_CHECKING:
    from newsclean.discovery.public_addresses import AddressPolicy


def checked_opener(policy: AddressPolicy) -> OpenerDirector:
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
