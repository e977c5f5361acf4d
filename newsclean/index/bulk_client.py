"""A server with the bulk API, by its official client: what OpenSearch and Elasticsearch share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from newsclean.index.clients import without_password
from newsclean.index.target import IndexTargetError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

DEFAULT_INDEX = "newsclean"
#: Seconds for one request.
TIMEOUT = 60
ALREADY_THERE = "resource_already_exists_exception"


class ServerAddress(NamedTuple):
    """Where a server is, and which of its indexes is meant."""

    url: str
    user: str | None
    password: str | None
    index_name: str

    @classmethod
    def of(cls, address: str) -> ServerAddress:
        """
        >>> ServerAddress.of("opensearch+https://me:p%40ss@search.example:9200/news")
        ServerAddress(url='https://search.example:9200', user='me', password='p@ss',
                      index_name='news')
        """
        parts = urlsplit(address.partition("+")[2])
        port = parts.port or 9200
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        index = parts.path.strip("/") or DEFAULT_INDEX
        if not host or "/" in index:
            raise IndexTargetError(
                f"{without_password(address)} is no address of an index: "
                "it is like opensearch+http://host:9200/name"
            )
        user, password = parts.username, parts.password
        return cls(
            f"{parts.scheme}://{host}:{port}",
            None if user is None else unquote(user),
            None if password is None else unquote(password),
            index,
        )


class StatusError(Exception):
    """The server has refused a request as a whole."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"it answers {status}: {reason}")
        self.status = status


class BulkClient(ABC):
    """A server's official client, without retries: what fails is sent again from the spool.

    Raises `StatusError`, or `TargetDownError` if the server does not answer.
    """

    def __init__(self, where: ServerAddress) -> None:
        login = None if where.user is None else (where.user, where.password or "")
        self._client = self._connected(where.url, login)

    def create_index(self, name: str, settings: Mapping[str, Any]) -> None:
        """Create an index unless there is one."""
        try:
            with self._server_errors():
                if not self._client.indices.exists(index=name):
                    self._create(name, settings)
        except StatusError as error:
            if ALREADY_THERE not in str(error):  # another process was faster
                raise

    def bulk(self, index: str, request: bytes) -> Mapping[str, Any]:
        """Send a request of the bulk API; the answer to it."""
        with self._server_errors():
            return self._bulk(index, request)

    def close(self) -> None:
        self._client.close()

    @abstractmethod
    def _connected(self, url: str, login: tuple[str, str] | None) -> Any:
        """The client of the server at a URL."""

    @abstractmethod
    def _create(self, name: str, settings: Mapping[str, Any]) -> None: ...

    @abstractmethod
    def _bulk(self, index: str, request: bytes) -> Mapping[str, Any]: ...

    @abstractmethod
    def _server_errors(self) -> AbstractContextManager[None]:
        """Turns the client's errors into `StatusError` and `TargetDownError`."""
