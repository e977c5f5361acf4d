"""Lines of JSON as a crawl writes them, with invented articles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from newsclean.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def line(number: int = 1, **fields: Any) -> dict[str, Any]:
    day = 1 + number % 28
    return {
        "url": f"https://example.org/news/rain-{number}.html",
        "site": "example.org",
        "section": "News",
        "headline": f"Rain, day {number}",
        "description": "It rains, and nobody knows for how long.",
        "authors": ["Ada Berg"],
        "date_published": f"2026-03-{day:02}T09:05:00+01:00",
        "language": "en",
        "body": f"It has rained for {number} days.",
        "body_html": f"<p>It has rained for {number} days.</p>",
        "is_article": True,
        "fetched_at": "2026-03-29T10:00:00+00:00",
        "revision": 1,
    } | fields


def write_lines(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    return path


def read(out: Path, *arguments: object) -> int:
    return main(["read", *map(str, arguments), "--out", str(out)])


def pages(out: Path) -> dict[str, bytes]:
    """All files of a folder with what is in them."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file()
    }


def article_pages(out: Path) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(out.glob("articles/*/*.html"))]
