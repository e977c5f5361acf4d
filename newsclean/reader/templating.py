"""The templates, and what is the same for all pages: style, policy, links.

Everything that is put into a template is escaped, but for the body, which is clean.
"""

from __future__ import annotations

import posixpath
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from newsclean.reader.dates import NO_DATE, day_words

if TYPE_CHECKING:
    from newsclean.reader.article import ReaderArticle

STYLE = "style.css"


@cache
def environment() -> Environment:
    """Jinja with the templates of this package."""
    made = Environment(
        loader=PackageLoader("newsclean.reader"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["day"] = lambda day: day_words(day) if day else NO_DATE
    return made


@cache
def style() -> str:
    """The style sheet of all pages."""
    source, _, _ = PackageLoader("newsclean.reader").get_source(environment(), STYLE)
    return source


def policy(*, images: bool, inline_style: bool = False) -> str:
    """What a page may ask for: its style and, on an article's page, pictures; nothing else.

    `file:` is for those who open the pages from a disk: no page is of the same origin there.
    """
    digest = b64encode(sha256(style().encode()).digest()).decode()
    styles = f"'sha256-{digest}'" if inline_style else "'self' file:"
    pictures = "img-src http: https:; " if images else ""
    return f"default-src 'none'; {pictures}style-src {styles}; base-uri 'none'; form-action 'none'"


def render(template: str, path: str, **values: Any) -> str:
    """A page that will be at `path`, with links relative to it."""

    def link(target: str) -> str:
        return posixpath.relpath(target, posixpath.dirname(path) or ".")

    return environment().get_template(template).render(link=link, **values)


def article_page(article: ReaderArticle, path: str, *, title: str, links: dict[str, str]) -> str:
    """The page of an article in a folder of pages; `links` leads to lists that have it."""
    shows_pictures = bool(article.picture or article.body.pictures)
    return render(
        "article.html",
        path,
        article=article,
        body=Markup(article.body.html),
        title=title,
        links=links,
        policy=policy(images=shows_pictures),
        inline_style=None,
    )


def single_page(article: ReaderArticle) -> str:
    """The page of an article as one file, with its style in it."""
    shows_pictures = bool(article.picture or article.body.pictures)
    return render(
        "article.html",
        "",
        article=article,
        body=Markup(article.body.html),
        title=None,
        links={},
        policy=policy(images=shows_pictures, inline_style=True),
        inline_style=Markup(style()),
    )
