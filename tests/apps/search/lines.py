"""Articles as a crawl exports them, and an index of them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from newsclean.apps.search import SearchRequest, SearchResults, Written, open_search, open_target

Line = dict[str, Any]


def line(name: str = "1", body: str = "It rains.", **fields: Any) -> Line:
    """An article with this id."""
    known: Line = {
        "id": name,
        "url": f"https://example.org/{name}",
        "site": "example.org",
        "section": "weather",
        "headline": "A headline",
        "language": "en",
        "date_published": "2026-03-14T08:00:00+00:00",
        "body": body,
        "body_html": "",
        "is_article": True,
        "fetched_at": "2026-03-14T09:00:00+00:00",
        "revision": 1,
    }
    return known | fields


def write(path: Path | str, *lines: Line) -> Written:
    with closing(open_target(str(path))) as index:
        return index.write(lines)


def search(path: Path | str, query: str, **options: Any) -> SearchResults:
    with closing(open_search(str(path))) as index:
        return index.search(SearchRequest(query, **options))


def found(path: Path | str, query: str, **options: Any) -> list[str]:
    """The ids of what is found, in its order."""
    return [hit.id for hit in search(path, query, **options).hits]


def marked(path: Path | str, query: str) -> list[str]:
    """What is marked in the first snippet."""
    (hit, *_) = search(path, query).hits
    return [text for text, is_marked in hit.snippet.parts() if is_marked]
