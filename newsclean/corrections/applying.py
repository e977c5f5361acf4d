"""From blocks that change sides to the rows of the body."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.markup import with_markup

if TYPE_CHECKING:
    from newsclean.corrections.rule import Flips
    from newsclean.page import Page
    from newsclean.page.columns import Mask
    from newsclean.render import Body


def taken_blocks(page: Page, rows: Mask) -> Mask:
    """The blocks of which more than half is among these rows."""
    return 2 * page.blocks.sum(page.chars * rows) > page.blocks.sum(page.chars)


def with_flips(body: Body, flips: Flips) -> Body:
    """The body with the blocks that were added, and without those that were removed."""
    if not flips:
        return body
    page = body.page
    added, removed = (_text_rows(page, blocks) for blocks in (flips.added, flips.removed))
    text = _changed(page, body.text, added, removed)
    is_same = body.html is body.text or np.array_equal(body.html, body.text)
    html = text if is_same else _changed(page, body.html, added, removed)
    return replace(body, text=text, html=html)


def _changed(page: Page, rows: Mask, added: Mask, removed: Mask) -> Mask:
    return with_markup(page, ((rows & page.is_text) | added) & ~removed)


def _text_rows(page: Page, blocks: tuple[int, ...]) -> Mask:
    chosen = np.zeros(len(page.blocks), dtype=bool)
    chosen[list(blocks)] = True
    rows = np.zeros(len(page), dtype=bool)
    rows[page.text_rows] = chosen[page.blocks.of_text]
    return rows
