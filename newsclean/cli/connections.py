"""HTTP connections of the command line, to no private address that nobody asked for."""

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


def opener(policy: AddressPolicy) -> OpenerDirector:
    """What opens URLs and follows redirects, over http and https alone.

    Proxies of the environment count as asked for; which address a host behind a proxy has, is not
    known here.
    """
    for proxy in getproxies().values():
        policy.ask_for(urlsplit(proxy if "://" in proxy else f"//{proxy}").hostname or "")
    director = OpenerDirector()
    for handler in (
        ProxyHandler(),
        CheckedHTTPHandler(policy),
        CheckedHTTPSHandler(policy),
        HTTPDefaultErrorHandler(),
        HTTPRedirectHandler(),
        HTTPErrorProcessor(),
        UnknownHandler(),
    ):
        director.add_handler(handler)
    return director


class CheckedHTTPHandler(HTTPHandler):
    def __init__(self, policy: AddressPolicy) -> None:
        super().__init__()
        self.policy = policy

    def http_open(self, req: Request) -> HTTPResponse:
        def connection(host: str, **options: Any) -> HTTPConnection:
            return _checked(HTTPConnection(host, **options), self.policy)

        return self.do_open(connection, req)


class CheckedHTTPSHandler(HTTPSHandler):
    def __init__(self, policy: AddressPolicy) -> None:
        super().__init__()
        self.policy = policy

    def https_open(self, req: Request) -> HTTPResponse:
        def connection(host: str, **options: Any) -> HTTPConnection:
            return _checked(HTTPSConnection(host, **options), self.policy)

        return self.do_open(connection, req)


def _checked(connection: HTTPConnection, policy: AddressPolicy) -> HTTPConnection:
    def connect(address: tuple[str, int], timeout: float, source: Any = None) -> socket.socket:
        return connect_checked(policy, *address, timeout)

    connection._create_connection = connect  # type: ignore[attr-defined]
    return connection


def connect_checked(policy: AddressPolicy, host: str, port: int, timeout: float) -> socket.socket:
    """A socket to the first of a host's addresses that may be connected to and answers."""
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
