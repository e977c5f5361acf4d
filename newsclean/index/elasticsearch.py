"""An index in Elasticsearch: `elasticsearch+http://host:9200/name`, by its official client."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from newsclean.index.bulk_api import open_bulk_target
from newsclean.index.bulk_client import TIMEOUT, BulkClient, StatusError
from newsclean.index.clients import import_client
from newsclean.index.target import TargetDownError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from newsclean.index.bulk_api import BulkTarget


def open_target(address: str) -> BulkTarget:
    return open_bulk_target(ElasticsearchClient, address)


class ElasticsearchClient(BulkClient):
    """elasticsearch-py."""

    def _connected(self, url: str, login: tuple[str, str] | None) -> Any:
        return import_client("elasticsearch").Elasticsearch(
            url, basic_auth=login, request_timeout=TIMEOUT, max_retries=0
        )

    def _create(self, name: str, settings: Mapping[str, Any]) -> None:
        self._client.indices.create(index=name, **settings)

    def _bulk(self, index: str, request: bytes) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = self._client.bulk(index=index, operations=[request]).body
        return answer

    @contextmanager
    def _server_errors(self) -> Iterator[None]:
        module = import_client("elasticsearch")
        try:
            yield
        except module.ApiError as error:
            raise StatusError(error.meta.status, str(error)) from None
        except module.TransportError as error:  # no connection, a timeout, no JSON
            raise TargetDownError(f"the server does not answer: {error}") from None
