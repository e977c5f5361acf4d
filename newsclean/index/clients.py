"""The clients of servers, which only those need who use the server."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from newsclean.index.target import IndexTargetError, server_module

#: The extra of newsclean with the client of each kind of server, and the client's module.
CLIENTS = {
    "postgresql": "psycopg",
    "opensearch": "opensearchpy",
    "elasticsearch": "elasticsearch",
}


def import_client(extra: str) -> Any:
    """The module of a client; raises `IndexTargetError` that names the extra if it is missing."""
    check_client(extra)
    return import_module(CLIENTS[extra])


def check_client(extra: str) -> None:
    if find_spec(CLIENTS[extra]) is None:
        raise IndexTargetError(
            f"an index in {extra} needs {CLIENTS[extra]}: pip install 'newsclean[{extra}]'"
        )


def check_address(address: str) -> None:
    """Refuse an address that no target can have; whether the target answers is seen later."""
    module = server_module(address)
    if module is None:
        return
    try:
        _ = urlsplit(address).port
    except ValueError as error:
        raise IndexTargetError(f"{without_password(address)}: {error}") from None
    check_client(module.rpartition(".")[2])


def without_password(address: str) -> str:
    """An address as logs may show it.

    >>> without_password("postgresql://news:secret@db.example/articles?sslmode=require")
    'postgresql://db.example/articles'
    >>> without_password("index.db")
    'index.db'
    """
    scheme, has_scheme, rest = address.partition("://")
    if not has_scheme:
        return address
    place = rest.partition("?")[0].partition("#")[0]
    host, slash, path = place.partition("/")
    if "@" in path and "@" not in host:  # a password with a slash
        host, slash, path = place.rpartition("@")[2].partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"
