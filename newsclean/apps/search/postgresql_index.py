"""An index in PostgreSQL (`postgresql://user@host/database`), in a schema of its own.

Words are stored as a tsvector, found with a GIN index and ranked by `ts_rank_cd`. PostgreSQL's
parsers and dictionaries are not used: they depend on the database's locale, need an extension for
accents and do not support Chinese. Tokens with a slash are special: `en/flood` is an English stem,
`en/` marks an article in English, `a/berg` is an author, `k/rain` a keyword.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from newsclean.apps.search import query_language
from newsclean.apps.search.index_target import IndexTargetError, TargetDownError, check_address
from newsclean.apps.search.query_language import joined
from newsclean.apps.search.sql_index import TABLES, SqlIndex, SqlSearch, places

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from psycopg import Connection

    from newsclean.apps.search.query_language import Node, Term
    from newsclean.apps.search.search_words import Analyzer
    from newsclean.apps.search.sql_index import Filters, Searchable

_SCHEMA = "newsclean_search"
_VERSION = "2"  # of the tables
#: The advisory lock of writers.
_WRITERS = 0x4E434958
#: A server that has vanished is noticed after a minute.
_CONNECTION: dict[str, Any] = {"application_name": "newsclean", "connect_timeout": 10}
_CONNECTION |= {"keepalives_idle": 20, "keepalives_interval": 10, "keepalives_count": 4}

#: For each field of a query: the prefix of its tokens, the weights of its words and stems.
FIELDS = {None: ("", "", ""), "headline": ("", "A", "B"), "body": ("", "D", "C")}
FIELDS |= {"author": ("a/", "", ""), "keyword": ("k/", "", "")}
#: The weights in the order of `ts_rank_cd`: D, C, B, A.
_RANKS = "{0.2, 0.1, 0.5, 1.0}"
_OPERATORS = query_language.Operators("&", "|", "& !")
#: Limits of PostgreSQL: position of a word, bytes of all distinct words, letters of a word.
_MAX_PLACE, MAX_BYTES, _MAX_TOKEN = 16_383, 900_000, 500

#: Only this many of the newest matches are ranked: ranking reads all words of an article.
_MAX_RANKED = 2000
_FOUND = f"""
    SELECT number, CASE WHEN row_number() OVER (ORDER BY published DESC NULLS LAST) > {_MAX_RANKED}
        THEN 0 ELSE ts_rank_cd('{_RANKS}', words, ?::tsquery, 1) END AS score
    FROM words JOIN article USING (number) WHERE words @@ ?::tsquery
"""
# Texts sort by bytes, as in an index file.
_TYPES = {"integer": "bigint", "real": "double precision", "text": 'text COLLATE "C"'}
_TYPES |= {"blob": "bytea", "strict": "", "strict_without_rowid": ""}
_TABLES = f"""
    CREATE SCHEMA {_SCHEMA};
    {TABLES.format(**_TYPES)}
    CREATE TABLE words (number bigint PRIMARY KEY, words tsvector NOT NULL);
    CREATE INDEX words_by_word ON words USING gin (words);
    INSERT INTO fact VALUES ('version', '{_VERSION}');
