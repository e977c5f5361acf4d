"""A page as it was, made harmless, with its blocks marked: what the frame of the map shows.

Nothing of it runs and nothing is asked for: nh3 keeps a list of tags and attributes, among which
is no address, a policy refuses every request, and the frame is sandboxed. Style sheets that are in
the page stay; those that would have to be fetched do not.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any

import nh3
import numpy as np
from lxml import etree
from markupsafe import Markup

from newsclean.apps.look.marking import counts_by_kind, mark_blocks
from newsclean.apps.reader.article_pages import read_article
from newsclean.apps.templating import template_environment, template_file
from newsclean.extraction.page.columns import LINE_BREAKING, TEXT
from newsclean.text import visible_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from newsclean.apps.look.marking import BlockKind, MarkedBlock
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.page import Page


BLOCK, _KIND = "data-newsclean-block", "data-newsclean-kind"
#: What a framed page may ask for: nothing. Pictures that are in the page itself are shown.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
#: What a page's style may weigh, in characters.
_MAX_STYLE = 2_000_000

_INLINE = frozenset(
    "a abbr b bdi bdo big cite code del dfn em font i img ins kbd label mark q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr".split()
)
_STRUCTURE = frozenset(
    "address article aside blockquote br caption center col colgroup dd details dir div dl dt "
    "fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav "
    "ol p picture pre search section summary table tbody td tfoot th thead tr ul".split()
)
TAGS = _INLINE | _STRUCTURE
#: Whatever is in them is not shown. What the walk reads as text is not among them.
_DROPPED = frozenset(
    "script style template svg math textarea title meta link base embed applet datalist".split()
)
#: What a document consists of.
_OUTER = ("html", "head", "body", "frameset")
_ATTRIBUTES = {
    "*": {
        "class", "id", "style", "dir", "lang", "align", "valign", "width", "height", "bgcolor",
        "color", "size", "face", "border", "cellpadding", "cellspacing", "hidden", "open",
        "tabindex", BLOCK, _KIND,
    },
    "img": {"src", "alt"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "ol": {"start", "type"},
}  # fmt: skip

_IMPORTANT = re.compile(r"!\s*important", re.IGNORECASE)
_IMPORT = re.compile(r"@import[^;{}]*;?", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:url|src|image|(?:-webkit-)?image-set)\((?!\s*['\"]?data:image/)[^)]*\)?", re.IGNORECASE
)
_END_OF_STYLE = re.compile(r"<(?=[/!])")


def _without_addresses(css: str) -> str:
    """Style that names nothing outside the page; what is written in disguise, the policy refuses.

    >>> _without_addresses("@import 'x.css'; p { background: url(//x.example/a) red }")
    ' p { background: none red }'
    """
    return _ADDRESS.sub("none", _IMPORT.sub("", css))


def _kept(tag: str, attribute: str, value: str) -> str | None:
    """An attribute's value; an address is that of a picture in the page itself, or none."""
    if attribute == "style":
        return _IMPORTANT.sub("", _without_addresses(value))  # the tint is what is looked at
    return None if attribute == "src" and not value.startswith("data:image/") else value


_CLEANER = nh3.Cleaner(
    tags=set(TAGS),
    attributes=_ATTRIBUTES,
    attribute_filter=_kept,
    url_schemes={"data"},
    clean_content_tags={"script", "style"},
    link_rel=None,
    strip_comments=True,
)


def framed_page(page: Page, blocks: Sequence[MarkedBlock]) -> str:
    """The document of the frame.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html("<p onclick=x()>Rain<script>x()</script><img src=//evil.example/a>")
    >>> framed_page(page, []).partition("<body>")[2].partition("</body>")[0]
    '<p>Rain<img></p>'
    """
    copy = _marked_copy(page, blocks)
    body = copy.find("body") if copy.tag == "html" else None
    inner = _inner_html(copy)
    # Bytes that nh3 would take for something else are gone before it looks.
    cleaned = _CLEANER.clean(visible_text(inner))
    styles = "".join(f"<style>{text}</style>\n" for text in _styles(page))
    root_attributes = _kept_attributes(copy) if copy.tag == "html" else ""
    body_attributes = "" if body is None else _kept_attributes(body)
    return (
        f'<!DOCTYPE html>\n<html{root_attributes}>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<title>The page as it was</title>\n'
        f"<style>{_frame_style()}</style>\n{styles}</head>\n"
        f"<body{body_attributes}>{cleaned}</body>\n</html>\n"
    )


