"""What a search gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from newsclean.index.query import SearchRequest


@dataclass(frozen=True)
class Snippet:
    """A piece of an article's text, as it is: not HTML, and to be escaped where it is shown."""

    text: str
    #: where the words of the query are: first character, and the one after the last
    marks: tuple[tuple[int, int], ...] = ()

    def parts(self) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is marked.

        >>> Snippet("rain all day", ((0, 4),)).parts()
        [('rain', True), (' all day', False)]
        """
        pieces, end = [], 0
        for first, after in self.marks:
            pieces += [(self.text[end:first], False), (self.text[first:after], True)]
            end = after
        pieces.append((self.text[end:], False))
        return [piece for piece in pieces if piece[0]]


@dataclass(frozen=True)
class AlsoOn:
    """A near copy of an article that was found: the same text at another address."""

    id: str
    url: str | None
    site: str | None
    headline: str | None
    #: when it was published, ISO 8601, as its line has it
    date: str | None


@dataclass(frozen=True)
class Hit:
    """An article that was found."""

    id: str
    url: str | None
    headline: str | None
    site: str | None
    section: str | None
    #: when it was published, ISO 8601, as its line has it
    date: str | None
    language: str | None
    snippet: Snippet
    #: how well it fits, more is better; comparable within one search only
    score: float
    #: its near copies, the oldest first, whether or not they pass the filters; only some of many
    also_on: tuple[AlsoOn, ...] = ()
    #: how many near copies there are
    copies: int = 0


@dataclass(frozen=True)
class SearchResults:
    """One page of what was found."""

    #: how many articles were found, near copies counted as one
    total: int
    hits: tuple[Hit, ...]


class SearchIndex(Protocol):
    """An index that can be searched."""

    def search(self, request: SearchRequest) -> SearchResults:
        """Raises `QueryError` for a query that cannot be understood."""
        ...

    def article(self, article_id: str) -> dict[str, Any] | None:
        """The line of an article as it was indexed, if the index has it."""
        ...

    def sites(self) -> list[tuple[str, int]]:
        """All sites, each with the number of its articles, by name."""
        ...

    def sections(self) -> list[tuple[str, int]]:
        """All sections, each with the number of its articles, by name."""
        ...

    def close(self) -> None: ...
