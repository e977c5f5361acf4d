"""From chosen texts to chosen rows, for the methods that choose texts and not branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Mask

#: An element belongs to the article when at least this share of its characters does.
SHARE = 0.5


def with_markup(page: Page, texts: Mask) -> Mask:
    """The chosen text rows and the elements that belong to them.

    An element without text, a picture for instance, belongs to them between two chosen texts.

    >>> from newsclean.page import Page
    >>> page = Page.from_html("<p>menu</p><img><p>A long <b>story</b></p><img><p>its end</p><img>")
    >>> chosen = page.is_text & (np.arange(len(page)) > page.text_rows[0])
    >>> [page.tag[row] for row in np.flatnonzero(with_markup(page, chosen))]
    ['html', 'body', 'p', '#text', 'b', '#text', 'img', 'p', '#text']
    """
    all_chars = page.subtree(page.chars)
    chosen_chars = page.subtree(page.chars * texts)
    mostly = chosen_chars >= SHARE * all_chars
    # The texts before and after an empty element, with one at either end that is not chosen.
    chosen = np.concatenate(([False], texts[page.text_rows], [False]))
    before = np.cumsum(page.is_text)
    between = chosen[before] & chosen[np.minimum(before + 1, len(chosen) - 1)]
    rows: Mask = np.where(all_chars > 0, mostly, between)
    return rows
