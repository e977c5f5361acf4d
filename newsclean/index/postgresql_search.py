"""Searches an index in PostgreSQL."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any

from newsclean.bulk.document import storable_text
from newsclean.index.analysis import Analyzer
from newsclean.index.clients import without_password
from newsclean.index.document import document_of
from newsclean.index.postgresql_tables import (
    SCHEMA,
    check_version,
    connect,
    has_tables,
    server_errors,
)
from newsclean.index.postgresql_words import WEIGHTS, tsquery_of
from newsclean.index.results import AlsoOn, Hit, SearchResults
from newsclean.index.snippets import snippet_of
from newsclean.index.stored_lines import unpacked
from newsclean.index.syntax import parse
from newsclean.index.target import IndexTargetError, TargetDownError

if TYPE_CHECKING:
    import psycopg

    from newsclean.index.query import SearchRequest
    from newsclean.index.syntax import Node

#: Near copies that are named with a hit; all are counted.
MAX_NAMED_COPIES = 20
#: Of more articles than this, the newest are ranked: PostgreSQL reads all words of each for it.
MAX_RANKED = 2000

# Of the articles that pass the filters, each group of near copies is one: its first in the order.
_SEARCH = f"""
    WITH found AS MATERIALIZED (
        SELECT number, id, published, copies FROM {SCHEMA}.article WHERE {{filters}}
    ),
    scored AS MATERIALIZED ({{scored}}),
    passing AS (
        SELECT found.*, coalesce(score, 0) AS score,
            row_number() OVER (PARTITION BY copies ORDER BY {{order}}) AS place
        FROM found LEFT JOIN scored USING (number)
    )
    SELECT number, score, count(*) OVER () FROM passing WHERE place = 1
    ORDER BY {{order}} LIMIT %s OFFSET %s
"""
_RANKED = f"""
    SELECT number, ts_rank('{WEIGHTS}', words, %s::tsquery, 1) AS score
    FROM {SCHEMA}.article JOIN (
        SELECT number FROM found ORDER BY published DESC NULLS LAST, id LIMIT {MAX_RANKED}
    ) AS newest USING (number)
"""
_UNRANKED = "SELECT NULL::bigint AS number, 0.0::real AS score WHERE FALSE"
_BEST_FIRST = "coalesce(score, 0) DESC, published DESC NULLS LAST, id"
_NEWEST_FIRST = "published DESC NULLS LAST, coalesce(score, 0) DESC, id"


class PostgresqlSearch:
    """An index to be searched; threads use it in turn."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._lock = RLock()
        self._analyzer = Analyzer()
        self._connection = self._connected()

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
                f"SELECT line FROM {SCHEMA}.article WHERE id = %s", storable_text(article_id)
            )
        return unpacked(bytes(rows[0][0])) if rows else None

    def sites(self) -> list[tuple[str, int]]:
        return self._counted("site")

    def sections(self) -> list[tuple[str, int]]:
        return self._counted("section")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _connected(self) -> psycopg.Connection[Any]:
        connection = connect(self.address)
        try:
            with server_errors(self.address):
                connection.read_only = True
                if not has_tables(connection):
                    where = without_password(self.address)
                    raise IndexTargetError(f"{where} has no index: fill one by `newsclean index`")
                check_version(connection, self.address)
        except BaseException:
            connection.close()
            raise
        return connection

    def _statement(self, request: SearchRequest, node: Node | None) -> tuple[str, list[Any]]:
        """The search without its limit, and the values for its places."""
        conditions, values = _filters(request)
        scored = _UNRANKED
        if node is not None:
            languages = [
                code for (code,) in self._query(f"SELECT code FROM {SCHEMA}.stemmed_language")
            ]
            query = tsquery_of(node, languages, self._analyzer)
            conditions.insert(0, "words @@ %s::tsquery")
            values.insert(0, query)
            if not request.newest_first:
                scored = _RANKED
                values.append(query)
        newest = request.newest_first or node is None
        order = _NEWEST_FIRST if newest else _BEST_FIRST
        filters = " AND ".join(conditions) or "TRUE"
        return _SEARCH.format(filters=filters, scored=scored, order=order), values

    def _total(self, sql: str, values: list[Any]) -> int:
        """How many there are where the asked page is after the last."""
        rows = self._query(sql, *values, 1, 0)
        return int(rows[0][2]) if rows else 0

    def _hit(self, number: int, score: float, node: Node | None) -> Hit:
        row = self._query(
            "SELECT id, url, headline, site, section, date, language, copies, line "
            f"FROM {SCHEMA}.article WHERE number = %s",
            number,
        )[0]
        article_id, url, headline, site, section, date, language, group, line = row
        document = document_of(unpacked(bytes(line)))
        snippet = snippet_of(document.body, node, document.stemmed_language, self._analyzer)
        ((copies,),) = self._query(
            f"SELECT count(*) - 1 FROM {SCHEMA}.article WHERE copies = %s", group
        )
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
            f"SELECT id, url, site, headline, date FROM {SCHEMA}.article WHERE copies = %s "
            "AND number != %s ORDER BY published NULLS LAST, id LIMIT %s",
            group,
            number,
            MAX_NAMED_COPIES,
        )
        return tuple(AlsoOn(*row) for row in rows)

    def _counted(self, column: str) -> list[tuple[str, int]]:
        with self._lock:
            rows = self._query(
                f"SELECT {column}, count(*) FROM {SCHEMA}.article WHERE {column} IS NOT NULL "
                f'GROUP BY {column} ORDER BY {column} COLLATE "C"'
            )
        return [(name, count) for name, count in rows]

    def _query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows; a connection that was lost since the last search is made anew, once."""
        try:
            with server_errors(self.address):
                return self._connection.execute(sql.encode(), values).fetchall()
        except TargetDownError:
            if not self._connection.closed:
                raise
            self._connection = self._connected()
        with server_errors(self.address):
            return self._connection.execute(sql.encode(), values).fetchall()


def _filters(request: SearchRequest) -> tuple[list[str], list[Any]]:
    """The conditions on an article, and the values for their places."""
    conditions: list[str] = []
    values: list[Any] = []
    if request.sites:
        sites = [storable_text(site).lower().removeprefix("www.") for site in request.sites]
        conditions.append(_any(["site = %s OR right(site, %s) = %s"] * len(sites)))
        for site in sites:
            values += [site, len(site) + 1, f".{site}"]
    if request.sections:
        conditions.append("lower(section) = ANY(%s)")
        values.append([storable_text(section).lower() for section in request.sections])
    for moment, condition in (
        (request.since, "published >= %s"),
        (request.until, "published < %s"),
    ):
        if moment is not None:
            conditions.append(condition)
            values.append(moment.timestamp())
    return conditions, values


def _any(conditions: list[str]) -> str:
    return f"({' OR '.join(conditions)})"
