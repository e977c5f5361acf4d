"""One page in, one article out: the way of a page without a crawl around it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from newsclean.article import Article, content_hash
from newsclean.articles import Judgement, judge
from newsclean.metadata import Metadata, detected_language, read_metadata
from newsclean.methods import DEFAULT_METHOD, Choice, Method, method_named
from newsclean.neighborhood import Neighborhood
from newsclean.page import Page
from newsclean.render import Body, body_of, render_html, render_text
from newsclean.site import site_of

if TYPE_CHECKING:
    from newsclean.neighborhood import Known


def extract(
    html: str | bytes | Page,
    url: str | None = None,
    *,
    neighborhood: Neighborhood | None = None,
    method: str = DEFAULT_METHOD,
    content_type: str | None = None,
    html_body: bool = True,
    images: bool = True,
) -> Article:
    """The article of a page.

    `html` is a document as text, as bytes (the encoding is then found as browsers do, with the
    help of the `content_type` header if given) or a `Page`. A `neighborhood` that has learned
    other pages of the same site and category tells what the site repeats. Who wants the text only
    saves time without `html_body`. A page that cannot be used at all raises `PageError`.

    >>> article = extract("<h1>Rain</h1><p>It has rained in <b>Bergen</b> for nine days.")
    >>> article.headline, article.body
    ('Rain', 'It has rained in Bergen for nine days.')
    """
    chosen = method_named(method)
    if not isinstance(neighborhood, Neighborhood | None):
        raise TypeError(
            "neighborhood is a Neighborhood that has learned pages, "
            f"not {type(neighborhood).__name__}"
        )
    if neighborhood is not None and neighborhood.keying != chosen.keying:
        raise ValueError(
            f"method {method!r} needs Neighborhood(keying={chosen.keying!r}), "
            f"not {neighborhood.keying!r}"
        )
    page = html if isinstance(html, Page) else Page.from_html(html, url, content_type)
    url = url or page.url
    if url != page.url:
        page = replace(page, url=url)
    known = None if neighborhood is None else neighborhood.ask(page, url)
    choice = chosen.choose(page, known)
    metadata = read_metadata(page.elements, url)
    article = Article(url=url, site=site_of(url))
    body = body_of(page, choice, metadata)
    write_content(article, page, body, html_body=html_body, images=images)
    judgement = judge(page, body.text, metadata, choice)
    article.extraction = describe(page, chosen, choice, known)
    write_judgement(article, judgement)
    write_metadata(article, metadata, body.headline)
    return article


def write_content(
    article: Article, page: Page, body: Body, *, html_body: bool = True, images: bool = True
) -> None:
    """Put the text and, if wanted, the HTML into an article."""
    article.body = render_text(page, body.text)
    if html_body:
        article.body_html = render_html(page, body.html, images=images)


def write_judgement(article: Article, judgement: Judgement) -> None:
    """Put into an article whether it is one, and into its `extraction` why it is none."""
    article.is_article = judgement.is_article
    article.article_probability = round(judgement.probability, 4)
    if judgement.reason:
        article.extraction["no_article"] = judgement.reason


def write_metadata(article: Article, metadata: Metadata, shown: str | None = None) -> None:
    """Put what the page says of itself into an article that has its body.

    `shown` is the headline above the body, if the page has one there; it is better than a title
    that holds it and more.
    """
    article.canonical_url = metadata.canonical_url
    article.headline = metadata.headline
    if shown and shown in (metadata.headline or shown):
        article.headline = shown
    article.description = metadata.description
    article.authors = metadata.authors
    article.date_published = metadata.date_published
    article.date_modified = metadata.date_modified
    article.language = metadata.language or detected_language(article.body)
    article.image = metadata.image
    article.keywords = metadata.keywords
    article.content_hash = content_hash(article.headline, article.body)


def describe(page: Page, method: Method, choice: Choice, known: Known | None) -> dict[str, Any]:
    """How an article was found, for its `extraction` field."""
    description: dict[str, Any] = {
        "method": method.name,
        "score": round(choice.score, 4),
        "neighbors": known.neighbors if known else 0,
        "scope": known.scope if known and known.neighbors else None,
    }
    if choice.way:
        description["way"] = choice.way
    for kind in ("static", "dynamic"):
        marks = choice.noise.get(kind)
        marked = page.is_text & marks if marks is not None else None
        description[f"{kind}_nodes"] = 0 if marked is None else int(marked.sum())
        description[f"{kind}_chars"] = 0 if marked is None else int(page.chars[marked].sum())
    return description
