"""Where articles are indexed: a file by default, a server by its address."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newsclean.apps.search.search_results import SearchIndex

#: The module of index files, and that of each kind of server, by the scheme of its address. Each
#: has a function `open_target(address)`, and those that newsclean searches `open_search(address)`.
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
    """The target cannot take articles as it is: another try would fail as well."""


class TargetDownError(Exception):
    """The target does not answer, or is busy: nothing of the batch was written; try again later."""


@dataclass(frozen=True)
class Refused:
    """An article that cannot be indexed, and why."""

    #: its place in the batch, from 0
    place: int
    reason: str


@dataclass(frozen=True)
class Written:
    """What has become of the articles of one batch, or of several."""

    #: articles that the index did not have
    new: int = 0
    #: articles of which it had another state before
    changed: int = 0
    #: articles that it had as they are
    same: int = 0
    #: states that are older than what it had
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
    """Takes articles; each batch is written whole, or not at all."""

    def write(self, articles: Sequence[Mapping[str, Any]]) -> Written:
        """Index exported articles, each as the object of its JSON line.

        An article is known by its `id`. A newer `revision` replaces the one that the index has, an
        older one is passed over, the same one changes nothing. What cannot be indexed is among the
        `refused`, and the others are written. Raises `TargetDownError` or `IndexTargetError`.
        """
        ...

    def close(self) -> None: ...


def open_target(address: str) -> IndexTarget:
    """The target of an address: the path of an index file, or a server as `postgresql://…`.

    Raises `IndexTargetError` if there is no such target, `TargetDownError` if it does not answer.
    """
    return cast("IndexTarget", import_module(_module_of(address)).open_target(address))


def open_search(address: str) -> SearchIndex:
    """The index of an address, to be searched; it must be there. Raises as `open_target`."""
    module = import_module(_module_of(address))
    if not hasattr(module, "open_search"):
        scheme = address.partition("://")[0]
        raise IndexTargetError(f"{scheme}:// is searched by its own server, not by newsclean")
    return cast("SearchIndex", module.open_search(address))


def check_address(address: str) -> None:
    """Refuse an address that no target can have; whether the target answers is seen later."""
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
            "an index in postgresql needs psycopg: pip install 'newsclean[postgresql]'"
        )


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


def _module_of(address: str) -> str:
    scheme, has_scheme, _ = address.partition("://")
    if not has_scheme:
        return FILE
    module = _SERVERS.get(scheme.lower())
    if module is None:
        known = ", ".join(f"{name}://" for name in _SERVERS)
        raise IndexTargetError(
            f"{scheme}:// is no index that newsclean knows: give the path of a file, or an address "
            f"that begins with one of {known}"
        )
    return module
