"""An index in one file, by SQLite's full-text search (FTS5)."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from newsclean.index.analysis import Analyzer, analysis_version
from newsclean.index.batch import documents_of, to_be_written
from newsclean.index.copy_groups import CopyGroups
from newsclean.index.document import Document, State, document_of
from newsclean.index.near_copies import fingerprints
from newsclean.index.schema import WEIGHTS, file_errors, open_to_write
from newsclean.index.stored_lines import packed, unpacked
from newsclean.index.target import Written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

logger = logging.getLogger(__name__)

#: Articles whose words are made again at a time.
REBUILD_BATCH = 500
#: Bytes of words that FTS5 holds before it writes them.
HASH_SIZE = 32_000_000

_COLUMNS = ", ".join(WEIGHTS)
_PLACES = ", ".join("?" * len(WEIGHTS))
_ADD = f"INSERT INTO words (rowid, {_COLUMNS}) VALUES (?, {_PLACES})"
_REMOVE = f"INSERT INTO words (words, rowid, {_COLUMNS}) VALUES ('delete', ?, {_PLACES})"
_STORED = "number, id, revision, reextracted, fetched_at, digest"


def open_target(address: str) -> SqliteIndex:
    return SqliteIndex(address)


class SqliteIndex:
    """Takes articles into an index file; threads use it in turn."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = RLock()
        self._analyzer = Analyzer()
        self._connection = open_to_write(path)
        self._run = self._connection.execute
        self._groups = CopyGroups(self._connection)
        try:
            self._renew_words()
        except BaseException:
            self._connection.close()
            raise

    def write(self, articles: Sequence[Mapping[str, Any]]) -> Written:
        """Index a batch in one transaction."""
        documents, refused = documents_of(articles)
        with self._lock, self._transaction():
            known = self._known([document.id for document in documents])
            states = {name: state for name, (_, state) in known.items()}
            new, written = to_be_written(documents, states)
            self._store(new, {name: number for name, (number, _) in known.items()})
        return written + Written(refused=tuple(refused))

    def close(self) -> None:
        with self._lock, file_errors(self.path):
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with file_errors(self.path):
            self._run("BEGIN IMMEDIATE")
            try:
                yield
                self._run("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself may have rolled back
                    self._run("ROLLBACK")
                raise

    def _known(self, ids: Sequence[str]) -> dict[str, tuple[int, State]]:
        """The number and the state of those articles that the index has."""
        found = {}
        for name in ids:
            row = self._run(f"SELECT {_STORED} FROM article WHERE id = ?", (name,)).fetchone()
            if row is not None:
                number, _, revision, reextracted, fetched_at, digest = row
                found[name] = number, State(revision, bool(reextracted), fetched_at, digest)
        return found

    def _store(self, documents: Sequence[Document], numbers: Mapping[str, int]) -> None:
        """Write documents, in place of those that have their ids."""
        (highest,) = self._run("SELECT coalesce(max(number), 0) FROM article").fetchone()
        stored = []
        for document in documents:
            number = numbers.get(document.id)
            if number is None:
                number = highest = highest + 1
            else:
                self._forget(number)
            self._insert(number, document)
            stored.append((number, document))
        self._add_words(stored)

    def _insert(self, number: int, document: Document) -> None:
        state = document.state
        self._run(
            f"INSERT INTO article VALUES ({', '.join('?' * 14)})",
            (
                number,
                document.id,
                state.revision,
                state.reextracted,
                state.fetched_at,
                state.digest,
                document.url,
                document.site,
                document.section,
                document.language,
                document.title,
                document.date,
                document.published,
                number,
            ),
        )
        self._run("INSERT INTO line VALUES (?, ?)", (number, packed(document.line)))

    def _add_words(self, documents: Sequence[tuple[int, Document]]) -> None:
        """Make the articles searchable, and find their near copies."""
        terms = [self._terms(document) for _, document in documents]
        prints = fingerprints([columns["body"].split() for columns in terms])
        for (number, document), columns, fingerprint in zip(documents, terms, prints, strict=True):
            self._run(_ADD, (number, *columns.values()))
            self._groups.join(number, fingerprint)
            if language := document.stemmed_language:
                self._run("INSERT OR IGNORE INTO stemmed_language VALUES (?)", (language,))

    def _forget(self, number: int) -> None:
        """Remove an article. FTS5 must be given the words that it removes: they are made again."""
        self._groups.leave(number)
        (line,) = self._run("SELECT line FROM line WHERE number = ?", (number,)).fetchone()
        self._run(_REMOVE, (number, *self._terms(document_of(unpacked(line))).values()))
        self._run("DELETE FROM line WHERE number = ?", (number,))
        self._run("DELETE FROM article WHERE number = ?", (number,))

    def _terms(self, document: Document) -> dict[str, str]:
        """The columns of the full-text table, in their order."""
        language = document.stemmed_language
        headline = self._analyzer.terms(document.headline, language)
        body = self._analyzer.terms(document.body, language)
        columns = {
            "headline": headline.words,
            "body": body.words,
            "headline_stems": headline.stems,
            "body_stems": body.stems,
            "authors": self._analyzer.terms(document.authors, "").words,
            "keywords": self._analyzer.terms(document.keywords, "").words,
            "language": [language],
        }
        return {name: " ".join(columns[name]) for name in WEIGHTS}

    def _renew_words(self) -> None:
        """Make all words again if they are of another analysis than this newsclean's."""
        with self._transaction():
            row = self._run("SELECT value FROM fact WHERE name = 'analysis'").fetchone()
            if row is not None and row[0] == analysis_version():
                return
            self._run("INSERT OR REPLACE INTO fact VALUES ('analysis', ?)", (analysis_version(),))
            self._run("INSERT INTO words (words, rank) VALUES ('hashsize', ?)", (HASH_SIZE,))
            if row is None:
                return
            logger.info("%s: words and fingerprints are made again (%s)", self.path, row[0])
            self._run("INSERT INTO words (words) VALUES ('delete-all')")
            for table in ("band", "fingerprint", "stemmed_language"):
                self._run(f"DELETE FROM {table}")
            self._run("UPDATE article SET copies = number")
            last = 0
            while rows := self._run(
                "SELECT number, line FROM line WHERE number > ? ORDER BY number LIMIT ?",
                (last, REBUILD_BATCH),
            ).fetchall():
                last = rows[-1][0]
                self._add_words([(number, document_of(unpacked(line))) for number, line in rows])
