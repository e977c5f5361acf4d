"""An index in PostgreSQL: `postgresql://user@host/database`, in a schema of its own there."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any

from newsclean.bulk.document import storable_text
from newsclean.index.analysis import Analyzer, analysis_version
from newsclean.index.batch import documents_of, to_be_written
from newsclean.index.clients import without_password
from newsclean.index.document import Document, State, document_of
from newsclean.index.near_copies import fingerprints
from newsclean.index.postgresql_copies import PostgresqlCopies
from newsclean.index.postgresql_search import PostgresqlSearch
from newsclean.index.postgresql_tables import (
    SCHEMA,
    WRITERS,
    check_version,
    connect,
    create_tables,
    server_errors,
)
from newsclean.index.postgresql_words import Analyzed, analyzed
from newsclean.index.stored_lines import packed, unpacked
from newsclean.index.target import Written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

logger = logging.getLogger(__name__)

#: Articles whose words are made again at a time.
REBUILD_BATCH = 500
_COLUMNS = (
    "number, id, revision, reextracted, fetched_at, digest, url, site, section, language, "
    "headline, date, published, copies, line, words"
)
_STATE = "number, id, revision, reextracted, fetched_at, digest"


def open_target(address: str) -> PostgresqlIndex:
    return PostgresqlIndex(address)


def open_search(address: str) -> PostgresqlSearch:
    return PostgresqlSearch(address)


def stored_bytes(address: str) -> int:
    """How much room an index takes in its database."""
    with server_errors(address), connect(address) as connection:
        row = connection.execute(
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = %s AND c.relkind = 'r'",
            (SCHEMA,),
        ).fetchone()
    return int(row[0]) if row else 0


class PostgresqlIndex:
    """Takes articles into a database; threads use it in turn, and processes as well."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._lock = RLock()
        self._analyzer = Analyzer()
        self._connection = connect(address)
        self._copies = PostgresqlCopies(self._connection)
        try:
            with self._transaction():
                create_tables(self._connection)
                check_version(self._connection, address)
                self._renew_words()
        except BaseException:
            self._connection.close()
            raise

    def write(self, articles: Sequence[Mapping[str, Any]]) -> Written:
        """Index a batch in one transaction."""
        documents, refused = documents_of(articles)
        documents = [replace(each, id=storable_text(each.id)) for each in documents]
        with self._lock, self._transaction():
            known = self._known([document.id for document in documents])
            states = {name: state for name, (_, state) in known.items()}
            new, written = to_be_written(documents, states)
            numbers = {name: number for name, (number, _) in known.items()}
            self._store(new, numbers)
        return written + Written(refused=tuple(refused))

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """One writer at a time: two articles that come at once may be near copies."""
        with server_errors(self.address), self._connection.transaction():
            self._run("SELECT pg_advisory_xact_lock(%s)", WRITERS)
            yield

    def _known(self, ids: Sequence[str]) -> dict[str, tuple[int, State]]:
        """The number and the state of those articles that the index has."""
        rows = self._run(f"SELECT {_STATE} FROM {SCHEMA}.article WHERE id = ANY(%s)", list(ids))
        return {
            name: (number, State(revision, reextracted, fetched_at, bytes(digest)))
            for number, name, revision, reextracted, fetched_at, digest in rows
        }

    def _store(self, documents: Sequence[Document], numbers: Mapping[str, int]) -> None:
        """Write documents, in place of those that have their ids."""
        if not documents:
            return
        replaced = [numbers[each.id] for each in documents if each.id in numbers]
        if replaced:
            self._copies.leave(replaced)
            self._run(f"DELETE FROM {SCHEMA}.article WHERE number = ANY(%s)", replaced)
        ((highest,),) = self._run(f"SELECT coalesce(max(number), 0) FROM {SCHEMA}.article")
        highest = max([highest, *replaced])
        stored: list[tuple[int, Document]] = []
        for document in documents:
            number = numbers.get(document.id)
            if number is None:
                number = highest = highest + 1
            stored.append((number, document))
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {SCHEMA}.article ({_COLUMNS}) FROM STDIN".encode()) as copy,
        ):
            found = [analyzed(document, self._analyzer) for document in documents]
            for (number, document), each in zip(stored, found, strict=True):
                copy.write_row(row_of(number, document, each.tsvector))
        self._add_copies(stored, found)

    def _add_copies(
        self, documents: Sequence[tuple[int, Document]], found: Sequence[Analyzed]
    ) -> None:
        """Find the near copies of new articles, and note their languages."""
        prints = zip(documents, fingerprints([each.words for each in found]), strict=True)
        self._copies.join({number: each for (number, _), each in prints if each is not None})
        languages = {document.stemmed_language for _, document in documents} - {""}
        for language in sorted(languages):
            self._run(
                f"INSERT INTO {SCHEMA}.stemmed_language VALUES (%s) ON CONFLICT DO NOTHING",
                language,
            )

    def _renew_words(self) -> None:
        """Make all words again if they are of another analysis than this newsclean's."""
        rows = self._run(f"SELECT value FROM {SCHEMA}.fact WHERE name = 'analysis'")
        if rows and rows[0][0] == analysis_version():
            return
        self._run(f"DELETE FROM {SCHEMA}.fact WHERE name = 'analysis'")
        self._run(f"INSERT INTO {SCHEMA}.fact VALUES ('analysis', %s)", analysis_version())
        if not rows:
            return
        where = without_password(self.address)
        logger.info("%s: words and fingerprints are made again (%s)", where, rows[0][0])
        for table in ("band", "fingerprint", "stemmed_language"):
            self._run(f"TRUNCATE {SCHEMA}.{table}")
        self._run(f"UPDATE {SCHEMA}.article SET copies = number")
        last = 0
        while lines := self._run(
            f"SELECT number, line FROM {SCHEMA}.article WHERE number > %s ORDER BY number LIMIT %s",
            last,
            REBUILD_BATCH,
        ):
            last = lines[-1][0]
            documents = [(number, document_of(unpacked(bytes(line)))) for number, line in lines]
            found = [analyzed(document, self._analyzer) for _, document in documents]
            for number, each in zip((number for number, _ in documents), found, strict=True):
                self._run(
                    f"UPDATE {SCHEMA}.article SET words = %s::tsvector WHERE number = %s",
                    each.tsvector,
                    number,
                )
            self._add_copies(documents, found)

    def _run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        cursor = self._connection.execute(sql.encode(), values)
        return cursor.fetchall() if cursor.description else []


def row_of(number: int, document: Document, tsvector: str) -> tuple[Any, ...]:
    """The columns of an article, in their order."""
    state = document.state
    texts = (
        document.url,
        document.site,
        document.section,
        document.language,
        document.title,
        document.date,
    )
    return (
        number,
        document.id,
        state.revision,
        state.reextracted,
        storable_text(state.fetched_at),
        state.digest,
        *(text if text is None else storable_text(text) for text in texts),
        document.published,
        number,
        packed(document.line),
        tsvector,
    )
