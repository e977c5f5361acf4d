"""One article of the crawl: the page as it was fetched, and what was made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from newsclean.page import Page

if TYPE_CHECKING:
    from rich.console import RenderableType
    from scrapy.http import Response

    from newsclean.article import Article

EXCERPT = 900  # characters


def lead_picture(article: Article) -> dict[str, Any] | None:
    return next((image for image in article.images if image["role"] == "lead"), None)


def before_and_after(article: Article, response: Response) -> list[Panel]:
    page = Page.from_html(response.body, response.url)
    before = " · ".join(page.blocks.text)
    after = Group(fields(article), Text(), excerpt(article.body))
    return [
        panel("before", response.url, excerpt(before)),
        panel("after", article.headline or "", after),
    ]


def fields(article: Article) -> Table:
    """Who wrote it and when, its lead picture, and what is embedded."""
    picture = lead_picture(article) or {}
    rows = [
        ("kicker", article.kicker),
        ("authors", ", ".join(article.authors)),
        ("published", article.date_published),
        ("lead picture", picture.get("url")),
        ("caption", picture.get("caption")),
        ("credit", picture.get("credit")),
        *(("embed", f"{embed['provider']} {embed['address']}") for embed in article.embeds),
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        if value:
            table.add_row(name, Text(value))
    return table


def panel(when: str, name: str, content: RenderableType) -> Panel:
    return Panel(content, title=escape(f"{when}: {name}"), title_align="left")


def excerpt(text: str) -> Text:
    return Text(text if len(text) <= EXCERPT else f"{text[:EXCERPT]} …")
