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
    """One article with its metadata; also the item that a crawl exports.

    The comments are the descriptions in docs/fields.md and docs/article.schema.json.
    """

    #: the article's id for indexes; null if neither its URL nor its file is known
    id: str | None = None
    #: the URL from which it was fetched
    url: str | None = None
    #: the URL that the page declares as its own
    canonical_url: str | None = None
    #: host without `www.`, with its port if that is not the default
    site: str | None = None
    #: the name of the list page that led to it; pages of one category are neighbors
    category: str | None = None
    #: the article's own section, if the page or its URL names one
    section: str | None = None
    #: the words above or before the headline: a topic, a place, a series
    kicker: str | None = None
    #: the headline
    headline: str | None = None
    #: the standfirst, if it is separate from the body
    lead: str | None = None
    #: the summary in the page's head
    description: str | None = None
    #: names
    authors: list[str] = field(default_factory=list)
    #: the name of the publisher
    publisher: str | None = None
    #: whether it can be read without paying; null if the page does not say
    free_access: bool | None = None
    #: ISO 8601; `extraction.date_source` says where it was found
    date_published: str | None = None
    #: ISO 8601
    date_modified: str | None = None
    #: ISO 639 code, optionally with a region
    language: str | None = None
    #: the URL of the picture that represents the article
    image: str | None = None
    #: the pictures in `body_html`
    images: list[PictureFields] = field(default_factory=list)
    #: embedded posts, videos and the like
    embeds: list[EmbedFields] = field(default_factory=list)
    #: keywords
    keywords: list[str] = field(default_factory=list)
    #: plain text, one blank line between paragraphs
    body: str = ""
    #: clean HTML that keeps its formatting, safe to display
    body_html: str = ""
    #: whether the page is an article
    is_article: bool = False
    #: the probability that it is one
    article_probability: float = 0.0
    #: ISO 8601; null for a saved page if it is not known
    fetched_at: str | None = None
    #: 1 for the first version; each change adds 1
    revision: int = 1
    #: true if this revision has been delivered before; see `NEWSCLEAN_DROP`
    unchanged: bool = False
    #: equal for equal headline and text
    content_hash: str | None = None
    #: the id of another site's article, if this is a near copy of it; only on request
    copy_of: str | None = None
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

    #: the body as Markdown; only on request
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
