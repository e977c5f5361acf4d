"""Index targets: a file by default, or a server by its URL."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import urlsplit

from newsclean.error_hints import install_command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newsclean.apps.search.search_results import SearchIndex

#: The module of index files, and the modules of servers by URL scheme. Each has a function
#: `open_target(address)`; those that newsclean can search also have `open_search(address)`.
FILE = "newsclean.apps.search.index_file"
_SERVERS = {
    "postgresql": "newsclean.apps.search.postgresql_index",
    "postgres": "newsclean.apps.search.postgresql_index",
    "opensearch+http": "newsclean.apps.search.bulk_api",
    "opensearch+https": "newsclean.apps.search.bulk_api",
    "elasticsearch+http": "newsclean.apps.search.bulk_api",
    "elasticsearch+https": "newsclean.apps.search.bulk_api",
}


class IndexTargetError(Exception):
    """The target cannot be used; a retry would fail as well."""


class TargetDownError(Exception):
    """The target does not answer or is busy. Nothing of the batch was written; retry later."""


@dataclass(frozen=True)
class Refused:
    """An article that cannot be indexed, and why."""

    #: index in the batch
    place: int
    reason: str


@dataclass(frozen=True)
class Written:
    """How many articles of one or more batches were added, changed or skipped."""

    new: int = 0
    changed: int = 0
    same: int = 0
    #: skipped because the index has a newer state
    older: int = 0
    refused: tuple[Refused, ...] = ()

    def __add__(self, other: Written) -> Written:
        """
        >>> Written(new=1) + Written(new=2, same=1)
        Written(new=3, changed=0, same=1, older=0, refused=())
        """
        return Written(
            self.new + other.new,
            self.changed + other.changed,
            self.same + other.same,
            self.older + other.older,
            self.refused + other.refused,
        )


class IndexTarget(Protocol):
    """Stores articles; each batch is written completely or not at all."""

    def write(self, articles: Sequence[Mapping[str, Any]]) -> Written:
        """Index exported articles, each as the object of its JSON line.

        Articles are identified by `id`. A newer `revision` replaces the one in the index, an older
        one is skipped, and the same one changes nothing. Articles that cannot be indexed are
        returned in `refused`. Raise `TargetDownError` or `IndexTargetError`.
        """
        ...

    def close(self) -> None: ...


def open_target(address: str) -> IndexTarget:
    """Open the target at a path, or on a server such as `postgresql://…`.

    Raise `IndexTargetError` if the target is invalid, `TargetDownError` if it does not answer.
    """
    return cast("IndexTarget", import_module(_module_of(address)).open_target(address))


def open_search(address: str) -> SearchIndex:
    """Open an existing index for searching; raise like `open_target`."""
    module = import_module(_module_of(address))
    if not hasattr(module, "open_search"):
        scheme = address.partition("://")[0]
        raise IndexTargetError(
            f"{scheme}:// cannot be searched by newsclean: search on the server itself"
        )
    return cast("SearchIndex", module.open_search(address))


def check_address(address: str) -> None:
    """Raise `IndexTargetError` for an invalid address, without connecting to it."""
    module = _module_of(address)
    if module == FILE:
        return
    try:
        _ = urlsplit(address).port
    except ValueError as error:
        raise IndexTargetError(f"{without_password(address)}: {error}") from None
    if address.startswith("postgres"):
        _check_postgresql_client()


def _check_postgresql_client() -> None:
    if find_spec("psycopg") is None:
        raise IndexTargetError(
            f"an index in postgresql needs psycopg: {install_command('postgresql')}"
        )


def without_password(address: str) -> str:
    """Return an address without user name, password and options, for logs.

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


def _module_of(address: str) -> str:
    scheme, has_scheme, _ = address.partition("://")
    if not has_scheme:
        return FILE
    module = _SERVERS.get(scheme.lower())
    if module is None:
        known = ", ".join(f"{name}://" for name in _SERVERS)
        raise IndexTargetError(
            f"{scheme}:// is not a known kind of index: give the path of a file, or a URL that "
            f"begins with one of {known}"
        )
    return module
