"""Where articles are indexed: a file by default, a server by its address."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newsclean.index.results import SearchIndex

#: The modules of index files: one writes them, one searches them.
FILE = "newsclean.index.sqlite"
SEARCHED_FILE = "newsclean.index.sqlite_search"

#: The module of each kind of server, by the scheme of its address. It is imported when it is asked
#: for, so that nobody needs the client of a server that he does not use. Each has a function
#: `open_target(address)`, and those that newsclean searches also `open_search(address)`.
SERVERS = {
    "postgresql": "newsclean.index.postgresql",
    "postgres": "newsclean.index.postgresql",
    "opensearch+http": "newsclean.index.opensearch",
    "opensearch+https": "newsclean.index.opensearch",
    "elasticsearch+http": "newsclean.index.elasticsearch",
    "elasticsearch+https": "newsclean.index.elasticsearch",
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
    module = import_module(server_module(address) or FILE)
    return cast("IndexTarget", module.open_target(address))


def open_search(address: str) -> SearchIndex:
    """The index of an address, to be searched; it must be there. Raises as `open_target`."""
    module = import_module(server_module(address) or SEARCHED_FILE)
    if not hasattr(module, "open_search"):
        scheme = address.partition("://")[0]
        raise IndexTargetError(f"{scheme}:// is searched by its own server, not by newsclean")
    return cast("SearchIndex", module.open_search(address))


def server_module(address: str) -> str | None:
    """The name of the module for the server of an address, None for the path of an index file."""
    scheme, has_scheme, _ = address.partition("://")
    if not has_scheme:
        return None
    module = SERVERS.get(scheme.lower())
    if module is None:
        known = ", ".join(f"{name}://" for name in SERVERS)
        raise IndexTargetError(
            f"{scheme}:// is no index that newsclean knows: give the path of a file, or an address "
            f"that begins with one of {known}"
        )
    return module
