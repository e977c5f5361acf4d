"""Lines of a crawl, with invented articles."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def article_id(number: int) -> str:
    return hashlib.md5(str(number).encode()).hexdigest()


def line(number: int = 1, **fields: Any) -> dict[str, Any]:
    """An article with all fields that a crawl writes."""
    return {
        "id": article_id(number),
        "url": f"https://example.org/news/rain-{number}.html",
        "canonical_url": None,
        "site": "example.org",
        "category": "news",
        "section": "News",
        "kicker": None,
        "headline": f"Rain, day {number}",
        "lead": None,
        "description": "It rains, and nobody knows for how long.",
        "authors": ["Ada Berg"],
        "publisher": None,
        "free_access": None,
        "date_published": f"2026-03-{1 + number % 28:02}T09:05:00+01:00",
        "date_modified": None,
        "language": "en",
        "image": None,
        "images": [],
        "embeds": [],
        "keywords": ["weather"],
        "body": f"It has rained for {number} days.",
        "body_html": f"<p>It has rained for {number} days.</p>",
        "is_article": True,
        "article_probability": 0.99,
        "fetched_at": "2026-03-29T10:00:00+00:00",
        "revision": 1,
        "unchanged": False,
        "content_hash": article_id(number),
        "extraction": {"method": "hybrid", "score": 0.9, "neighbors": 5},
    } | fields


def write_lines(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    return path
