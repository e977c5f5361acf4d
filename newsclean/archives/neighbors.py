"""What the pages of an input teach of their sites, for the second pass.

It is not learned into the memory of a crawl: an archive may be of years ago, and pages of an old
template would take the places of today's there. It is a file for one run, so that many sites need
no more of the process than few, and other processes can read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from newsclean.archives.reading import read_page
from newsclean.archives.saved import SavedPageError
from newsclean.memory import Memory
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.archives.saved import Position
    from newsclean.methods import Method
    from newsclean.neighborhood.keys import Keying, PageKeys


class Lesson(NamedTuple):
    """What is learned of a page."""

    site: str
    category: str
    name: str
    keys: PageKeys


def read_lesson(position: Position, method: Method) -> Lesson | None:
    """What a page teaches; None if it cannot be used, which the second pass will say."""
    try:
        saved = read_page(position)
        page = Page.from_html(saved.body, saved.url, saved.content_type)
    except (SavedPageError, PageError):
        return None
    keys = method.keys(page, method.score_blocks(page))
    return Lesson(saved.site, saved.category, saved.name, keys)


def learn_neighbors(
    lessons: Iterable[Lesson | None], path: str, *, keying: Keying, window: int
) -> Memory:
    """Learn pages in their order into a new memory; who has read them, and where, is open."""
    memory = Memory(path, keying=keying, window=window)
    try:
        with memory.database.transaction():
            for lesson in lessons:
                if lesson is not None:
                    memory.sites.learn(*lesson)
    except BaseException:
        memory.close()
        raise
    return memory