"""


class PostgresqlIndex(SqlIndex):
    """An index in a database for writing."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.where = address.rpartition("@")[2]
        self._connection = _connect(address)
        try:
            with self._transaction():
                if not _has_tables(self._connection):
                    self._connection.execute(_TABLES.encode())
            self._renew_words()
        except BaseException:
            self._connection.close()
            raise

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return _run(self._connection, sql, values)

    def insert(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._connection.cursor().copy(f"COPY {table} FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _server_errors(), self._connection.transaction():
            self.run("SELECT pg_advisory_xact_lock(?)", (_WRITERS,))
            yield

    def _add_words(self, articles: Sequence[Searchable]) -> None:
        self.insert("words", [(article.number, _tsvector_of(article)) for article in articles])

    def _remove_words(self, numbers: Sequence[int]) -> None:
        self.run(f"DELETE FROM words WHERE number IN {places(len(numbers))}", numbers)

    def _remove_all_words(self) -> None:
        self.run("DELETE FROM words")


class PostgresqlSearch(SqlSearch):
    """An index in a database for searching."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._connection = _connect(address)
        try:
            if not _has_tables(self._connection):
                raise IndexTargetError("the database has no index: create one with newsclean index")
        except BaseException:
            self._connection.close()
            raise

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows; reconnect once if the connection was lost since the last search."""
        try:
            return _run(self._connection, sql, values)
        except TargetDownError:
            if not self._connection.closed:
                raise
        self._connection = _connect(self._address)
        return _run(self._connection, sql, values)

    def _found(
        self, node: Node, languages: Sequence[str], filters: Filters
    ) -> tuple[str, list[Any]]:
        query = _tsquery_of(node, languages, self._analyzer)
        return f"{_FOUND} AND {filters.sql}", [query, query, *filters.values]


open_target = PostgresqlIndex
open_search = PostgresqlSearch


def _tsvector_of(article: Searchable) -> str:
    """Return the words of an article as a tsvector.

    >>> from newsclean.apps.search.sql_index import Searchable
    >>> _tsvector_of(Searchable(1, "en", ["floods"], ["rain"], ["flood"], [], ["ann"], []))
    "'en/':1 'a/ann':1 'floods':1A 'rain':4D 'en/flood':1B"
    """
    prefix = f"{article.language}/"
    body_start = len(article.headline) + 3  # phrases do not extend from the headline into the text
    known: set[str] = set()
    size = 0
    parts = [f"'{prefix}':1"] if article.language else []
    for before, words, start, weight in (
        ("a/", article.authors, 1, ""),
        ("k/", article.keywords, 1, ""),
        ("", article.headline, 1, "A"),
        ("", article.body, body_start, "D"),
        (prefix, article.headline_stems, 1, "B"),
        (prefix, article.body_stems, 1, "C"),
    ):
        for place, word in enumerate(words, start):
            token = f"{before}{word[:_MAX_TOKEN]}"
            if token not in known:
                known.add(token)
                size += len(token.encode()) + 6
            elif place > _MAX_PLACE:
                continue
            if size <= MAX_BYTES:
                parts.append(f"'{token}':{min(place, _MAX_PLACE)}{weight}")
    return " ".join(parts)


def _tsquery_of(node: Node, languages: Collection[str], analyzer: Analyzer) -> str:
    """Return a query as a tsquery, for an index with stems of these languages.

    >>> from newsclean.apps.search.query_language import parse
    >>> from newsclean.apps.search.search_words import Analyzer
    >>> _tsquery_of(parse('headline:"Rain OR" -snow*'), ["en"], Analyzer())
    "(('rain':A <-> 'or':A) & ! 'snow':*)"
    """
    return query_language.expression(
        node, _OPERATORS, lambda term: joined("|", _alternatives(term, languages, analyzer))
    )


def _alternatives(term: Term, languages: Collection[str], analyzer: Analyzer) -> Iterator[str]:
    prefix, weight, stem_weight = FIELDS[term.field]
    tokens, is_prefix = query_language.tokens_of(term)
    *parts, last = [prefix + token for token in tokens]
    marks = f"*{weight}" if is_prefix else weight
    phrase = " <-> ".join([*(_operand(each, weight) for each in parts), _operand(last, marks)])
    yield f"({phrase})" if parts else phrase
    if not query_language.has_stems(term):
        return
    by_stem = query_language.languages_by_stem(term, languages, analyzer)
    for stem, of_languages in sorted(by_stem.items()):
        for language in of_languages:
            # The word itself may be the stem of others: "ciudades" has "ciudad".
            for each in sorted({stem, tokens[0]}):
                yield _operand(f"{language}/{each}", stem_weight)
        # Words that are their own stem are not stored as stems.
        if stem != tokens[0]:
            is_of_them = joined("|", (f"'{language}/'" for language in of_languages))
            yield f"({_operand(stem, weight)} & {is_of_them})"


def _operand(token: str, marks: str) -> str:
    """Quote a token; words contain neither quotes nor backslashes."""
    return f"'{token[:_MAX_TOKEN]}'" + (f":{marks}" if marks else "")


def _connect(address: str) -> Connection[Any]:
    """Connect in autocommit mode, with the schema in the search path."""
    check_address(address)
    import psycopg

    with _server_errors():
        connection = psycopg.connect(address, autocommit=True, **_CONNECTION)
        connection.execute(f"SET search_path TO {_SCHEMA}".encode())
    return connection


def _run(connection: Connection[Any], sql: str, values: Sequence[Any] = ()) -> list[Any]:
    with _server_errors():
        cursor = connection.execute(sql.replace("?", "%s").encode(), values)
        return cursor.fetchall() if cursor.description else []


def _has_tables(connection: Connection[Any]) -> bool:
    """Whether there is an index; raise `IndexTargetError` if it has another version."""
    if _run(connection, "SELECT to_regclass(?)", (f"{_SCHEMA}.fact",)) == [(None,)]:
        return False
    if _run(connection, "SELECT value FROM fact WHERE name = 'version'") != [(_VERSION,)]:
        raise IndexTargetError(
            f"the index of the database does not have the needed version {_VERSION}"
        )
    return True


@contextmanager
def _server_errors() -> Iterator[None]:
    """Turn errors of PostgreSQL into errors of index targets."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
            raise TargetDownError(f"the database does not answer: {reason}") from error
        raise IndexTargetError(f"the database reports an error: {reason}") from error
