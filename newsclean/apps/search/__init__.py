"""Index and search articles: in a local file (SQLite FTS5), or on a server."""

from newsclean.apps.search.index_target import (
    IndexTarget,
    IndexTargetError,
    Refused,
    TargetDownError,
    Written,
    open_search,
    open_target,
)
from newsclean.apps.search.query_language import QueryError, SearchRequest
from newsclean.apps.search.search_results import (
    AlsoOn,
    Hit,
    ListedArticle,
    ListPlace,
    SearchIndex,
    SearchResults,
    Snippet,
)

__all__ = [
    "AlsoOn",
    "Hit",
    "IndexTarget",
    "IndexTargetError",
    "ListPlace",
    "ListedArticle",
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
