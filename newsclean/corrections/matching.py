"""Whether a page still has the slots that a correction speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from newsclean.corrections.paths import BlockPaths, own_tag, signatures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from newsclean.corrections.correction import Correction
    from newsclean.page import Page


def wanted_slots(correction: Correction) -> set[str] | None:
    """The slots that a correction changes, by path and by their last elements."""
    paths = [*(slot.path for slot in correction.contradictions), *correction.fields.values()]
    return {name for path in paths for name in _names(path)} or None


def slots_of_page(page: Page) -> set[str]:
    """The slots of all blocks of a page, in the same words."""
    return {name for path in set(BlockPaths(page)) for name in _names(path)}


def field_lines(page: Page, slots: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The text of the first block in the slot of each field, where the page has one.

    The path counts first, then the last elements; of several slots the first one that is there.
    """
    if not slots:
        return {}
    tags = {own_tag(path) for paths in slots.values() for path in paths}
    texts: dict[str, str] = {}
    found_paths = BlockPaths(page)
    own_rows = found_paths.own_rows(np.arange(len(page.blocks)))
    for block in np.flatnonzero(page.tagged(tags)[own_rows]).tolist():
        for name in _names(found_paths[block]):
            texts.setdefault(name, page.blocks.text[block])
    found = {}
    for field, paths in slots.items():
        names = [name for path in paths for name in _names(path)]
        if there := next((name for name in names if name in texts), None):
            found[field] = texts[there]
    return found


def _names(path: str) -> tuple[str, str]:
    found = signatures(path)
    return found.path, found.last
