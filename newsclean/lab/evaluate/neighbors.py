"""The neighborhood of a page in a corpus: other pages of its site, never itself."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from newsclean.extraction import Neighborhood
from newsclean.lab.evaluate.corpus import read_page
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from newsclean.lab.evaluate.corpus import Gold
    from newsclean.methods import Method
    from newsclean.neighborhood.keys import Hashes

Count = int | Literal["all"]

#: Pages whose keys a process keeps; the pages of one site are measured one after the other.
MAX_KEPT_KEYS = 256


def draw(gold: Gold, others: Sequence[Gold], count: Count) -> list[Gold]:
    """So many other pages of the site, always the same for a page; more hold the fewer."""
    drawn = sorted(others, key=lambda other: other.id)
    random.Random(f"{gold.collection}/{gold.id}").shuffle(drawn)
    return drawn if count == "all" else drawn[:count]


def neighborhood_of(pages: Sequence[Gold], method: Method) -> Neighborhood:
    """A neighborhood that has learned these pages, whatever their order and templates."""
    hood = Neighborhood(method, window=max(len(pages), 1))
    for page in pages:
        keys = _keys(page.path, method)
        if keys is not None:
            hood.restore(page.id, *keys)
    return hood


@lru_cache(maxsize=MAX_KEPT_KEYS)
def _keys(path: Path, method: Method) -> tuple[Hashes, Hashes] | None:
    try:
        page = Page.from_html(read_page(path))
    except PageError:
        return None
    keys = method.keys(page, method.score_blocks(page))
    return keys.remembered, keys.facts
