"""The index file beside a plain FTS5 table and tantivy: the same lines, the same queries, one run.

The plain table and tantivy have one analyzer for all languages, no states of an article, no near
copies and no filters: they show what the rest costs. Each answer has ten results with headline and
snippet. tantivy is needed only here (`pip install tantivy`).

python benchmarks/search_compared.py --articles 20000
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tantivy
from generated_articles import Generator
from rich.console import Console
from rich.table import Table
from search import make, queries

from newsclean.apps.search import SearchRequest, open_search, open_target

BATCH = 1000
LIMIT = 10
#: The kinds of queries that all three understand.
KINDS = (
    "a rare word",
    "a common word",
    "three words of an article",
    "a phrase of four words",
    "a beginning, as ver*",
)

Ask = Callable[[str], int]


def batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    with path.open("rb") as file:
        for raw in file:
            batch.append(json.loads(raw))
            if len(batch) == BATCH:
                yield batch
                batch = []
    yield batch


class IndexFile:
    name = "index file"

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "index.sqlite")

    def index(self, lines: Path) -> None:
        target = open_target(self.path)
        for batch in batches(lines):
            target.write(batch)
        target.close()

    def opened(self) -> Ask:
        index = open_search(self.path)
        return lambda query: len(index.search(SearchRequest(query, limit=LIMIT)).hits)


class PlainFts5:
    name = "plain FTS5"

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "plain.sqlite")

    def index(self, lines: Path) -> None:
        connection = sqlite3.connect(self.path, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (id UNINDEXED, headline, body)")
        for batch in batches(lines):
            connection.execute("BEGIN")
            rows = [(line["id"], line["headline"], line["body"]) for line in batch]
            connection.executemany("INSERT INTO words VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")
        connection.close()

    def opened(self) -> Ask:
        connection = sqlite3.connect(self.path)
        sql = (
            "SELECT id, headline, snippet(words, 2, '[', ']', '…', 30) FROM words "
            "WHERE words MATCH ? ORDER BY rank LIMIT ?"
        )
        return lambda query: len(connection.execute(sql, (query, LIMIT)).fetchall())


class Tantivy:
    name = "tantivy"

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tantivy"

    def index(self, lines: Path) -> None:
        self.path.mkdir()
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        builder.add_text_field("headline", stored=True)
        builder.add_text_field("body", stored=True)
        index = tantivy.Index(builder.build(), path=str(self.path))
        writer = index.writer()
        for batch in batches(lines):
            for line in batch:
                writer.add_document(
                    tantivy.Document(id=line["id"], headline=line["headline"], body=line["body"])
                )
            writer.commit()
        writer.wait_merging_threads()

    def opened(self) -> Ask:
        index = tantivy.Index.open(str(self.path))
        searcher = index.searcher()

        def ask(query: str) -> int:
            if query.endswith("*"):
                parsed = tantivy.Query.regex_query(index.schema, "body", f"{query[:-1]}.*")
            else:
                parsed = index.parse_query(query, ["headline", "body"], conjunction_by_default=True)
            found = searcher.search(parsed, LIMIT).hits
            snippets = tantivy.SnippetGenerator.create(searcher, parsed, index.schema, "body")
            for _, address in found:
                snippets.snippet_from_doc(searcher.doc(address)).fragment()
            return len(found)

        return ask


def answer_times(ask: Ask, asked: Sequence[str]) -> list[float]:
    """Milliseconds of processor time for each query."""
    times = []
    for query in asked:
        start = time.process_time()
        ask(query)
        times.append(1000 * (time.process_time() - start))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--articles", type=int, default=20_000)
    options = parser.parse_args()
    console = Console(width=110)
    with tempfile.TemporaryDirectory() as name:
        folder, generator = Path(name), Generator()
        made = make(folder / "articles.jsonl", options.articles, generator)
        by_kind: dict[str, list[str]] = {kind: [] for kind in KINDS}
        for kind, request in queries(made, generator):
            if kind in by_kind:
                by_kind[kind].append(request.query)
        table = Table("", *(engine.name for engine in (IndexFile, PlainFts5, Tantivy)))
        speeds, answers = [], []
        for engine_class in (IndexFile, PlainFts5, Tantivy):
            engine = engine_class(folder)
            start = time.process_time()
            engine.index(made.path)
            speeds.append(made.articles / (time.process_time() - start))
            ask = engine.opened()
            answers.append({kind: answer_times(ask, asked) for kind, asked in by_kind.items()})
        table.add_row("lines per processor second", *(f"{speed:,.0f}" for speed in speeds))
        for kind in KINDS:
            times = (of_engine[kind] for of_engine in answers)
            table.add_row(f"{kind}, ms", *(f"{np.median(each):.1f}" for each in times))
        console.print(table)


if __name__ == "__main__":
    main()
