"""Searches an index that is in a database: what an index file and PostgreSQL have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from newsclean.bulk.document import storable_text
from newsclean.index.analysis import Analyzer
from newsclean.index.document import document_of
from newsclean.index.results import AlsoOn, Hit, SearchResults
from newsclean.index.snippets import snippet_of
from newsclean.index.stored_lines import unpacked
from newsclean.index.syntax import parse
from newsclean.index.words import normalized

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.index.query import SearchRequest
    from newsclean.index.syntax import Node

#: Near copies that are named with a hit; all are counted.
MAX_NAMED_COPIES = 20

#: The fields of `Hit` that are columns; what is asked for are these, the group of near copies, and
#: the stored line.
HIT_FIELDS = ("id", "url", "headline", "site", "section", "date", "language")
HIT_COLUMNS = f"{', '.join(HIT_FIELDS)}, copies, line"
#: The fields of `AlsoOn` in their order.
COPY_COLUMNS = "id, url, site, headline, date"


class Statements(NamedTuple):
    """The SQL of one kind of database."""

    #: the stored line of an article, by its id
    line: str
    #: the `HIT_COLUMNS` of an article, by its number
    hit: str
    #: how many articles are in a group of near copies
    count_copies: str
    #: the `COPY_COLUMNS` of the articles of a group but one, at most so many, the oldest first
    copies: str
    #: the values of a column that is still to be named, each with the number of its articles
    count_values: str


class SqlSearch(ABC):
    """An index to be searched; threads use it in turn."""

    statements: ClassVar[Statements]

    def __init__(self) -> None:
        self._lock = RLock()
        self._analyzer = Analyzer()

    def search(self, request: SearchRequest) -> SearchResults:
        node = parse(request.query)
        with self._lock:
            sql, values = self._search_statement(request, node)
            rows = self._query(sql, *values, request.limit, request.offset)
            if not rows and request.offset:  # the asked page is after the last
                total = self._total(sql, values)
            else:
                total = rows[0][2] if rows else 0
            hits = tuple(self._hit(number, score, node) for number, score, _ in rows)
        return SearchResults(total, hits)

    def article(self, article_id: str) -> dict[str, Any] | None:
        with self._lock:
            rows = self._query(self.statements.line, normalized(article_id))
        return unpacked(rows[0][0]) if rows else None

    def sites(self) -> list[tuple[str, int]]:
        return self._counted("site")

    def sections(self) -> list[tuple[str, int]]:
        return self._counted("section")

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _search_statement(self, request: SearchRequest, node: Node | None) -> tuple[str, list[Any]]:
        """The SQL of a search, and its values but the last two, which are limit and offset.

        Each row has the number of an article, its score, and how many articles there are in all.
        """

    @abstractmethod
    def _query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows that a statement gives."""

    def _total(self, sql: str, values: list[Any]) -> int:
        rows = self._query(sql, *values, 1, 0)
        return int(rows[0][2]) if rows else 0

    def _hit(self, number: int, score: float, node: Node | None) -> Hit:
        ((*values, group, line),) = self._query(self.statements.hit, number)
        document = document_of(unpacked(line))
        snippet = snippet_of(document.body, node, document.stemmed_language, self._analyzer)
        ((articles,),) = self._query(self.statements.count_copies, group)
        copies = articles - 1
        return Hit(
            **dict(zip(HIT_FIELDS, values, strict=True)),
            snippet=snippet,
            score=round(score, 6),
            also_on=self._also_on(group, number) if copies else (),
            copies=copies,
        )

    def _also_on(self, group: int, number: int) -> tuple[AlsoOn, ...]:
        rows = self._query(self.statements.copies, group, number, MAX_NAMED_COPIES)
        return tuple(AlsoOn(*row) for row in rows)

    def _counted(self, column: str) -> list[tuple[str, int]]:
        with self._lock:
            rows = self._query(self.statements.count_values.format(column=column))
        return [(name, count) for name, count in rows]


def site_names(request: SearchRequest) -> list[str]:
    """The sites that a request names, as an index has them."""
    return [storable_text(site).lower().removeprefix("www.") for site in request.sites]


def date_conditions(request: SearchRequest, placeholder: str) -> Iterator[tuple[str, float]]:
    """The conditions on the date of an article, each with its value."""
    if request.since is not None:
        yield f"published >= {placeholder}", request.since.timestamp()
    if request.until is not None:
        yield f"published < {placeholder}", request.until.timestamp()


def any_of(conditions: list[str]) -> str:
    return f"({' OR '.join(conditions)})"
