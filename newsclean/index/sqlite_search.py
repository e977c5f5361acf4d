"""Searches an index file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsclean.index.fts_query import fts_query
from newsclean.index.schema import WEIGHTS, file_errors, open_to_read
from newsclean.index.sql_search import (
    COPY_COLUMNS,
    HIT_COLUMNS,
    SqlSearch,
    Statements,
    any_of,
    date_conditions,
    site_names,
)
from newsclean.index.words import normalized

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.index.query import SearchRequest
    from newsclean.index.syntax import Node

_SCORE = f"-bm25(words, {', '.join(map(str, WEIGHTS.values()))})"

# Of the articles that pass the filters, each group of near copies is one: its first in the order.
_SEARCH = """
    WITH found AS MATERIALIZED ({found}),
    passing AS (
        SELECT number, score, article.published AS published, article.id AS id,
            row_number() OVER (PARTITION BY article.copies ORDER BY {order}) AS place
        FROM found JOIN article USING (number)
        WHERE {filters}
    )
    SELECT number, score, count(*) OVER () FROM passing WHERE place = 1
    ORDER BY {order} LIMIT ? OFFSET ?
"""
_MATCHING = f"SELECT rowid AS number, {_SCORE} AS score FROM words WHERE words MATCH ?"
_EVERYTHING = "SELECT number, 0.0 AS score FROM article"
_BEST_FIRST = "score DESC, published IS NULL, published DESC, id"
_NEWEST_FIRST = "published IS NULL, published DESC, score DESC, id"


def open_search(address: str) -> SqliteSearch:
    return SqliteSearch(address)


class SqliteSearch(SqlSearch):
    """An index file to be searched; threads use it in turn."""

    statements = Statements(
        line="SELECT line FROM line JOIN article USING (number) WHERE id = ?",
        hit=f"SELECT {HIT_COLUMNS} FROM article JOIN line USING (number) WHERE number = ?",
        count_copies="SELECT count(*) FROM article WHERE copies = ?",
        copies=f"SELECT {COPY_COLUMNS} FROM article WHERE copies = ? AND number != ? "
        "ORDER BY published IS NULL, published, id LIMIT ?",
        count_values="SELECT {column}, count(*) FROM article WHERE {column} IS NOT NULL "
        "GROUP BY {column} ORDER BY {column}",
    )

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self._connection = open_to_read(path)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _search_statement(self, request: SearchRequest, node: Node | None) -> tuple[str, list[Any]]:
        values: list[Any] = []
        found = _EVERYTHING
        if node is not None:
            found = _MATCHING
            languages = [code for (code,) in self._query("SELECT code FROM stemmed_language")]
            values.append(fts_query(node, languages, self._analyzer))
        filters, more = self._filters(request)
        newest = request.newest_first or node is None
        order = _NEWEST_FIRST if newest else _BEST_FIRST
        return _SEARCH.format(found=found, filters=filters, order=order), values + more

    def _filters(self, request: SearchRequest) -> tuple[str, list[Any]]:
        """The conditions on an article, and the values for their places."""
        conditions: list[str] = []
        values: list[Any] = []
        if sites := site_names(request):
            conditions.append(any_of(["site = ? OR substr(site, ?) = ?"] * len(sites)))
            for site in sites:
                values += [site, -len(site) - 1, f".{site}"]
        if request.sections:
            names = self._sections_named(request.sections)
            # With a plus, so that the articles of a section are not read before the words.
            conditions.append(f"+section IN ({', '.join('?' * len(names))})")
            values += names
        for condition, value in date_conditions(request, "?"):
            conditions.append(condition)
            values.append(value)
        return " AND ".join(conditions) or "TRUE", values

    def _sections_named(self, names: Iterable[str]) -> list[str]:
        """The sections with these names, in capitals or not: SQLite compares only ASCII so."""
        wanted = {normalized(name).casefold() for name in names}
        return [section for section, _ in self.sections() if section.casefold() in wanted]

    def _query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with file_errors(self.path):
            return self._connection.execute(sql, values).fetchall()
