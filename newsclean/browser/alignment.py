"""Which text of a snapshot is which text of a page: by the offset of their characters.

Both read the same source, and leave out the same tags, so that their texts, one after the other
and without white space, are as a rule the same. Where they differ, because libxml2 and Chromium
build different trees of broken HTML or a script has changed the page, what both have in the same
order is aligned; texts that only the page has get no row of the snapshot. If that leaves too
little, the page cannot be used with the snapshot: `PageError`, with the reason `not-aligned`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.page import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newsclean.browser.snapshot import Snapshot
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column

#: The least share of a page's characters that must be found in the snapshot.
MIN_ALIGNED = 0.8

#: In place of a row, for a text that the snapshot does not have.
NONE = -1


def align(page: Page, snapshot: Snapshot) -> Column:
    """The snapshot's row of each of the page's text rows, `NONE` for a text that it lacks."""
    ours = _without_space(page.text.values())
    theirs = _without_space(snapshot.text.values())
    rows = snapshot.text_rows
    if "".join(ours) == "".join(theirs):
        places = _by_offset(ours, theirs)
    else:
        places = align_texts(ours, theirs)
    sizes = np.array([len(text) for text in ours], dtype=np.int64)
    found = places != NONE
    if sizes[found].sum() < MIN_ALIGNED * sizes.sum():
        share = sizes[found].sum() / sizes.sum()
        raise PageError(
            "not-aligned",
            f"only {share:.0%} of the page's text is in what the browser shows of it",
        )
    aligned = np.full(len(ours), NONE, dtype=np.int64)
    aligned[found] = rows[places[found]]
    return aligned


def _without_space(texts: Iterable[str]) -> list[str]:
    return ["".join(text.split()) for text in texts]


def _by_offset(ours: Sequence[str], theirs: Sequence[str]) -> Column:
    """Where each of our texts begins in theirs, if both make the same string."""
    starts = np.cumsum([0, *(len(text) for text in theirs)])[:-1]
    begins = np.cumsum([0, *(len(text) for text in ours)])[:-1]
    places: Column = np.searchsorted(starts, begins, side="right") - 1
    return places


def align_texts(ours: Sequence[str], theirs: Sequence[str]) -> Column:
    """Equal texts in the same order, from those that each side has once to their neighbors.

    >>> align_texts(["Menu", "Rain", "More", "Snow"], ["Menu", "Ad", "Rain", "More"]).tolist()
    [0, 2, 3, -1]
    """
    places = np.full(len(ours), NONE, dtype=np.int64)
    for ours_at, theirs_at in _anchors(ours, theirs):
        places[ours_at] = theirs_at
    # Texts that appear several times are known by those beside them.
    last = -1
    for k in range(len(ours)):
        if places[k] == NONE and last + 1 < len(theirs) and ours[k] == theirs[last + 1]:
            places[k] = last + 1
        if places[k] != NONE:
            last = int(places[k])
    reached = np.maximum.accumulate(places)
    following = len(theirs)
    for k in range(len(ours) - 1, -1, -1):
        is_free = k == 0 or reached[k - 1] < following - 1
        if places[k] == NONE and is_free and following and ours[k] == theirs[following - 1]:
            places[k] = following - 1
        if places[k] != NONE:
            following = int(places[k])
    return places


def _anchors(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """The longest series, rising on both sides, of texts that both sides have exactly once."""
    once, counts = Counter(ours), Counter(theirs)
    place = {text: k for k, text in enumerate(theirs) if counts[text] == 1}
    pairs = [(k, place[text]) for k, text in enumerate(ours) if once[text] == 1 and text in place]
    ends: list[int] = []  # the least end of a series of each length, as in patience sorting
    at: list[int] = []  # the pair at that end
    before: list[int] = []
    for number, (_, where) in enumerate(pairs):
        length = bisect_left(ends, where)
        before.append(at[length - 1] if length else NONE)
        ends[length : length + 1] = [where]
        at[length : length + 1] = [number]
    series: list[tuple[int, int]] = []
    number = at[-1] if at else NONE
    while number != NONE:
        series.append(pairs[number])
        number = before[number]
    return series[::-1]
