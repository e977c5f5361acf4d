"""What a template is given to render, and the pieces of markup that templates share."""

import json
from dataclasses import dataclass
from html import escape
from typing import Protocol

from newsclean.demo.adverts import Advert
from newsclean.demo.blocks import Block, Bullets, Figure, Paragraph, Quote, Runs, Subheading, plain
from newsclean.demo.kinds import Kind
from newsclean.demo.world import DemoArticle, Publisher

_EMPTY = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="


@dataclass(frozen=True)
class Noise:
    """What changes with each load of a page."""

    related: tuple[DemoArticle, ...]
    most_read: tuple[DemoArticle, ...]
    adverts: tuple[Advert, ...]


@dataclass(frozen=True)
class Teaser:
    title: str
    href: str
    text: str
    label: str
    image: str
    #: pairs of name and address
    authors: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Listing:
    """A page of teasers: home, section, topic or author."""

    title: str
    intro: str
    path: str
    teasers: tuple[Teaser, ...]
    kind: Kind
    #: topics that the page leads to: pairs of name and address
    topics: tuple[tuple[str, str], ...] = ()
    pages: tuple[str, ...] = ()
    current: int = 0

    @property
    def next_page(self) -> str:
        return self.pages[self.current + 1] if self.current + 1 < len(self.pages) else ""


@dataclass(frozen=True)
class Leaf:
    """A page that is neither article nor list; ``markup`` is HTML already."""

    title: str
    path: str
    markup: str
    kind: Kind


class Template(Protocol):
    """The look of a publisher."""

    def article(self, publisher: Publisher, article: DemoArticle, noise: Noise) -> str: ...

    def listing(self, publisher: Publisher, listing: Listing, noise: Noise) -> str: ...

    def leaf(self, publisher: Publisher, leaf: Leaf, noise: Noise) -> str: ...


def inline(runs: Runs, em: str = "em", strong: str = "strong") -> str:
    """Runs as inline markup."""
    tags = {"em": em, "strong": strong}
    parts: list[str] = []
    for run in runs:
        text = escape(run.text, quote=False)
        if run.kind == "link":
            parts.append(f'<a href="{escape(run.href)}">{text}</a>')
        elif run.kind in tags:
            parts.append(f"<{tags[run.kind]}>{text}</{tags[run.kind]}>")
        else:
            parts.append(text)
    return "".join(parts)


def block_html(block: Block, credit: str, is_late: bool = False) -> str:
    """A block in semantic HTML; a picture that loads late has its address elsewhere."""
    if isinstance(block, Paragraph):
        return f"<p>{inline(block.runs)}</p>"
    if isinstance(block, Subheading):
        return f"<h2>{inline(block.runs)}</h2>"
    if isinstance(block, Quote):
        return f"<blockquote><p>{inline(block.runs)}</p></blockquote>"
    if isinstance(block, Bullets):
        tag = "ol" if block.ordered else "ul"
        items = "\n".join(f"<li>{inline(item)}</li>" for item in block.items)
        return f"<{tag}>\n{items}\n</{tag}>"
    if isinstance(block, Figure):
        alt = escape(plain(block.caption))
        source = f'src="{_EMPTY}" data-src="{block.image}"' if is_late else f'src="{block.image}"'
        return (
            f'<figure><img {source} alt="{alt}" width="720" height="405">\n'
            f"<figcaption>{inline(block.caption)} <small>{credit}</small></figcaption></figure>"
        )
    head = "\n".join(f"<th>{inline(cell)}</th>" for cell in block.head)
    rows = "\n".join(
        "<tr>\n" + "\n".join(f"<td>{inline(cell)}</td>" for cell in row) + "\n</tr>"
        for row in block.rows
    )
    return f"<table>\n<thead><tr>\n{head}\n</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def body_with_inserts(blocks: list[str], inserts: dict[int, str]) -> str:
    """Rendered blocks, with noise put before some of them, as sites do."""
    parts: list[str] = []
    for i, block in enumerate(blocks):
        if i in inserts:
            parts.append(inserts[i])
        parts.append(block)
    return "\n".join(parts)


def json_ld(data: object) -> str:
    """A JSON-LD script; no text in it can end the script element."""
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def links(items: tuple[tuple[str, str], ...], tag: str = "li") -> str:
    """Menu entries: pairs of label and address."""
    return "\n".join(
        f'<{tag}><a href="{escape(href)}">{escape(label)}</a></{tag}>' for label, href in items
    )


def inline_links(items: tuple[tuple[str, str], ...], between: str = ", ") -> str:
    """Links within a line: pairs of label and address."""
    return between.join(f'<a href="{escape(href)}">{escape(label)}</a>' for label, href in items)
