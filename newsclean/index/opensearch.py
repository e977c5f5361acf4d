"""An index in OpenSearch: `opensearch+http://host:9200/name`, by its official client."""

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
    return open_bulk_target(OpenSearchClient, address)


class OpenSearchClient(BulkClient):
    """opensearch-py."""

    def _connected(self, url: str, login: tuple[str, str] | None) -> Any:
        return import_client("opensearch").OpenSearch(
            hosts=[url], http_auth=login, timeout=TIMEOUT, max_retries=0
        )

    def _create(self, name: str, settings: Mapping[str, Any]) -> None:
        self._client.indices.create(index=name, body=dict(settings))

    def _bulk(self, index: str, request: bytes) -> Mapping[str, Any]:
        headers = {"content-type": "application/x-ndjson"}
        answer: Mapping[str, Any] = self._client.bulk(index=index, body=request, headers=headers)
        return answer

    @contextmanager
    def _server_errors(self) -> Iterator[None]:
        module = import_client("opensearch")
        try:
            yield
        except module.ConnectionError as error:  # or a timeout
            raise TargetDownError(f"the server does not answer: {error.error}") from None
        except module.TransportError as error:
            raise StatusError(int(error.status_code), f"{error.error}: {error.info}") from None
        except module.SerializationError as error:
            raise TargetDownError(f"the answer cannot be read: {error}") from None
