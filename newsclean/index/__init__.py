"""Articles in a search index: a local file (SQLite FTS5), or a server of the user's."""

from newsclean.index.query import QueryError, SearchRequest
from newsclean.index.results import AlsoOn, Hit, SearchIndex, SearchResults, Snippet
from newsclean.index.target import (
    IndexTarget,
    IndexTargetError,
    Refused,
    TargetDownError,
    Written,
    open_search,
    open_target,
)

__all__ = [
    "AlsoOn",
    "Hit",
    "IndexTarget",
    "IndexTargetError",
    "QueryError",
    "Refused",
    "SearchIndex",
    "SearchRequest",
    "SearchResults",
    "Snippet",
    "TargetDownError",
    "Written",
    "open_search",
    "open_target",
]
