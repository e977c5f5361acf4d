"""The servers for which files can be written, and what each of them takes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from newsclean.bulk import lucene, meilisearch, typesense

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Server:
    """What one server takes."""

    #: the objects for one document, each a line
    lines: Callable[[Mapping[str, Any]], list[dict[str, Any]]]
    #: the ending of the files
    ending: str
    #: the file that describes the fields, and what is in it
    description: str
    describe: Callable[[], dict[str, Any]]

    def encode(self, document: Mapping[str, Any]) -> bytes:
        """The lines of a document, each with its end."""
        return b"".join(encode_line(each) for each in self.lines(document))


def encode_line(value: Mapping[str, Any]) -> bytes:
    """An object as one line: JSON has no line feed outside of its texts, and `\\n` in them."""
    packed = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return packed.encode() + b"\n"


def _action_and_source(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [lucene.action_of(document), lucene.source_of(document)]


_LUCENE = Server(_action_and_source, "ndjson", "index.json", lucene.index_settings)

SERVERS = {
    "opensearch": _LUCENE,
    "elasticsearch": _LUCENE,
    "meilisearch": Server(
        lambda document: [meilisearch.with_seconds(document)],
        "ndjson",
        "settings.json",
        meilisearch.index_settings,
    ),
    "typesense": Server(
        lambda document: [typesense.import_document(document)],
        "jsonl",
        "schema.json",
        typesense.collection_schema,
    ),
}
