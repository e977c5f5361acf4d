"""From the position of a saved page to its line, in any process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from newsclean.archives.extracting import extract_saved
from newsclean.archives.reading import read_page
from newsclean.archives.saved import OUT_OF_MEMORY, TOO_LITTLE_MEMORY, SavedPageError
from newsclean.extraction.page import PageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from newsclean.archives.extracting import Recipe
    from newsclean.archives.saved import Position, SavedPage


class Outcome(NamedTuple):
    """What became of a page: its line, or why it has none."""

    line: bytes | None
    problem: str = ""
    reason: str = ""


def extract_line(
    position: Position,
    recipe: Recipe,
    *,
    source: str = "",
    read: Callable[[Position, int], SavedPage] = read_page,
) -> Outcome:
    """The line of a page; `source` names its file where that is a copy of another."""
    position_named = position._replace(file=source) if source else position
    try:
        article = extract_saved(read(position, recipe.max_page_size), recipe)
        if not article.body:
            return Outcome(None, f"{position_named}: no article found", "no-text")
        record = {"source": position_named.file} | article.to_dict()
        return Outcome(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    except (SavedPageError, PageError) as error:
        return Outcome(None, f"{position_named}: {error}", error.reason)
    except MemoryError:
        return Outcome(None, f"{position_named}: {TOO_LITTLE_MEMORY}", OUT_OF_MEMORY)
