"""The article: what comes out, in Python and in JSON alike."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

import xxhash

from newsclean.extraction.body.markdown import render_markdown
from newsclean.text import fold_spaces


@dataclass
class Article:
    """One article with its metadata; also the item that a crawl exports."""

    #: of the article, for indexes: the same for all its revisions, in every crawl and process; None
    #: if its address is not known
    id: str | None = None
    url: str | None = None
    canonical_url: str | None = None
    site: str | None = None
    #: the neighborhood: the list that led to it
    category: str | None = None
    #: the article's own, where page or address tells it
    section: str | None = None
    #: words above or before the headline: a topic, a place, a series
    kicker: str | None = None
    headline: str | None = None
    #: the standfirst below the headline, where it is apart from the body
    lead: str | None = None
    description: str | None = None
    authors: list[str] = field(default_factory=list)
    publisher: str | None = None
    #: whether it can be read without paying, None where the page does not say
    free_access: bool | None = None
    date_published: str | None = None
    date_modified: str | None = None
    language: str | None = None
    image: str | None = None
    #: the pictures that `body_html` shows: `url`, `caption`, `credit`, `width`, `height`, `role`
    images: list[dict[str, Any]] = field(default_factory=list)
    #: posts and players in the text: `provider`, `address`, `text`
    embeds: list[dict[str, Any]] = field(default_factory=list)
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

    @property
    def markdown(self) -> str:
        """The body as Markdown, made of `body_html` when it is asked for."""
        return render_markdown(self.body_html)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class MarkdownArticle(Article):
    """An article that has its Markdown as a field: for lines in which it is wanted."""

    markdown: str = ""

    @classmethod
    def of(cls, article: Article) -> MarkdownArticle:
        known = {each.name: getattr(article, each.name) for each in fields(Article)}
        return cls(**known, markdown=article.markdown)


def content_hash(headline: str | None, body: str) -> str:
    """A name for what an article says, the same whatever its white space.

    >>> content_hash("Rain", "It rains.") == content_hash("Rain", "It  rains. ")
    True
    """
    text = "\n".join(map(fold_spaces, (headline or "", body)))
    return xxhash.xxh3_128_hexdigest(text.encode("utf-8", "surrogatepass"))
