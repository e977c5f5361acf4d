"""Tags whose text a method does not read, unless a page has most of its text in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Mask


def ignored(page: Page, tags: frozenset[str], eligible: Mask, largest_share: float) -> Mask:
    """What lies in these tags; one with more than this share of the page's plain text is read."""
    rows = page.rows(tags)
    if not len(rows):
        return np.zeros(len(page), dtype=bool)
    plain = page.subtree(page.chars * (eligible & ~page.in_link))
    return page.below(rows[plain[rows] <= largest_share * plain[0]])
