"""Build the noise map: the original page in a frame, beside its clean article.

The framed page runs no scripts and loads nothing: nh3 allows no tags or attributes with URLs, a
policy blocks every request, and the frame is sandboxed. Inline style sheets are kept, external ones
are missing. `look_page` returns the map as one self-contained document.
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

from newsclean.apps import template_environment, template_file
from newsclean.apps.look.marking import counts_by_kind, mark_blocks, removed_blocks
from newsclean.apps.reader.article_pages import read_article
from newsclean.extraction.page.columns import LINE_BREAKING, TEXT
from newsclean.extraction.text import counted, visible_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from newsclean.apps.look.marking import BlockKind, MarkedBlock, RemovedBlocks
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.page import Page


BLOCK, _KIND = "data-newsclean-block", "data-newsclean-kind"
#: A framed page loads nothing; only pictures in `data:` URLs are visible.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
#: Characters of a page's style sheets.
_MAX_STYLE = 2_000_000
#: Characters of a block's text that are repeated beside the reasons.
_MAX_SHOWN = 400

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
#: Dropped with their content. None of them holds what the walk reads as text.
_DROPPED = frozenset(
    "script style template svg math textarea title meta link base embed applet datalist".split()
)
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
_URL = re.compile(
    r"(?:url|src|image|(?:-webkit-)?image-set)\((?!\s*['\"]?data:image/)[^)]*\)?", re.IGNORECASE
)
_END_OF_STYLE = re.compile(r"<(?=[/!])")


def _without_addresses(css: str) -> str:
    """Remove external URLs from CSS; the policy blocks any that are disguised.

    >>> _without_addresses("@import 'x.css'; p { background: url(//x.example/a) red }")
    ' p { background: none red }'
    """
    return _URL.sub("none", _IMPORT.sub("", css))


def _kept(tag: str, attribute: str, value: str) -> str | None:
    """Return an attribute's value; a `src` is kept only if it is a `data:` picture."""
    if attribute == "style":
        return _IMPORTANT.sub("", _without_addresses(value))  # the tint wins
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
    """Return the document of the frame.

    >>> from newsclean.extraction.page import Page
    >>> page = Page.from_html("<p onclick=x()>Rain<script>x()</script><img src=//evil.example/a>")
    >>> framed_page(page, []).partition("<body>")[2].partition("</body>")[0]
    '<p>Rain<img></p>'
    """
    copy = _marked_copy(page, blocks)
    body = copy.find("body") if copy.tag == "html" else None
    inner = _inner_html(copy)
    # Remove characters that nh3 would misread.
    cleaned = _CLEANER.clean(visible_text(inner))
    styles = "".join(f"<style>{text}</style>\n" for text in _styles(page))
    root_attributes = _kept_attributes(copy) if copy.tag == "html" else ""
    body_attributes = "" if body is None else _kept_attributes(body)
    return (
        f'<!DOCTYPE html>\n<html{root_attributes}>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<title>The original page</title>\n'
        f"<style>{_frame_style()}</style>\n{styles}</head>\n"
        f"<body{body_attributes}>{cleaned}</body>\n</html>\n"
    )


@cache
def _frame_style() -> str:
    return template_file("newsclean.apps.look", "frame.css")


def _styles(page: Page) -> list[str]:
    """Return the inline style sheets; none of them can close its element early."""
    found, size = [], 0
    for element in page.elements("style"):
        text = element.text or ""
        size += len(text)
        if size > _MAX_STYLE:
            break
        found.append(_END_OF_STYLE.sub(r"<\\", _without_addresses(text)).replace("\x00", ""))
    return found


def _kept_attributes(element: etree._Element) -> str:
    """Return the attributes of `html` or `body` that style sheets select by."""
    kept = ""
    for name in ("class", "id", "lang", "dir", "style"):
        value = element.get(name)
        if value and name == "style":
            value = _without_addresses(value)
        if value:
            kept += f' {name}="{escape(visible_text(value))}"'
    return kept


def _inner_html(root: etree._Element) -> str:
    """Return the content of `body`, and text that the parser has moved into `head`."""
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
    """Return a copy of the tree with each block marked: its own element, or each of its texts."""
    root = deepcopy(page.root)
    for element in root.iter("*"):
        for name in (BLOCK, _KIND, "tabindex"):  # the page's own would pass for ours
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
    """Return the innermost line-breaking element that holds these texts and no others."""
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
    """Return the element whose text or tail a row is; -1 if that is unknown."""
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
    """Wrap a text in a span."""
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
            # Forms, media and unknown tags become plain boxes.
            element.tag = "div" if element.tag in LINE_BREAKING else "span"


def _remove(element: etree._Element) -> None:
    """Remove an element; the text after it stays."""
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


@dataclass(frozen=True)
class MapView:
    """The values for the templates of the map."""

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
    removed: list[RemovedBlocks]
    #: blocks and reasons as JSON for a `<script>`
    data: Markup
    #: the document of the frame
    frame: str


def map_view(extraction: Extraction, source: str = "") -> MapView:
    """Return the map of a page; `source` is its title if it has no headline."""
    blocks = mark_blocks(extraction)
    article = read_article(extraction.article().to_dict(), images=False)
    neighbors = extraction.evidence.neighbors
    count = 0 if neighbors is None else neighbors.count
    parts = [", ".join(article.authors), article.published.words if article.published else ""]
    words = counted(count, "neighbor") if count else "no neighbors"
    return MapView(
        title=extraction.headline or source or extraction.page.url or "Untitled page",
        headline=extraction.headline or "",
        byline=" · ".join(filter(None, parts)),
        summary=f"Method: {extraction.method.name}, {words}.",
        url=article.url,
        language=article.language,
        direction=article.direction,
        body=Markup(article.body.html),
        blocks=blocks,
        counts=counts_by_kind(blocks),
        removed=removed_blocks(blocks),
        data=_script_json([_as_data(block) for block in blocks]),
        frame=framed_page(extraction.page, blocks),
    )


def look_page(extraction: Extraction, source: str = "") -> str:
    """Return the noise map of a page as one HTML document."""
    view = map_view(extraction, source)
    script = asset("map.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    # The frame inherits this policy, and the page's own styles must work in it.
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
            style=Markup(template_file("newsclean.apps", "base.css") + asset("map.css")),
            script=Markup(script),
        )
    )


def _script_json(value: Any) -> Markup:
    """Return JSON that cannot close the `<script>` around it.

    >>> _script_json(["</script><!--"])
    Markup('["\\\\u003c/script>\\\\u003c!--"]')
    """
    return Markup(json.dumps(value, ensure_ascii=True).replace("<", "\\u003c"))


@cache
def asset(name: str) -> str:
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
