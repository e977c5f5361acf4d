"""Snapshots that no browser has taken: what is in the body, one under the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.browser.snapshot import Snapshot
from newsclean.extraction.page import Page

if TYPE_CHECKING:
    from collections.abc import Mapping

INLINE = ("a", "b", "i", "#text")
WIDTH = 1000
#: Half a screen.
HEIGHT = 500


def drawn(html: str, url: str | None = None, sizes: Mapping[str, float] | None = None) -> Snapshot:
    """Each child of the body as wide as the screen and half as high; font sizes by parent's tag."""
    page = Page.from_html(html, url)
    tag, parent, end = page.tag, page.parent, page.end
    body = tag.index("body")
    box = np.zeros((len(page), 4), dtype=np.float32)
    children = [row for row in range(len(page)) if parent[row] == body]
    for at, row in enumerate(children):
        box[row : end[row] + 1] = 0, at * HEIGHT, WIDTH, HEIGHT
    size = float(WIDTH), float(len(children) * HEIGHT)
    box[: body + 1] = 0, 0, *size
    shown = np.ones(len(page), dtype=bool)
    shown[1:body] = False
    links = ((row, one) for row, one in enumerate(page.element) if tag[row] == "a")
    return Snapshot(
        url=url,
        screen=(WIDTH, 2 * HEIGHT),
        size=size,
        tag=tag,
        parent=parent,
        end=end,
        box=box,
        font_size=np.array(
            [(sizes or {}).get(tag[up], 16.0) for up in parent.tolist()], dtype=np.float32
        ),
        font_weight=np.full(len(page), 400, dtype=np.float32),
        color=np.zeros(len(page), dtype=np.int64),
        inline=np.array([name in INLINE for name in tag]),
        shown=shown,
        text={row: " ".join(text.split()) for row, text in page.text.items()},
        address={row: str(link.get("href")) for row, link in links if link is not None},
    )
