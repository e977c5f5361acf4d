"""An index in one file, with SQLite's full-text search (FTS5)."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newsclean.apps.search.index_target import IndexTargetError, TargetDownError
from newsclean.apps.search.indexed_article import document_of, unpacked
from newsclean.apps.search.query_language import (
    Operators,
    expression,
    has_stems,
    joined,
    languages_by_stem,
    tokens_of,
)
from newsclean.apps.search.sql_index import TABLES, SqlIndex, SqlSearch, places
from newsclean.sqlite_file import FileKind, OtherFileError, transaction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from newsclean.apps.search.query_language import Node, Term
    from newsclean.apps.search.search_words import Analyzer
    from newsclean.apps.search.sql_index import Filters, Searchable

#: The columns of the full-text table and their weights: a word in the headline counts five times as
#: much as in the text, and a stem half as much as the word itself.
_WEIGHTS = {
    "headline": 5.0,
    "body": 1.0,
    "headline_stems": 2.5,
    "body_stems": 0.5,
    "authors": 2.0,
    "keywords": 2.0,
    "language": 0.0,
}
#: The columns of words and of stems for each field of a query.
_COLUMNS = {
    None: (("headline", "body"), ("headline_stems", "body_stems")),
    "headline": (("headline",), ("headline_stems",)),
    "body": (("body",), ("body_stems",)),
    "author": (("authors",), ()),
    "keyword": (("keywords",), ()),
}
_OPERATORS = Operators("AND", "OR", "NOT")
#: Bytes that FTS5 buffers before it writes.
_HASH_SIZE = 32_000_000

# Contentless: only the index has the words. They come from our own analysis, separated by spaces,
# and the ascii tokenizer splits them only there.
_WORDS = f"""
    CREATE VIRTUAL TABLE words USING fts5 ({", ".join(_WEIGHTS)}, content = '', tokenize = 'ascii');
    INSERT INTO words (words, rank) VALUES ('hashsize', {_HASH_SIZE});
"""
_TYPES = {
    "integer": "INTEGER",
    "text": "TEXT",
    "real": "REAL",
    "blob": "BLOB",
    "strict": "STRICT",
    "strict_without_rowid": "STRICT, WITHOUT ROWID",
}
#: "NCIX", in the header of the file.
_INDEX = FileKind("an index", 0x4E434958, 2, TABLES.format(**_TYPES) + _WORDS)

_ADD = f"INSERT INTO words (rowid, {', '.join(_WEIGHTS)}) VALUES {places(len(_WEIGHTS) + 1)}"
_REMOVE = (
    f"INSERT INTO words (words, rowid, {', '.join(_WEIGHTS)}) "
    f"VALUES ('delete', {', '.join('?' * (len(_WEIGHTS) + 1))})"
)
_FOUND = (
    f"SELECT rowid AS number, -bm25(words, {', '.join(map(str, _WEIGHTS.values()))}) AS score "
    "FROM words WHERE words MATCH ?"
)


class IndexFile(SqlIndex):
    """An index file for writing."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.where = path
        with _file_errors(path):
            self._connection = _INDEX.open(path)
        try:
            self._renew_words()
        except BaseException:
            self._connection.close()
            raise

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self._connection.execute(sql, values).fetchall()
        return rows

    def insert(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            sql = f"INSERT INTO {table} VALUES {places(len(rows[0]))}"
            self._connection.executemany(sql, rows)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _file_errors(self.where), transaction(self._connection):
            yield

    def _add_words(self, articles: Sequence[Searchable]) -> None:
        self._connection.executemany(_ADD, map(_columns, articles))

    def _remove_words(self, numbers: Sequence[int]) -> None:
        """Remove words from FTS5, which has to be given them: they are made again."""
        rows = self.run(
            f"SELECT number, line FROM line WHERE number IN {places(len(numbers))}", numbers
        )
        for number, line in rows:
            article = self._searchable(number, document_of(unpacked(line)))
            self._connection.execute(_REMOVE, _columns(article))

    def _remove_all_words(self) -> None:
        self.run("INSERT INTO words (words) VALUES ('delete-all')")


class SearchedFile(SqlSearch):
    """An index file for searching."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        if not Path(path).is_file():
            raise IndexTargetError(f"there is no index at {path}: create one with newsclean index")
        with _file_errors(path):
            self._connection = _INDEX.open_to_read(path)

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _file_errors(self.path):
            rows: list[tuple[Any, ...]] = self._connection.execute(sql, values).fetchall()
        return rows

    def _found(
        self, node: Node, languages: Sequence[str], filters: Filters
    ) -> tuple[str, list[Any]]:
        return _FOUND, [_fts_query(node, languages, self._analyzer)]


open_target = IndexFile
open_search = SearchedFile


def _fts_query(node: Node, languages: Collection[str], analyzer: Analyzer) -> str:
    """Return the FTS5 expression of a query, for an index with stems of these languages.

    All words are quoted, so that none can be read as an operator.

    >>> from newsclean.apps.search.query_language import parse
    >>> from newsclean.apps.search.search_words import Analyzer
    >>> _fts_query(parse('headline:"Rain OR" -snow*'), ["en"], Analyzer())
    '(({headline} : "rain or") NOT ({headline body} : "snow" *))'
    """
    return expression(node, _OPERATORS, lambda term: _term(term, languages, analyzer))


def _term(term: Term, languages: Collection[str], analyzer: Analyzer) -> str:
    words, stems = _COLUMNS[term.field]
    tokens, is_prefix = tokens_of(term)
    if not has_stems(term):
        return _in(words, _quoted(*tokens) + (" *" if is_prefix else ""))
    everywhere = (*words, *stems)
    by_stem = languages_by_stem(term, languages, analyzer)
    # The word itself may be the stem of others: "ciudades" has "ciudad", and that has "ciud".
    found = [_in(everywhere, _quoted(*tokens))]
    by_stem.pop(tokens[0], None)
    for stem, of_languages in sorted(by_stem.items()):
        match = _in(everywhere, _quoted(stem))
        if len(of_languages) < len(languages):
            is_of_them = joined("OR", map(_quoted, of_languages))
            match = f"({match} AND {_in(('language',), is_of_them)})"
        found.append(match)
    return joined("OR", found)


def _in(columns: Iterable[str], expression: str) -> str:
    return f"({{{' '.join(columns)}}} : {expression})"


def _quoted(*tokens: str) -> str:
    return '"' + " ".join(token.replace('"', "") for token in tokens) + '"'


def _columns(article: Searchable) -> tuple[int | str, ...]:
    """Return the values of a row of the full-text table."""
    columns = {
        "headline": article.headline,
        "body": article.body,
        "headline_stems": article.headline_stems,
        "body_stems": article.body_stems,
        "authors": article.authors,
        "keywords": article.keywords,
        "language": [article.language],
    }
    return (article.number, *(" ".join(columns[name]) for name in _WEIGHTS))


@contextmanager
def _file_errors(path: str) -> Iterator[None]:
    """Turn errors of SQLite into errors of index targets."""
    try:
        yield
    except sqlite3.OperationalError as error:
        reason = str(error)
        if "locked" in reason or "full" in reason or "busy" in reason:
            raise TargetDownError(f"{path}: {reason}; try again later") from error
        raise IndexTargetError(f"{path}: {reason}") from error
    except OtherFileError as error:
        raise IndexTargetError(f"{path} is {error}") from None
    except sqlite3.DatabaseError as error:
        raise IndexTargetError(f"{path} is not an index of newsclean: {error}") from error
    except OSError as error:
        raise IndexTargetError(f"{path}: {error.strerror or error}") from error
