"""The common part of indexes in SQLite and PostgreSQL.

Words, stems and fingerprints are made here; how words are stored and found depends on the database.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from dataclasses import fields
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from newsclean.apps.search.copy_groups import join_copies, leave_copies
from newsclean.apps.search.index_target import Written
from newsclean.apps.search.indexed_article import (
    State,
    body_of,
    document_of,
    documents_of,
    packed,
    to_be_written,
    unpacked,
)
from newsclean.apps.search.query_language import parse
from newsclean.apps.search.search_results import (
    AlsoOn,
    Hit,
    ListedArticle,
    ListPlace,
    SearchResults,
    Snippets,
)
from newsclean.apps.search.search_words import (
    Analyzer,
    analysis_version,
    normalized,
    stemmed_language,
)
from newsclean.extraction.near_copies import Fingerprints

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from newsclean.apps.search.indexed_article import Document
    from newsclean.apps.search.query_language import Node, SearchRequest

logger = logging.getLogger(__name__)

#: The tables, with placeholders for the types of the database.
TABLES = """
    CREATE TABLE article (
        number {integer} PRIMARY KEY,
        id {text} NOT NULL UNIQUE,
        revision {integer} NOT NULL,
        reextracted {integer} NOT NULL,
        fetched_at {text} NOT NULL,
        digest {blob} NOT NULL,
        url {text},
        site {text},
        section {text},
        section_key {text},
        language {text},
        headline {text},
        date {text},
        published {real},
        copies {integer} NOT NULL
    ) {strict};
    CREATE INDEX article_by_copies ON article (copies);
    CREATE INDEX article_by_date ON article (published);
    CREATE INDEX article_by_site ON article (site);
    CREATE INDEX article_by_section ON article (section);
    CREATE TABLE line (number {integer} PRIMARY KEY, line {blob} NOT NULL) {strict};
    CREATE TABLE fingerprint (number {integer} PRIMARY KEY, numbers {blob} NOT NULL) {strict};
    CREATE TABLE band (
        key {integer} NOT NULL, number {integer} NOT NULL, PRIMARY KEY (key, number)
    ) {strict_without_rowid};
    CREATE TABLE stemmed_language (code {text} PRIMARY KEY) {strict_without_rowid};
    CREATE TABLE fact (name {text} PRIMARY KEY, value {text} NOT NULL) {strict_without_rowid};
"""

#: Articles per batch when all words are made again.
_REBUILD_BATCH = 500
#: Additional articles to fetch, since some are near copies of others.
_MANY_COPIES = 50
#: Near copies to list with a hit; all are counted.
_MAX_NAMED_COPIES = 20

_STATE = "number, id, revision, reextracted, fetched_at, digest"
_HIT_FIELDS = ("id", "url", "headline", "site", "section", "date", "language")

# Each group of near copies counts as one result.
_SEARCH = """
    WITH found AS MATERIALIZED ({found}),
    passing AS MATERIALIZED (
        SELECT number, score, copies, published, id FROM found JOIN article USING (number)
        WHERE {filters}
    )
    SELECT number, score, copies, (SELECT count(DISTINCT copies) FROM passing) FROM passing
    ORDER BY {order} LIMIT ?
"""
_LISTED = (
    "SELECT number, published, id FROM article WHERE {filters} AND {condition} "
    "ORDER BY {order} LIMIT ?"
)
_EVERYTHING = "SELECT number, 0.0 AS score FROM article"
_BEST_FIRST = "score DESC, published IS NULL, published DESC, id"
_NEWEST_FIRST = "published IS NULL, published DESC, score DESC, id"


class Filters(NamedTuple):
    """SQL conditions on an article, and their values."""

    sql: str
    values: list[Any]


class Searchable(NamedTuple):
    """The words and stems of an article, by field."""

    number: int
    language: str
    headline: list[str]
    body: list[str]
    headline_stems: list[str]
    body_stems: list[str]
    authors: list[str]
    keywords: list[str]


class _Database(ABC):
    """A connection to a database, with a lock for threads."""

    _connection: Any

    def __init__(self) -> None:
        self._lock = RLock()
        self._analyzer = Analyzer()

    @abstractmethod
    def run(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with `?` placeholders and return all rows."""

    def close(self) -> None:
        with self._lock:
            self._connection.close()


