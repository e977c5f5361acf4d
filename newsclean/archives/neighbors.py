"""What the pages of an input teach of their sites, for the second pass.

It is not learned into the memory of a crawl: an archive may be of years ago, and pages of an old
template would take the places of today's there. It is a file for one run, so that many sites need
no more of the process than few, and other processes can read it.
"""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from itertools import accumulate, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from newsclean.archives.reading import read_page
from newsclean.archives.saved import SavedPageError
from newsclean.extraction.neighborhood import PageKeys
from newsclean.extraction.page import Page, PageError
from newsclean.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newsclean.archives.saved import Position
    from newsclean.extraction.methods import Method
    from newsclean.extraction.neighborhood import Hashes, Keying
    from newsclean.memory.records import LearnedPage


class Lesson(NamedTuple):
    """What is learned of a page, about 2 kB: neither its texts nor its metadata."""

    site: str
    category: str
    name: str
    #: seconds since 1970 when it was fetched, 0 if that is not known
    seen: float
    #: the keys that a neighborhood remembers
    keys: Hashes
    facts: Hashes


def read_lesson(position: Position, method: Method, max_size: int) -> Lesson | None:
    """What a page teaches; None if it cannot be used, which the second pass will say."""
    try:
        saved = read_page(position, max_size)
        page = Page.from_html(saved.body, saved.url, saved.content_type)
        keys = method.keys(page, method.score_blocks(page))
    except (SavedPageError, PageError, MemoryError):
        return None
    seen = datetime.fromisoformat(saved.fetched_at).timestamp() if saved.fetched_at else 0.0
    return Lesson(
        saved.site, saved.category, saved.name, max(seen, 0.0), keys.remembered, keys.facts
    )


def make_neighborhood(
    lessons: Sequence[Lesson], *, keying: Keying, window: int
) -> list[LearnedPage]:
    """The pages that the neighborhoods of a site remember, of its lessons in their order.

    They are learned as a crawl learns them, with the change of a template, so that it does not
    matter who makes a neighborhood. A page is `seen` no earlier than those before it: a memory that
    imports the pages puts them in the order of that.
    """
    if not lessons:
        return []
    (site,) = {lesson.site for lesson in lessons}
    with closing(Memory(keying=keying, window=window)) as memory, memory.database.transaction():
        for lesson in lessons:
            keys = PageKeys.of_remembered(lesson.keys, lesson.facts)
            memory.sites.learn(site, lesson.category, lesson.name, keys, lesson.seen)
        learned = memory.sites.learned_pages(site)
    seen = {lesson.name: lesson.seen for lesson in lessons}
    times = accumulate((seen[page.name] for page in learned), max)
    return [page._replace(seen=time) for page, time in zip(learned, times, strict=True)]


def learn_neighbors(
    lessons: Iterable[Lesson | None], path: str, *, keying: Keying, window: int
) -> Memory:
    """The neighborhoods of lessons, site by site, in a new memory; who has read them is open."""
    memory = Memory(path, keying=keying, window=window)
    usable = (lesson for lesson in lessons if lesson is not None)
    try:
        with memory.database.transaction():
            for _, of_site in groupby(usable, attrgetter("site")):
                pages = make_neighborhood(list(of_site), keying=keying, window=window)
                memory.sites.add_pages(pages, {})
    except BaseException:
        memory.close()
        raise
    return memory
