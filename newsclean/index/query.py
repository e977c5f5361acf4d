"""What a search is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

DEFAULT_LIMIT = 10


class QueryError(ValueError):
    """A query that cannot be understood: what is wrong, and where."""

    def __init__(self, message: str, query: str, place: int) -> None:
        super().__init__(f"{message} (at character {place + 1})")
        self.query = query
        #: of the character at which it goes wrong, from 0
        self.place = place


@dataclass(frozen=True)
class SearchRequest:
    """One search. With an empty query, all articles that pass the filters, the newest first."""

    query: str
    #: articles of one of these sites, their subdomains included; of all, if it is empty
    sites: tuple[str, ...] = ()
    #: articles of one of these sections, in capitals or not
    sections: tuple[str, ...] = ()
    #: published then or later; an article without a date passes neither limit
    since: datetime | None = None
    #: published before
    until: datetime | None = None
    #: the newest first, instead of those that fit the query best
    newest_first: bool = False
    limit: int = DEFAULT_LIMIT
    offset: int = 0
