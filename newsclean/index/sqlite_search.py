"""Searches an index file."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any

from newsclean.bulk.document import storable_text
from newsclean.index.analysis import Analyzer
from newsclean.index.document import document_of
from newsclean.index.fts_query import fts_query
from newsclean.index.results import AlsoOn, Hit, SearchResults
from newsclean.index.schema import WEIGHTS, file_errors, open_to_read
from newsclean.index.snippets import snippet_of
from newsclean.index.stored_lines import unpacked
from newsclean.index.syntax import parse

if TYPE_CHECKING:
    from newsclean.index.query import SearchRequest
    from newsclean.index.syntax import Node

#: Near copies that are named with a hit; all are counted.
MAX_NAMED_COPIES = 20

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


class SqliteSearch:
    """An index file to be searched; threads use it in turn."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = RLock()
        self._analyzer = Analyzer()
        self._connection = open_to_read(path)

    def search(self, request: SearchRequest) -> SearchResults:
        node = parse(request.query)
        with self._lock:
            sql, values = self._statement(request, node)
            rows = self._query(sql, *values, request.limit, request.offset)
            total = rows[0][2] if rows else self._total(sql, values) if request.offset else 0
            hits = tuple(self._hit(number, score, node) for number, score, _ in rows)
        return SearchResults(total, hits)

    def article(self, article_id: str) -> dict[str, Any] | None:
        with self._lock:
            rows = self._query(
                "SELECT line FROM line JOIN article USING (number) WHERE id = ?", article_id
            )
        return unpacked(rows[0][0]) if rows else None

    def sites(self) -> list[tuple[str, int]]:
        return self._counted("site")

    def sections(self) -> list[tuple[str, int]]:
        return self._counted("section")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _statement(self, request: SearchRequest, node: Node | None) -> tuple[str, list[Any]]:
        """The search without its limit, and the values for its places."""
        values: list[Any] = []
        found = _EVERYTHING
        if node is not None:
            found = _MATCHING
            languages = [code for (code,) in self._query("SELECT code FROM stemmed_language")]
            values.append(fts_query(node, languages, self._analyzer))
        filters, more = _filters(request)
        newest = request.newest_first or node is None
        order = _NEWEST_FIRST if newest else _BEST_FIRST
        return _SEARCH.format(found=found, filters=filters, order=order), values + more

    def _total(self, sql: str, values: list[Any]) -> int:
        """How many there are where the asked page is after the last."""
        rows = self._query(sql, *values, 1, 0)
        return int(rows[0][2]) if rows else 0

    def _hit(self, number: int, score: float, node: Node | None) -> Hit:
        row = self._query(
            "SELECT id, url, headline, site, section, date, language, copies, line "
            "FROM article JOIN line USING (number) WHERE number = ?",
            number,
        )[0]
        article_id, url, headline, site, section, date, language, group, line = row
        document = document_of(unpacked(line))
        snippet = snippet_of(document.body, node, document.stemmed_language, self._analyzer)
        (copies,) = self._query("SELECT count(*) - 1 FROM article WHERE copies = ?", group)[0]
        return Hit(
            article_id,
            url,
            headline,
            site,
            section,
            date,
            language,
            snippet,
            round(score, 6),
            self._also_on(group, number) if copies else (),
            copies,
        )

    def _also_on(self, group: int, number: int) -> tuple[AlsoOn, ...]:
        rows = self._query(
            "SELECT id, url, site, headline, date FROM article WHERE copies = ? AND number != ? "
            "ORDER BY published IS NULL, published, id LIMIT ?",
            group,
            number,
            MAX_NAMED_COPIES,
        )
        return tuple(AlsoOn(*row) for row in rows)

    def _counted(self, column: str) -> list[tuple[str, int]]:
        with self._lock:
            rows = self._query(
                f"SELECT {column}, count(*) FROM article WHERE {column} IS NOT NULL "
                f"GROUP BY {column} ORDER BY {column}"
            )
        return [(name, count) for name, count in rows]

    def _query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with file_errors(self.path):
            return self._connection.execute(sql, values).fetchall()


def _filters(request: SearchRequest) -> tuple[str, list[Any]]:
    """The conditions on an article, and the values for their places."""
    conditions: list[str] = []
    values: list[Any] = []
    if request.sites:
        sites = [storable_text(site).lower().removeprefix("www.") for site in request.sites]
        conditions.append(_any(["site = ? OR substr(site, ?) = ?"] * len(sites)))
        for site in sites:
            values += [site, -len(site) - 1, f".{site}"]
    if request.sections:
        conditions.append(_any(["section = ? COLLATE NOCASE"] * len(request.sections)))
        values += map(storable_text, request.sections)
    for moment, condition in ((request.since, "published >= ?"), (request.until, "published < ?")):
        if moment is not None:
            conditions.append(condition)
            values.append(moment.timestamp())
    return " AND ".join(conditions) or "TRUE", values


def _any(conditions: list[str]) -> str:
    return f"({' OR '.join(conditions)})"
