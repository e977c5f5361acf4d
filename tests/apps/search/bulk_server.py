"""A small server that answers bulk requests by the published rules of OpenSearch and Elasticsearch.

It is neither of them: it knows whether requests are well formed, which versions its documents have,
and which statuses the rules ask for. How far the targets are tested is what it checks.
"""

from __future__ import annotations

import json
import threading
from base64 import b64decode
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from .bulk_rules import RuleError, bulk_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What both servers take as newline-delimited JSON.
CONTENT_TYPE = "application/x-ndjson"


@dataclass
class BulkServer:
    """Indexes with their documents, each with its version and its source."""

    host: str
    indexes: dict[str, dict[str, tuple[int, dict[str, Any]]]] = field(default_factory=dict)
    #: what created each index
    settings: dict[str, Any] = field(default_factory=dict)
    #: the rules that were broken
    broken_rules: list[str] = field(default_factory=list)
    #: statuses for the next bulk requests as a whole
    statuses: list[int] = field(default_factory=list)
    #: statuses for the next actions of bulk requests; None: as usual
    item_statuses: list[int | None] = field(default_factory=list)
    max_request: int = 100_000_000
    login: str | None = None
    bulk_requests: int = 0

    def documents(self, index: str = "newsclean") -> dict[str, dict[str, Any]]:
        return {key: source for key, (_, source) in self.indexes.get(index, {}).items()}

    def bulk(self, index: str, request: bytes) -> dict[str, Any]:
        items = []
        for name, meta, source in bulk_pairs(request):
            assert source is not None
            assert meta.get("version_type") == "external"
            status = self.item_statuses.pop(0) if self.item_statuses else None
            result = self._index(index, meta, source) if status is None else _failed(status)
            items.append({name: {"_index": index, "_id": meta["_id"], **result}})
        errors = any("error" in result for item in items for result in item.values())
        return {"took": 1, "errors": errors, "items": items}

    def _index(self, index: str, meta: dict[str, Any], source: dict[str, Any]) -> dict[str, Any]:
        if index not in self.indexes:
            return _failed(404, "index_not_found_exception")
        documents, key, version = self.indexes[index], meta["_id"], meta["version"]
        known = documents.get(key)
        if known is not None and known[0] >= version:
            return _failed(409, "version_conflict_engine_exception")
        documents[key] = version, source
        return {"status": 201 if known is None else 200, "_version": version}


def _failed(status: int, kind: str = "es_rejected_execution_exception") -> dict[str, Any]:
    return {"status": status, "error": {"type": kind, "reason": "as the test wants"}}


@contextmanager
def serve_bulk() -> Iterator[BulkServer]:
    """The server on a free port, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(200 if self.path.strip("/") in server.indexes else 404, None)

        def do_PUT(self) -> None:
            name, body = self.path.strip("/"), json.loads(self._body())
            if name in server.indexes:
                return self._refuse(400, "resource_already_exists_exception")
            unknown = set(body) - {"settings", "mappings", "aliases"}
            if unknown:
                return self._refuse(400, f"unknown key {unknown}")
            server.indexes[name] = {}
            server.settings[name] = body
            return self._answer(200, {"acknowledged": True, "index": name})

        def do_POST(self) -> None:
            body = self._body()
            if server.login is not None and self._login() != server.login:
                return self._refuse(401, "security_exception")
            index, _, name = self.path.partition("?")[0].strip("/").partition("/")
            if name != "_bulk":
                return self._refuse(400, f"no handler found for {self.path}")
            server.bulk_requests += 1
            if server.statuses:
                return self._refuse(server.statuses.pop(0), "as the test wants")
            if len(body) > server.max_request:
                return self._refuse(413, "content too long")
            kind = self.headers["Content-Type"].partition(";")[0]
            try:
                if kind != CONTENT_TYPE:
                    raise RuleError(f"Content-Type header [{kind}] is not supported")
                answer = server.bulk(index, body)
            except (RuleError, ValueError, KeyError, AssertionError) as error:
                server.broken_rules.append(f"{type(error).__name__}: {error}")
                return self._refuse(400, str(error))
            return self._answer(200, answer)

        def _login(self) -> str:
            return b64decode((self.headers["Authorization"] or "").removeprefix("Basic ")).decode()

        def _body(self) -> bytes:
            return self.rfile.read(int(self.headers["Content-Length"] or 0))

        def _refuse(self, status: int, reason: str) -> None:
            self._answer(status, {"error": {"type": reason, "reason": reason}, "status": status})

        def _answer(self, status: int, value: Any) -> None:
            body = b"" if value is None else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server = BulkServer(f"127.0.0.1:{http.server_port}")
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
