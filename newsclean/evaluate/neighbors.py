"""The neighborhood of a page in a corpus: other pages of its site, never itself."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from newsclean.evaluate.corpus import read_page
from newsclean.neighborhood import Neighborhood
from newsclean.neighborhood.keys import page_keys
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from newsclean.evaluate.corpus import Gold
    from newsclean.methods import Method
    from newsclean.neighborhood.keys import Keying

Count = int | Literal["all"]

#: Pages whose keys a process keeps; the pages of one site are measured one after the other.
KEPT_KEYS = 256


def draw(gold: Gold, others: Sequence[Gold], count: Count) -> list[Gold]:
    """So many other pages of the site, always the same for a page; more hold the fewer."""
    drawn = sorted(others, key=lambda other: other.id)
    random.Random(f"{gold.collection}/{gold.id}").shuffle(drawn)
    return drawn if count == "all" else drawn[:count]


def neighborhood_of(pages: Sequence[Gold], method: Method) -> Neighborhood:
    """A neighborhood that has learned these pages, whatever their order and templates."""
    hood = Neighborhood(keying=method.keying, window=max(len(pages), 1), profile=method.profile)
    for page in pages:
        hashes = _hashes(page.path, method.keying, method.profile)
        if hashes is not None:
            hood.restore(page.id, hashes)
    return hood


@lru_cache(maxsize=KEPT_KEYS)
def _hashes(path: Path, keying: Keying, profile: bool) -> NDArray[np.uint64] | None:
    try:
        return page_keys(Page.from_html(read_page(path)), keying, profile=profile).remembered
    except PageError:
        return None