@cache
def _frame_style() -> str:
    return template_file("newsclean.apps.look", "frame.css")


def _styles(page: Page) -> list[str]:
    """The style sheets in the page; none of them can end its element early."""
    found, size = [], 0
    for element in page.elements("style"):
        text = element.text or ""
        size += len(text)
        if size > _MAX_STYLE:
            break
        found.append(_END_OF_STYLE.sub(r"<\\", _without_addresses(text)).replace("\x00", ""))
    return found


def _kept_attributes(element: etree._Element) -> str:
    """Language, direction and names of `html` and `body`, by which style sheets select."""
    kept = ""
    for name in ("class", "id", "lang", "dir", "style"):
        value = element.get(name)
        if value and name == "style":
            value = _without_addresses(value)
        if value:
            kept += f' {name}="{escape(visible_text(value))}"'
    return kept


def _inner_html(root: etree._Element) -> str:
    """All that is in `body`; and in `head`, where the parser has put text that a browser shows."""
    _drop_and_rename(root)
    parts = []
    for part in root if root.tag == "html" else [root]:
        is_body = part.tag in _OUTER
        if is_body:
            parts.append(escape(part.text or "", quote=False))
        elements = part if is_body else [part]
        parts += [etree.tostring(each, method="html", encoding="unicode") for each in elements]
    return "".join(parts)


def _marked_copy(page: Page, blocks: Sequence[MarkedBlock]) -> etree._Element:
    """The tree with a mark at each block: on its own element, or around each of its texts."""
    root = deepcopy(page.root)
    for element in root.iter("*"):
        for name in (BLOCK, _KIND, "tabindex"):  # of the page's own, they would pass for ours
            if name in element.attrib:
                del element.attrib[name]
    copies = dict(zip(page.root.iter(), root.iter(), strict=True))
    elements = [None if element is None else copies[element] for element in page.element]
    texts_until = np.concatenate(([0], np.cumsum(page.is_text))).tolist()
    edges = [*page.blocks.start.tolist(), len(page.text_rows)]
    places = [_text_place(page, row) for row in page.text_rows.tolist()]
    for block in blocks:
        first, past = edges[block.number], edges[block.number + 1]
        rows = page.text_rows[first:past].tolist()
        own = _own_element(page, rows, texts_until)
        if own is not None:
            _mark(elements[own], block)
            continue
        for place in range(first, past):
            row, is_tail = places[place]
            if row >= 0:
                _wrap(elements[row], is_tail, block)
    return root


def _own_element(page: Page, rows: list[int], texts_until: list[int]) -> int | None:
    """The innermost line-breaking element that holds these texts and no others."""
    row = page.parents[rows[0]]
    while row > 0:
        end = page.ends[row]
        if end >= rows[-1]:
            if texts_until[end + 1] - texts_until[row] != len(rows):
                return None
            tag = page.tag[row]
            if tag in LINE_BREAKING:
                return row if tag in _STRUCTURE else None
        row = page.parents[row]
    return None


def _text_place(page: Page, row: int) -> tuple[int, bool]:
    """The element whose text, or tail, a row is; -1 if that cannot be said."""
    parent, before = page.parents[row], row - 1
    if before == parent:
        return parent, False
    while before >= 0 and page.parents[before] != parent:
        before = page.parents[before]
    if before < 0 or page.tag[before] == TEXT:  # after a comment
        return -1, False
    return before, True


def _mark(element: etree._Element | None, block: MarkedBlock) -> None:
    if element is not None:
        element.set(BLOCK, str(block.number))
        element.set(_KIND, block.kind)
        element.set("tabindex", "-1")


