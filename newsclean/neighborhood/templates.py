"""Which pages of a neighborhood have one template: those that repeat each other's texts.

All of it follows from how many keys each two pages share, so that neither the order in which pages
were learned nor what was forgotten before matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.page.columns import Column, Mask

#: Two pages have one template if they share at least this part of what a page of it usually shares
#: with another.
MIN_FAMILIAR_SHARE = 0.5
#: What a page usually shares: with the third of the pages that are nearest to it; the first two may
#: be copies of it.
USUAL_RANK = 3
#: Pages that usually share less have no template that could be told from another.
MIN_TEXTS = 5

#: A template is gone: this many of its pages would have come since its last one, had they come as
#: often as before.
MIN_MISSED_PAGES = 10
#: Only a template of at least this many pages can be gone or follow, and the one that is gone is
#: this part of all pages: what is rare may come again.
MIN_PAGES = 5
MIN_ENDED_SHARE = 0.25


def usually_shared(shared: NDArray[np.int32]) -> Column:
    """How many keys each page, a row, usually shares with another."""
    if shared.shape[-1] < USUAL_RANK:
        return np.zeros(shared.shape[:-1], dtype=np.int64)
    return np.partition(shared, -USUAL_RANK, axis=-1)[..., -USUAL_RANK].astype(np.int64)


def is_one_template(shared: NDArray[np.int32], one: Column, other: Column) -> Mask:
    """Whether pages have one template, by the keys they share and those they usually share."""
    usual = np.maximum(one, other)
    return (shared >= MIN_FAMILIAR_SHARE * usual) | (usual < MIN_TEXTS)


def pages_like(row: NDArray[np.int32], shared: NDArray[np.int32]) -> Mask:
    """The pages of the template of a page that shares so many keys with each of them."""
    usual = usually_shared(shared)
    like = is_one_template(row, usually_shared(row), usual)
    return _connected(like, is_one_template(shared, usual[:, None], usual))


def _connected(pages: Mask, links: Mask) -> Mask:
    """These pages, those that are like them, those that are like these, and so on."""
    new = pages
    while new.any():
        new = links[new].any(axis=0) & ~pages
        pages = pages | new
    return pages


def are_missed(count: int, later: int, pages: int) -> bool:
    """Whether pages of a template should have come again, had they come as often as before.

    It has `count` of the `pages`, and none of the `later` ones, the last of them.
    """
    return later * count >= MIN_MISSED_PAGES * (pages - later)


def ended_template(shared: NDArray[np.int32]) -> Mask:
    """The pages of a template that is gone, of pages in their order; none if all go on.

    Another template beside it is not enough: its own pages have stopped coming.
    """
    n = len(shared)
    usual = usually_shared(shared)
    links = is_one_template(shared, usual[:, None], usual)
    everywhere = np.arange(n)
    seen = np.zeros(n, dtype=bool)
    for last in range(n - 1, -1, -1):
        if seen[last]:
            continue
        template = _connected(everywhere == last, links)
        count = int(template.sum())
        if last == n - 1 and count < MIN_PAGES:
            break
        if count >= max(MIN_PAGES, MIN_ENDED_SHARE * n) and are_missed(count, n - 1 - last, n):
            return template
        seen |= template
    return np.zeros(n, dtype=bool)
