"""The article: what comes out, in Python and in JSON alike."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import xxhash


@dataclass
class Article:
    """One article with its metadata; also the item that a crawl exports."""

    url: str | None = None
    canonical_url: str | None = None
    site: str | None = None
    #: the neighborhood: the list that led to it
    category: str | None = None
    #: the article's own, where page or address tells it
    section: str | None = None
    headline: str | None = None
    description: str | None = None
    authors: list[str] = field(default_factory=list)
    date_published: str | None = None
    date_modified: str | None = None
    language: str | None = None
    image: str | None = None
    keywords: list[str] = field(default_factory=list)
    #: plain text, one blank line between paragraphs
    body: str = ""
    #: clean HTML with its formatting, safe to show
    body_html: str = ""
    is_article: bool = False
    #: how likely the page is an article, from 0 to 1
    article_probability: float = 0.0
    fetched_at: str | None = None
    #: 1 when the article is seen first, one more each time that its content has changed
    revision: int = 1
    #: delivered before as it is now, at this address or another one; see `NEWSCLEAN_DROP`
    unchanged: bool = False
    content_hash: str | None = None
    #: how it was extracted: method, score, neighbors, and how much was noise
    extraction: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def content_hash(headline: str | None, body: str) -> str:
    """A name for what an article says, the same whatever its white space.

    >>> content_hash("Rain", "It rains.") == content_hash("Rain", "It  rains. ")
    True
    """
    text = "\n".join(" ".join(part.split()) for part in (headline or "", body))
    return xxhash.xxh3_128_hexdigest(text.encode("utf-8", "surrogatepass"))
