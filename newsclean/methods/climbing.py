"""The way from every row of a page towards its root, gone by all of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.page.tags import LINE_BREAKING

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Column, Mask


def nearest(page: Page, marked: Mask) -> Column:
    """The first marked row on the way from each row to the root, the row itself included.

    The root, where there is no other.

    >>> from newsclean.page import Page
    >>> page = Page.from_html("<div><p>one <b>two</b></p> three</div>")
    >>> [page.tag[row] for row in nearest(page, np.isin(np.arange(len(page)), page.rows({"p"})))]
    ['html', 'html', 'html', 'p', 'p', 'p', 'p', 'html']
    """
    ends = marked.copy()
    ends[0] = True
    up: Column = np.where(ends, np.arange(len(page)), page.parent)
    while not (settled := ends[up]).all():
        up = np.where(settled, up, up[up])  # each turn doubles the way that has been gone
    return up


def nearest_line_break(page: Page) -> Column:
    """The first line-break node on the way from each row to the root, the row itself included.

    The root, where there is no other.
    """
    return nearest(page, page.tagged(LINE_BREAKING))