class SqlIndex(_Database):
    """An index for writing. Several processes may write at once."""

    #: the path or URL for logs
    where: str

    def __init__(self) -> None:
        super().__init__()
        self._fingerprints = Fingerprints()

    def write(self, articles: Sequence[Mapping[str, Any]]) -> Written:
        """Index a batch in one transaction."""
        documents, refused = documents_of(articles)
        with self._lock, self._transaction():
            known = self._known([document.id for document in documents])
            states = {name: state for name, (_, state) in known.items()}
            new, written = to_be_written(documents, states)
            self._store(new, {name: number for name, (number, _) in known.items()})
        return written + Written(refused=tuple(refused))

    @abstractmethod
    def insert(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Add rows with the values of all columns in order."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[None]:
        """Start a transaction for a single writer: two new articles may be near copies."""

    @abstractmethod
    def _add_words(self, articles: Sequence[Searchable]) -> None:
        """Make articles searchable."""

    @abstractmethod
    def _remove_words(self, numbers: Sequence[int]) -> None:
        """Remove the words of articles whose lines are still stored."""

    @abstractmethod
    def _remove_all_words(self) -> None: ...

    def _known(self, ids: Sequence[str]) -> dict[str, tuple[int, State]]:
        """Return number and state of the articles that are in the index."""
        if not ids:
            return {}
        rows = self.run(f"SELECT {_STATE} FROM article WHERE id IN {places(len(ids))}", ids)
        return {
            name: (number, State(revision, bool(reextracted), fetched_at, digest))
            for number, name, revision, reextracted, fetched_at, digest in rows
        }

    def _store(self, documents: Sequence[Document], numbers: Mapping[str, int]) -> None:
        """Write documents, and replace those with the same ids."""
        if not documents:
            return
        ((highest,),) = self.run("SELECT coalesce(max(number), 0) FROM article")
        replaced = [numbers[each.id] for each in documents if each.id in numbers]
        if replaced:
            leave_copies(self, replaced)
            self._remove_words(replaced)
            for table in ("line", "article"):
                self.run(f"DELETE FROM {table} WHERE number IN {places(len(replaced))}", replaced)
        stored = []
        for document in documents:
            number = numbers.get(document.id)
            if number is None:
                number = highest = highest + 1
            stored.append((number, document))
        self.insert("article", [_row(number, document) for number, document in stored])
        self.insert("line", [(number, packed(document.line)) for number, document in stored])
        self._make_searchable(stored)

    def _make_searchable(self, documents: Sequence[tuple[int, Document]]) -> None:
        """Add the words of articles, and find their near copies."""
        articles = [self._searchable(number, document) for number, document in documents]
        self._add_words(articles)
        prints = self._fingerprints.of([article.body for article in articles])
        pairs = zip(articles, prints, strict=True)
        join_copies(self, {each.number: found for each, found in pairs if found is not None})
        for language in sorted({article.language for article in articles} - {""}):
            self.run("INSERT INTO stemmed_language VALUES (?) ON CONFLICT DO NOTHING", (language,))

    def _searchable(self, number: int, document: Document) -> Searchable:
        terms, language = self._analyzer.terms, document.stemmed_language
        headline, body = terms(document.headline, language), terms(document.body, language)
        return Searchable(
            number, language, headline.words, body.words, headline.stems, body.stems,
            terms(document.authors).words, terms(document.keywords).words,
        )  # fmt: skip

    def _renew_words(self) -> None:
        """Make all words again if they were made by another version of the analysis."""
        with self._transaction():
            rows = self.run("SELECT value FROM fact WHERE name = 'analysis'")
            if rows == [(analysis_version(),)]:
                return
            self.run("DELETE FROM fact WHERE name = 'analysis'")
            self.run("INSERT INTO fact VALUES ('analysis', ?)", (analysis_version(),))
            if not rows:
                return
            logger.info(
                "%s: making words and fingerprints again (were made by %s)", self.where, rows[0][0]
            )
            self._remove_all_words()
            for table in ("band", "fingerprint", "stemmed_language"):
                self.run(f"DELETE FROM {table}")
            self.run("UPDATE article SET copies = number")
            last = 0
            while lines := self.run(
                "SELECT number, line FROM line WHERE number > ? ORDER BY number LIMIT ?",
                (last, _REBUILD_BATCH),
            ):
                last = lines[-1][0]
                self._make_searchable([(at, document_of(unpacked(line))) for at, line in lines])


class SqlSearch(_Database):
    """An index for searching."""

    def search(self, request: SearchRequest) -> SearchResults:
        node = parse(request.query)
        filters = _filters_of(request)
        with self._lock:
            found = _EVERYTHING
            values: list[Any] = []
            if node is not None:
                languages = [code for (code,) in self.run("SELECT code FROM stemmed_language")]
                found, values = self._found(node, languages, filters)
            order = _NEWEST_FIRST if request.newest_first or node is None else _BEST_FIRST
            sql = _SEARCH.format(found=found, filters=filters.sql, order=order)
            wanted = request.offset + request.limit
            total, ranked = self._ranked(sql, [*values, *filters.values], wanted)
            return SearchResults(total, self._hits(ranked[request.offset :], node))

    def article(self, article_id: str) -> dict[str, Any] | None:
        with self._lock:
            sql = "SELECT line FROM line JOIN article USING (number) WHERE id = ?"
            rows = self.run(sql, (normalized(article_id),))
        return unpacked(rows[0][0]) if rows else None

    def newest(
        self, request: SearchRequest, after: ListPlace | None = None
    ) -> Iterator[ListedArticle]:
        filters = _filters_of(request)
        with self._lock:
            listed = self._listed(filters, after, request.limit)
        for number, published, article_id in listed:
            with self._lock:
                rows = self.run("SELECT line FROM line WHERE number = ?", (number,))
            if rows:
                yield ListedArticle(ListPlace(published, article_id), unpacked(rows[0][0]))

    def _listed(
        self, filters: Filters, after: ListPlace | None, limit: int
    ) -> list[tuple[int, float | None, str]]:
        """Return number, time and id of the newest articles; those without a date come last.

        Dated and undated articles are two queries, so that each reads only a range of an index.
        """
        found: list[tuple[int, float | None, str]] = []
        if after is None or after.published is not None:
            condition, values = "published IS NOT NULL", []
            if after is not None:
                condition = "published <= ? AND (published < ? OR id > ?)"
                values = [after.published, after.published, after.id]
            sql = _LISTED.format(
                filters=filters.sql, condition=condition, order="published DESC, id"
            )
            found += self.run(sql, [*filters.values, *values, limit])
            after = None
        if len(found) < limit:
            sql = _LISTED.format(
                filters=filters.sql, condition="published IS NULL AND id > ?", order="id"
            )
            last = "" if after is None else after.id
            found += self.run(sql, [*filters.values, last, limit - len(found)])
        return found

    def sites(self) -> list[tuple[str, int]]:
        return self._counted("site")

    def sections(self) -> list[tuple[str, int]]:
        return self._counted("section")

    @abstractmethod
    def _found(
        self, node: Node, languages: Sequence[str], filters: Filters
    ) -> tuple[str, list[Any]]:
        """Return SQL for `number` and `score` of the articles that match a query, and its values.

        The filters are applied to the result; the SQL may already use them.
        """

    def _ranked(
        self, sql: str, values: list[Any], wanted: int
    ) -> tuple[int, list[tuple[int, float]]]:
        """Return the number of results, and number and score of the first, without near copies."""
        size = wanted + _MANY_COPIES
        while True:
            rows = self.run(sql, [*values, size])
            first: dict[int, tuple[int, float]] = {}
            for number, score, group, _ in rows:
                first.setdefault(group, (number, score))
            if len(first) >= wanted or len(rows) < size:
                return rows[0][3] if rows else 0, list(first.values())[:wanted]
            size *= 4

    def _hits(self, ranked: Sequence[tuple[int, float]], node: Node | None) -> tuple[Hit, ...]:
        if not ranked:
            return ()
        rows = self.run(
            f"SELECT number, copies, line, {', '.join(_HIT_FIELDS)}, "
            "(SELECT count(*) FROM article AS other WHERE other.copies = article.copies) "
            f"FROM article JOIN line USING (number) WHERE number IN {places(len(ranked))}",
            [number for number, _ in ranked],
        )
        by_number = {row[0]: row[1:] for row in rows}
        snippets = Snippets(node, self._analyzer)
        hits = []
        for number, score in ranked:
            group, line, *values, articles = by_number[number]
            known = dict(zip(_HIT_FIELDS, values, strict=True))
            language = stemmed_language(known["language"])
            snippet = snippets.of(body_of(unpacked(line)), language)
            also_on = self._also_on(group, number) if articles > 1 else ()
            hits.append(Hit(**known, snippet=snippet, score=round(score, 6), also_on=also_on,
                            copies=articles - 1))  # fmt: skip
        return tuple(hits)

    def _also_on(self, group: int, number: int) -> tuple[AlsoOn, ...]:
        columns = ", ".join(field.name for field in fields(AlsoOn))
        rows = self.run(
            f"SELECT {columns} FROM article WHERE copies = ? AND number != ? "
            "ORDER BY published IS NULL, published, id LIMIT ?",
            (group, number, _MAX_NAMED_COPIES),
        )
        return tuple(AlsoOn(*row) for row in rows)

    def _counted(self, column: str) -> list[tuple[str, int]]:
        with self._lock:
            rows = self.run(
                f"SELECT {column}, count(*) FROM article WHERE {column} IS NOT NULL "
                f"GROUP BY {column} ORDER BY {column}"
            )
        return [(name, count) for name, count in rows]


def _filters_of(request: SearchRequest) -> Filters:
    conditions: list[str] = []
    values: list[Any] = []
    sites = [normalized(site).lower().removeprefix("www.") for site in request.sites]
    if sites:
        ends_with = "site = ? OR substr(site, length(site) - ?) = ?"
        conditions.append(f"({' OR '.join([ends_with] * len(sites))})")
        for site in sites:
            values += [site, len(site), f".{site}"]
    if request.sections:
        conditions.append(f"section_key IN {places(len(request.sections))}")
        values += [_section_key(name) for name in request.sections]
    languages = [normalized(name).lower().replace("_", "-") for name in request.languages]
    if languages:
        tag = "replace(lower(language), '_', '-')"
        is_of_it = f"{tag} = ? OR substr({tag}, 1, ?) = ?"
        conditions.append(f"({' OR '.join([is_of_it] * len(languages))})")
        for name in languages:
            values += [name, len(name) + 1, f"{name}-"]
    if request.since is not None:
        conditions.append("published >= ?")
        values.append(request.since.timestamp())
    if request.until is not None:
        conditions.append("published < ?")
        values.append(request.until.timestamp())
    return Filters(" AND ".join(conditions) or "TRUE", values)


def _section_key(name: str | None) -> str | None:
    """Return the name of a section for comparisons that ignore case."""
    return None if name is None else normalized(name).casefold()


def places(count: int) -> str:
    """
    >>> places(3)
    '(?, ?, ?)'
    """
    return f"({', '.join('?' * count)})"


def _row(number: int, document: Document) -> tuple[Any, ...]:
    """Return the values of a row of the table `article`."""
    state = document.state
    return (
        number, document.id, state.revision, int(state.reextracted), state.fetched_at, state.digest,
        document.url, document.site, document.section, _section_key(document.section),
        document.language, document.title, document.date, document.published, number,
    )  # fmt: skip