def _wrap(element: etree._Element | None, is_tail: bool, block: MarkedBlock) -> None:
    """Put a text into a span of its own."""
    if element is None:
        return
    span = etree.Element("span")
    _mark(span, block)
    if is_tail:
        span.text, element.tail = element.tail, None
        element.addnext(span)
    else:
        span.text, element.text = element.text, None
        element.insert(0, span)


def _drop_and_rename(root: etree._Element) -> None:
    for element in list(root.iter()):
        if element.tag in _OUTER and element.getparent() in (None, root):
            continue
        if not isinstance(element.tag, str) or element.tag in _DROPPED:
            _remove(element)
        elif element.tag not in TAGS:
            # What could be used or loaded is a plain box, and so is what browsers read otherwise.
            element.tag = "div" if element.tag in LINE_BREAKING else "span"


def _remove(element: etree._Element) -> None:
    """Take an element out of its tree; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


# The noise map as one file: everything in it, nothing from outside.

#: Letters of a block that the map repeats where it says why.
_MAX_SHOWN = 400


@dataclass(frozen=True)
class MapView:
    """All that the templates of the map show of a page."""

    title: str
    headline: str
    byline: str
    summary: str
    url: str | None
    language: str
    direction: str
    body: Markup
    blocks: list[MarkedBlock]
    counts: list[tuple[BlockKind, int, int]]
    #: the reasons, as JSON that no `</script>` can end
    data: Markup
    #: the document of the frame
    frame: str


def map_view(extraction: Extraction, source: str = "") -> MapView:
    """The map of a page; `source` names it where it has no headline."""
    blocks = mark_blocks(extraction)
    article = read_article(extraction.article().to_dict(), images=False)
    neighbors = extraction.evidence.neighbors
    count = 0 if neighbors is None else neighbors.count
    parts = [", ".join(article.authors), article.published.words if article.published else ""]
    words = f"{count} neighbor{'s' if count != 1 else ''}" if count else "no neighbors"
    return MapView(
        title=extraction.headline or source or extraction.page.url or "A page",
        headline=extraction.headline or "",
        byline=" · ".join(filter(None, parts)),
        summary=f"By {extraction.method.name}, with {words}.",
        url=article.url,
        language=article.language,
        direction=article.direction,
        body=Markup(article.body.html),
        blocks=blocks,
        counts=counts_by_kind(blocks),
        data=_script_json([_as_data(block) for block in blocks]),
        frame=framed_page(extraction.page, blocks),
    )


def look_page(extraction: Extraction, source: str = "") -> str:
    """The noise map of a page as one HTML document."""
    view = map_view(extraction, source)
    script = asset("map.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    # The frame takes over the policy of what is around it, and keeps the page's own style.
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'"
    )
    frame = Markup(f'srcdoc="{escape(view.frame)}"')
    return (
        environment()
        .get_template("look.html")
        .render(
            view=view,
            frame=frame,
            policy=policy,
            style=Markup(asset("map.css")),
            script=Markup(script),
        )
    )


def _script_json(value: Any) -> Markup:
    """JSON for a `<script>`, in which nothing can end it.

    >>> _script_json(["</script><!--"])
    Markup('["\\\\u003c/script>\\\\u003c!--"]')
    """
    return Markup(json.dumps(value, ensure_ascii=True).replace("<", "\\u003c"))


@cache
def asset(name: str) -> str:
    """A style sheet or script of this package."""
    return template_file("newsclean.apps.look", name)


@cache
def environment() -> Environment:
    return template_environment("newsclean.apps.look")


def _as_data(block: MarkedBlock) -> dict[str, Any]:
    shown = block.text if len(block.text) <= _MAX_SHOWN else block.text[: _MAX_SHOWN - 1] + "…"
    return {
        "kind": block.kind.value,
        "title": block.kind.label,
        "words": block.words,
        "text": shown,
        "sentence": block.sentence,
        "moves": block.moves,
    }
