"""The noise map as one file: everything in it, nothing from outside."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from newsclean.noise_map.framed_page import framed_page
from newsclean.noise_map.marking import counts_by_kind, mark_blocks
from newsclean.reader.article import read_article

if TYPE_CHECKING:
    from newsclean.extraction.extractor import Extraction
    from newsclean.noise_map.marking import BlockKind, MarkedBlock

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
    return (files("newsclean.noise_map") / "templates" / name).read_text("utf-8")


@cache
def environment() -> Environment:
    return Environment(
        loader=PackageLoader("newsclean.noise_map"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


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
