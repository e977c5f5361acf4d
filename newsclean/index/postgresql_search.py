"""Searches an index in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsclean.bulk.document import storable_text
from newsclean.index.clients import without_password
from newsclean.index.postgresql_tables import (
    SCHEMA,
    check_version,
    connect,
    has_tables,
    server_errors,
)
from newsclean.index.postgresql_words import WEIGHTS, tsquery_of
from newsclean.index.sql_search import (
    COPY_COLUMNS,
    HIT_COLUMNS,
    SqlSearch,
    Statements,
    any_of,
    date_conditions,
    site_names,
)
from newsclean.index.target import IndexTargetError, TargetDownError
from newsclean.index.words import normalized

if TYPE_CHECKING:
    import psycopg

    from newsclean.index.query import SearchRequest
    from newsclean.index.syntax import Node

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


class PostgresqlSearch(SqlSearch):
    """An index in a database to be searched; threads use it in turn."""

    statements = Statements(
        line=f"SELECT line FROM {SCHEMA}.article WHERE id = %s",
        hit=f"SELECT {HIT_COLUMNS} FROM {SCHEMA}.article WHERE number = %s",
        count_copies=f"SELECT count(*) FROM {SCHEMA}.article WHERE copies = %s",
        copies=f"SELECT {COPY_COLUMNS} FROM {SCHEMA}.article WHERE copies = %s "
        "AND number != %s ORDER BY published NULLS LAST, id LIMIT %s",
        count_values=f"SELECT {{column}}, count(*) FROM {SCHEMA}.article "
        'WHERE {column} IS NOT NULL GROUP BY {column} ORDER BY {column} COLLATE "C"',
    )

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self._connection = self._connected()

    def article(self, article_id: str) -> dict[str, Any] | None:
        return super().article(storable_text(normalized(article_id)))

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

    def _search_statement(self, request: SearchRequest, node: Node | None) -> tuple[str, list[Any]]:
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
    if sites := site_names(request):
        conditions.append(any_of(["site = %s OR right(site, %s) = %s"] * len(sites)))
        for site in sites:
            values += [site, len(site) + 1, f".{site}"]
    if request.sections:
        # In some locales PostgreSQL lowers fewer letters than Python: it lowers both sides.
        conditions.append("lower(section) IN (SELECT lower(name) FROM unnest(%s::text[]) AS name)")
        values.append([storable_text(normalized(section)) for section in request.sections])
    for condition, value in date_conditions(request, "%s"):
        conditions.append(condition)
        values.append(value)
    return conditions, values
