"""Turn a JSON line into a readable page.

The line is not trusted: fields of the wrong type are ignored, texts lose line breaks and control
characters, URLs must be absolute HTTP URLs, and the body is sanitized again. Templates escape
everything else.
"""

from __future__ import annotations

import posixpath
from base64 import b64encode
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from newsclean.apps.reader.article_body import (
    NO_DATE,
    Body,
    Moment,
    clean_body,
    day_words,
    direction,
    language_tag,
    moment,
    paragraphs_of,
)
from newsclean.apps.templating import template_environment, template_file
from newsclean.extraction.text import visible_text
from newsclean.urls import resolve_url, site_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment


_Line = dict[str, Any]

_MAX_TEXT = 1000  # characters of a headline, a name or a caption
_MAX_VALUES = 50  # of a list: authors, keywords, embeds
_UNKNOWN_SITE = "unknown site"
NO_HEADLINE = "No headline"
STYLE = "style.css"


@dataclass(frozen=True, slots=True)
class Picture:
    url: str
    caption: str = ""
    credit: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Embed:
    """A video or post that only the original page displays."""

    provider: str
    url: str
    text: str = ""


@dataclass(frozen=True)
class ReaderArticle:
    """The values for the page of an article."""

    headline: str
    site: str
    body: Body
    url: str | None = None
    kicker: str = ""
    lead: str = ""
    authors: list[str] = field(default_factory=list)
    publisher: str = ""
    section: str = ""
    published: Moment | None = None
    modified: Moment | None = None
    fetched: Moment | None = None
    language: str = ""
    picture: Picture | None = None
    embeds: list[Embed] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    is_paid: bool = False

    @property
    def direction(self) -> str:
        return direction(self.language)

    @property
    def updated(self) -> Moment | None:
        """The modification date, or else the publication or download date."""
        return self.modified or self.published or self.fetched

    @property
    def shown_change(self) -> Moment | None:
        """The modification date, if it is later than the publication date."""
        if self.modified is None or self.published is None:
            return self.modified
        return self.modified if self.modified.instant > self.published.instant else None


def read_article(
    line: Mapping[str, Any], *, images: bool = True, house_pictures: frozenset[str] = frozenset()
) -> ReaderArticle:
    """Read the article of a line; `house_pictures` belong to the site, not to the article."""
    url = web_url(line.get("url"))
    html = line.get("body_html")
    if not isinstance(html, str) or not html.strip():
        html = paragraphs_of(full_text(line.get("body")))
    body = clean_body(html, url, images=images)
    picture = _lead_picture(line, body, house_pictures) if images else None
    return ReaderArticle(
        headline=headline_of(line),
        site=site_name(line),
        body=body,
        url=url,
        kicker=text(line.get("kicker")),
        lead=_lead_of(line),
        authors=texts(line.get("authors")),
        publisher=text(line.get("publisher")),
        section=section_of(line),
        published=moment(line.get("date_published")),
        modified=moment(line.get("date_modified")),
        fetched=moment(line.get("fetched_at")),
        language=language_tag(line.get("language")),
        picture=picture,
        embeds=_embeds_of(line, body),
        keywords=texts(line.get("keywords")),
        is_paid=line.get("free_access") is False,
    )


def headline_of(line: Mapping[str, Any]) -> str:
    return text(line.get("headline")) or NO_HEADLINE


def site_name(line: Mapping[str, Any]) -> str:
    return text(line.get("site")) or site_of(web_url(line.get("url"))) or _UNKNOWN_SITE


def section_of(line: Mapping[str, Any]) -> str:
    """Return the section of the article, or the category it was found in."""
    return text(line.get("section")) or text(line.get("category"))


def _lead_of(line: Mapping[str, Any]) -> str:
    """Return the lead, unless the text begins with it."""
    lead = text(line.get("lead"))
    return "" if text(line.get("body")).startswith(lead) else lead


