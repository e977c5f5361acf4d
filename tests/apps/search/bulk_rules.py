"""What the pages "Bulk API" of OpenSearch and Elasticsearch say of a request, as checks of it."""

from __future__ import annotations

import json
from typing import Any

#: Actions of the bulk API, and whether a source follows.
ACTIONS = {"index": True, "create": True, "update": True, "delete": False}
VERSION_TYPES = ("internal", "external", "external_gte")
MAX_ID = 512  # bytes


class RuleError(ValueError):
    """A request that the server would refuse as a whole."""


def lines_of(request: bytes) -> list[Any]:
    """The objects of newline-delimited JSON; the last line ends with a newline, too."""
    if not request.endswith(b"\n"):
        raise RuleError("the request must be terminated by a newline")
    return [json.loads(line, parse_constant=_refuse) for line in request[:-1].split(b"\n")]


def bulk_pairs(request: bytes) -> list[tuple[str, dict[str, Any], dict[str, Any] | None]]:
    """The actions of a bulk request: name, metadata and source."""
    lines = iter(lines_of(request))
    pairs = []
    for action in lines:
        if not isinstance(action, dict) or len(action) != 1:
            raise RuleError(f"not an action: {action!r}")
        ((name, meta),) = action.items()
        if name not in ACTIONS:
            raise RuleError(f"no such action: {name}")
        unknown = set(meta) - {"_index", "_id", "version", "version_type", "routing"}
        if unknown:
            raise RuleError(f"unknown parameters: {unknown}")
        if len(meta["_id"].encode()) > MAX_ID:
            raise RuleError("id is too long")
        if meta.get("version_type", "internal") not in VERSION_TYPES:
            raise RuleError(f"no such version type: {meta['version_type']}")
        if meta.get("version_type", "internal") != "internal":
            version = meta.get("version")
            if not isinstance(version, int) or not 0 <= version < 2**63:
                raise RuleError(f"illegal version value: {version!r}")
        source = next(lines, None) if ACTIONS[name] else None
        if ACTIONS[name] and not isinstance(source, dict):
            raise RuleError("an action without its source")
        pairs.append((name, meta, source))
    return pairs


def _refuse(constant: str) -> None:
    raise RuleError(f"{constant} is not JSON")
