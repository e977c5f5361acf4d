"""The bulk API that OpenSearch and Elasticsearch share: what is sent, and what the answers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from newsclean.bulk.document import UnusableLineError, document_of
from newsclean.bulk.lucene import action_of, index_settings, source_of
from newsclean.bulk.servers import encode_line
from newsclean.index.bulk_client import ServerAddress, StatusError
from newsclean.index.target import IndexTargetError, Refused, TargetDownError, Written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from newsclean.index.bulk_client import BulkClient

#: Bytes of one request; servers refuse more than 100 MB, and work best with far less.
MAX_REQUEST = 10_000_000
#: The server has too much to do, or cannot be reached through what is before it.
BUSY = (429, 502, 503, 504)
CONFLICT, TOO_LARGE = 409, 413


def open_bulk_target(client_class: type[BulkClient], address: str) -> BulkTarget:
    """The index of an address; it is created if there is none."""
    where = ServerAddress.of(address)
    client = client_class(where)
    try:
        return BulkTarget(client, where.index_name)
    except BaseException:
        client.close()
        raise


class Operation(NamedTuple):
    """One article in a request."""

    #: its place in the batch
    place: int
    lines: bytes


class BulkTarget:
    """An index on a server with the bulk API."""

    def __init__(self, client: BulkClient, index: str) -> None:
        self._client = client
        self._index = index
        try:
            client.create_index(index, index_settings())
        except StatusError as error:
            raise self._error(error) from None

    def write(self, articles: Sequence[Mapping[str, Any]]) -> Written:
        operations: list[Operation] = []
        refused: list[Refused] = []
        for place, article in enumerate(articles):
            try:
                document = document_of(article)
            except UnusableLineError as error:
                refused.append(Refused(place, str(error)))
            else:
                lines = encode_line(action_of(document)) + encode_line(source_of(document))
                operations.append(Operation(place, lines))
        written = Written(refused=tuple(refused))
        for request in requests_of(operations):
            written += self._send(request)
        return written

    def close(self) -> None:
        self._client.close()

    def _send(self, operations: Sequence[Operation]) -> Written:
        try:
            answer = self._client.bulk(self._index, b"".join(each.lines for each in operations))
        except StatusError as error:
            if error.status != TOO_LARGE:
                raise self._error(error) from None
            if len(operations) == 1:
                return Written(refused=(Refused(operations[0].place, "too large for the server"),))
            half = len(operations) // 2
            return self._send(operations[:half]) + self._send(operations[half:])
        return read_answer(answer, operations)

    def _error(self, error: StatusError) -> IndexTargetError | TargetDownError:
        if error.status in BUSY:
            return TargetDownError(f"the server is busy: {error}")
        return IndexTargetError(f"the server refuses the index {self._index}: {error}")


def requests_of(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    """The operations in requests that are small enough; one that is larger alone goes alone."""
    request: list[Operation] = []
    size = 0
    for operation in operations:
        if request and size + len(operation.lines) > MAX_REQUEST:
            yield request
            request, size = [], 0
        request.append(operation)
        size += len(operation.lines)
    if request:
        yield request


def read_answer(answer: Mapping[str, Any], operations: Sequence[Operation]) -> Written:
    """What has become of each operation, by its own status.

    A version conflict means that the index has the same revision or a newer one. If the server was
    too busy for some, all of them are sent again later: the others are then such conflicts.
    """
    items = answer.get("items")
    if not isinstance(items, list) or len(items) != len(operations):
        raise TargetDownError("the answer does not fit the request")
    new = changed = same = 0
    refused = []
    for item, operation in zip(items, operations, strict=True):
        result: Mapping[str, Any] = next(iter(item.values()))
        status = result.get("status")
        if status == 201:
            new += 1
        elif status == 200:
            changed += 1
        elif status == CONFLICT:
            same += 1
        elif status in BUSY:
            raise TargetDownError(f"the server is busy: {_reason(result)}")
        elif status == 404:  # the index was removed: opened again, it is created again
            raise IndexTargetError(_reason(result))
        else:
            refused.append(Refused(operation.place, f"{status}: {_reason(result)}"))
    return Written(new=new, changed=changed, same=same, refused=tuple(refused))


def _reason(result: Mapping[str, Any]) -> str:
    error = result.get("error")
    if isinstance(error, dict):
        return f"{error.get('type')}: {error.get('reason')}"
    return str(error)
