"""From JSON lines to files for a bulk API: each article once, in its newest revision."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from newsclean.bulk.document import UnusableLineError, document_of
from newsclean.bulk.files import NumberedFiles, OneFile
from newsclean.bulk.servers import SERVERS
from newsclean.files import BrokenLineError, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from newsclean.files import Place

#: Endings by which `--out` names a file and not a folder.
FILE_ENDINGS = (".ndjson", ".jsonl")


@dataclass
class ExportResult:
    """What was written, and what was left out."""

    articles: int = 0
    older_states: int = 0
    no_articles: int = 0
    #: documents that are larger than a request should be
    oversized: int = 0
    broken: list[tuple[Place, str]] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    #: the file that describes the fields
    description: Path | None = None


def export_files(
    paths: Sequence[Path], out: Path, server_name: str, *, max_bytes: int, everything: bool = False
) -> ExportResult:
    """Write the articles of these files for a server; with `everything`, other pages as well."""
    server = SERVERS[server_name]
    result = ExportResult()
    newest = _newest_places(paths, result, everything=everything)
    is_file = out.suffix in FILE_ENDINGS
    if is_file:
        out.parent.mkdir(parents=True, exist_ok=True)
    files = OneFile(out) if is_file else NumberedFiles(out, server.ending, max_bytes)
    for place, document in _documents(paths):
        if newest.get(document["id"]) == place:
            lines = server.encode(document)
            result.oversized += len(lines) > max_bytes
            files.write(lines)
            result.articles += 1
    files.finish()
    name = server.description
    result.description = out.with_name(f"{out.stem}.{name}") if is_file else out / name
    description = json.dumps(server.describe(), ensure_ascii=False, indent=2)
    result.description.write_text(f"{description}\n", "utf-8")
    result.files = files.paths
    return result


def _newest_places(
    paths: Sequence[Path], result: ExportResult, *, everything: bool
) -> dict[str, Place]:
    """Where the newest revision of each article is: of two equal ones, the last."""
    newest: dict[str, tuple[int, Place]] = {}
    for place, line in read_lines(paths):
        if isinstance(line, BrokenLineError):
            result.broken.append((place, str(line)))
        elif line.get("is_article") is False and not everything:
            result.no_articles += 1
        else:
            try:
                document = document_of(line)
            except UnusableLineError as error:
                result.broken.append((place, str(error)))
                continue
            revision, key = document["revision"], document["id"]
            if key in newest:
                result.older_states += 1
            if key not in newest or revision >= newest[key][0]:
                newest[key] = revision, place
    return {key: place for key, (_, place) in newest.items()}


def _documents(paths: Sequence[Path]) -> Iterator[tuple[Place, dict[str, Any]]]:
    for place, line in read_lines(paths):
        if not isinstance(line, BrokenLineError):
            try:
                yield place, document_of(line)
            except UnusableLineError:  # counted before
                continue