def _lead_picture(
    line: Mapping[str, Any], body: Body, house_pictures: frozenset[str]
) -> Picture | None:
    """Return the picture above the text, unless the body has it.

    The preview picture of a page (`image`) is often a picture of the body in another size: it is
    only used if the body has none.
    """
    for entry in entries(line.get("images")):
        url = web_url(entry.get("url"))
        if entry.get("role") == "lead" and url and url not in body.pictures:
            size = (whole_number(entry.get("width")), whole_number(entry.get("height")))
            return Picture(url, text(entry.get("caption")), text(entry.get("credit")), *size)
    url = web_url(line.get("image"))
    return Picture(url) if url and not body.pictures and url not in house_pictures else None


def _embeds_of(line: Mapping[str, Any], body: Body) -> list[Embed]:
    found = []
    for entry in entries(line.get("embeds")):
        url = web_url(entry.get("address"))
        if url and url not in body.links:
            found.append(Embed(text(entry.get("provider")), url, text(entry.get("text"))))
    return found


def entries(value: object) -> list[dict[str, Any]]:
    """Return the objects in a list."""
    found = value[:_MAX_VALUES] if isinstance(value, list) else []
    return [entry for entry in found if isinstance(entry, dict)]


def text(value: object) -> str:
    """Return a text on one line. Markup in it is plain text.

    >>> text(" Rain \\n <b>and</b> wind\\x00"), text(None), text(7)
    ('Rain <b>and</b> wind', '', '')
    """
    return " ".join(full_text(value)[: _MAX_TEXT * 2].split())[:_MAX_TEXT]


def full_text(value: object) -> str:
    return visible_text(value) if isinstance(value, str) else ""


def texts(value: object) -> list[str]:
    """Return the distinct texts in a list.

    >>> texts(["Ada", " Ada", None, "Bo"]), texts("Ada")
    (['Ada', 'Bo'], [])
    """
    found = value[:_MAX_VALUES] if isinstance(value, list) else []
    return list(dict.fromkeys(filter(None, map(text, found))))


def web_url(value: object) -> str | None:
    """Return an absolute HTTP URL, None for anything else.

    >>> web_url("https://example.org/a"), web_url("javascript:x"), web_url("/a")
    ('https://example.org/a', None, None)
    """
    return resolve_url(value, None)


def whole_number(value: object) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 < value < 100_000 else None  # type: ignore[operator,return-value]


@cache
def environment() -> Environment:
    made = template_environment("newsclean.apps.reader")
    made.filters["day"] = lambda day: day_words(day) if day else NO_DATE
    return made


@cache
def style() -> str:
    return template_file("newsclean.apps.reader", STYLE)


def policy(*, images: bool, inline_style: bool = False) -> str:
    """Return the content security policy of a page: its style, and pictures if it has any.

    `file:` is for pages opened from disk, where no file has the same origin.
    """
    digest = b64encode(sha256(style().encode()).digest()).decode()
    styles = f"'sha256-{digest}'" if inline_style else "'self' file:"
    pictures = "img-src http: https:; " if images else ""
    return f"default-src 'none'; {pictures}style-src {styles}; base-uri 'none'; form-action 'none'"


def render(template: str, path: str, **values: Any) -> str:
    """Render the page at `path`, with links relative to it."""

    def link(target: str) -> str:
        return posixpath.relpath(target, posixpath.dirname(path) or ".")

    return environment().get_template(template).render(link=link, **values)


def article_page(article: ReaderArticle, path: str, *, title: str, links: dict[str, str]) -> str:
    """Render an article's page in a folder of pages; `links` are the lists that contain it."""
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
    """Render an article as one self-contained file."""
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


def page_of(line: Mapping[str, Any], *, images: bool = True) -> str:
    """Render a line as one page: the format `page` of `newsclean extract`."""
    return single_page(read_article(line, images=images)).rstrip()
