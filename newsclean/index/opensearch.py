"""An index in OpenSearch: `opensearch+http://host:9200/name`, by its official client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsclean.index.bulk_api import TIMEOUT, BulkTarget, ServerAddress, StatusError
from newsclean.index.clients import import_client
from newsclean.index.target import TargetDownError

if TYPE_CHECKING:
    from collections.abc import Mapping

ALREADY_THERE = "resource_already_exists_exception"


def open_target(address: str) -> BulkTarget:
    """The index of an address; it is created if there is none."""
    where = ServerAddress.of(address)
    client = OpenSearchClient(where)
    try:
        return BulkTarget(client, where.index_name)
    except BaseException:
        client.close()
        raise


class OpenSearchClient:
    """opensearch-py, without tries of its own: what fails is sent again from the spool."""

    def __init__(self, where: ServerAddress) -> None:
        self._module = import_client("opensearch")
        login = None if where.user is None else (where.user, where.password or "")
        self._client = self._module.OpenSearch(
            hosts=[where.url], http_auth=login, timeout=TIMEOUT, max_retries=0
        )

    def create_index(self, name: str, settings: Mapping[str, Any]) -> None:
        try:
            if not self._call(self._client.indices.exists, index=name):
                self._call(self._client.indices.create, index=name, body=dict(settings))
        except StatusError as error:
            if ALREADY_THERE not in str(error):  # another process was faster
                raise

    def bulk(self, index: str, request: bytes) -> Mapping[str, Any]:
        headers = {"content-type": "application/x-ndjson"}
        answer: Mapping[str, Any] = self._call(
            self._client.bulk, index=index, body=request, headers=headers
        )
        return answer

    def close(self) -> None:
        self._client.close()

    def _call(self, method: Any, **arguments: Any) -> Any:
        try:
            return method(**arguments)
        except self._module.ConnectionError as error:  # or a timeout
            raise TargetDownError(f"the server does not answer: {error.error}") from None
        except self._module.TransportError as error:
            raise StatusError(int(error.status_code), f"{error.error}: {error.info}") from None
        except self._module.SerializationError as error:
            raise TargetDownError(f"the answer cannot be read: {error}") from None
