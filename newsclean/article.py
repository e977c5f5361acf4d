"""The article: what an extraction returns and a crawl exports."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, get_args, get_type_hints

import xxhash

from newsclean.extraction.body.embeds import EmbedFields
from newsclean.extraction.body.markdown import render_markdown
from newsclean.extraction.body.pictures import PictureFields
from newsclean.extraction.text import fold_spaces


@dataclass
class Article:
    """One article with its metadata; also the item that a crawl exports."""

    #: the same for all revisions of the article, in every crawl; None if its URL is unknown
    id: str | None = None
    url: str | None = None
    canonical_url: str | None = None
    site: str | None = None
    #: the section page that led to it, which is also its neighborhood
    category: str | None = None
    #: the article's own section, if the page or its URL names one
    section: str | None = None
    #: the words above or before the headline: a topic, a place, a series
    kicker: str | None = None
    headline: str | None = None
    #: the standfirst below the headline, if it is not part of the body
    lead: str | None = None
    description: str | None = None
    authors: list[str] = field(default_factory=list)
    publisher: str | None = None
    #: whether it can be read without paying, None if the page does not say
    free_access: bool | None = None
    date_published: str | None = None
    date_modified: str | None = None
    language: str | None = None
    image: str | None = None
    #: the pictures in `body_html`
    images: list[PictureFields] = field(default_factory=list)
    #: posts and players in `body_html`
    embeds: list[EmbedFields] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    #: plain text, with a blank line between paragraphs
    body: str = ""
    #: clean HTML that keeps its formatting, safe to display
    body_html: str = ""
    is_article: bool = False
    #: the probability that the page is an article
    article_probability: float = 0.0
    fetched_at: str | None = None
    #: 1 at first, one more each time that the article has changed
    revision: int = 1
    #: whether it was delivered before as it is now; see `NEWSCLEAN_DROP`
    unchanged: bool = False
    content_hash: str | None = None
    #: how it was extracted: method, score, neighbors, noise
    extraction: dict[str, Any] = field(default_factory=dict)

    @property
    def markdown(self) -> str:
        """The body as Markdown, made from `body_html`."""
        return render_markdown(self.body_html)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class MarkdownArticle(Article):
    """An article that exports its Markdown, too."""

    markdown: str = ""

    @classmethod
    def of(cls, article: Article) -> MarkdownArticle:
        known = {each.name: getattr(article, each.name) for each in fields(Article)}
        return cls(**known, markdown=article.markdown)


def field_types(of: type = Article) -> dict[str, Any]:
    """Return the type of each field of an article, without `None`.

    >>> field_types()["headline"], field_types()["authors"]
    (<class 'str'>, list[str])
    """
    hints = get_type_hints(of)
    return {
        name: next((each for each in get_args(hint) if type(None) in get_args(hint)), hint)
        for name, hint in hints.items()
    }


def content_hash(headline: str | None, body: str) -> str:
    """Return a hash of headline and body, whatever their white space.

    >>> content_hash("Rain", "It rains.") == content_hash("Rain", "It  rains. ")
    True
    """
    text = "\n".join(map(fold_spaces, (headline or "", body)))
    return xxhash.xxh3_128_hexdigest(text.encode("utf-8", "surrogatepass"))
