"""Many pages for `newsclean extract`: files, folders, archives and URLs, to JSON lines.

First it is found where all pages are and what their sites repeat, then each is extracted. Processes
get positions and not pages, and their lines are written in the order of the input.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from newsclean.archives import (
    LOST,
    Outcome,
    PageIndex,
    Position,
    Recipe,
    SavedPage,
    build_index,
    chunked,
    extract_line,
    is_archive,
    learn_neighbors,
    read_lessons,
)
from newsclean.archives.extracting import extractor_of
from newsclean.archives.warc_files import DAMAGED
from newsclean.cli.download import download
from newsclean.cli.errors import UNREADABLE, UNUSABLE, CommandError
from newsclean.cli.page_workers import CHUNK, PageWorkers, Task
from newsclean.cli.progress import progress
from newsclean.cli.sources import is_url, page_files
from newsclean.files import UNREADABLE as UNREADABLE_INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO

    from newsclean.archives import Lesson

T = TypeVar("T")

#: The reasons for which the input itself is not whole, and a script should know.
BROKEN = {DAMAGED, UNREADABLE_INPUT}

#: The site whose pages are those of --neighbors.
GIVEN = "--neighbors"


def extract_many(
    sources: Sequence[str],
    neighbors: list[str],
    recipe: Recipe,
    jobs: int,
    out: BinaryIO,
    note: Callable[[str], object],
) -> int:
    """Write a line for each page; what cannot be used is named and counted."""
    left_out: Counter[str] = Counter()
    written = 0
    with TemporaryDirectory(prefix="newsclean-") as folder, progress() as report:

        def name_lost(reason: str, what: object) -> None:
            if reason in LOST:
                note(f"left out, {reason}: {what}")

        index = build_index(sources, recipe.window, left_out=name_lost, alone=_is_one_page)
        left_out.update(index.left_out)
        are_several = jobs > 1 and len(index) > CHUNK
        with PageWorkers(jobs, note) if are_several else nullcontext() as workers:
            memory = os.path.join(folder, "neighbors.sqlite")
            recipe = _with_neighbors(index, neighbors, recipe, memory, workers, report)
            for outcome in in_order(Task(extract_chunk, recipe, _lost), index, workers):
                report("extracting", len(index))
                if outcome.line is not None:
                    out.write(outcome.line)
                    written += 1
                if outcome.problem:
                    note(outcome.problem)
                if outcome.reason:
                    left_out[outcome.reason] += 1
            out.flush()
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in sorted(left_out.items()))
    note(f"{written:,} pages extracted" + (f"; left out: {reasons}" if reasons else ""))
    if left_out.keys() & BROKEN:
        return UNREADABLE
    return 0 if written else UNUSABLE


def _is_one_page(source: str) -> bool:
    return is_url(source) or not (os.path.isdir(source) or is_archive(source))


def _with_neighbors(
    index: PageIndex,
    neighbors: list[str],
    recipe: Recipe,
    memory: str,
    workers: PageWorkers | None,
    report: Callable[[str, int], object],
) -> Recipe:
    """The recipe with what the neighbors teach: those given, or the pages of the input itself."""
    if neighbors:
        positions = [Position(str(path), folder=GIVEN) for path in page_files(neighbors)]
        recipe = replace(recipe, site=GIVEN, window=max(len(positions), 1))
    else:
        positions = list(index.teachers())
    if not positions:
        return recipe

    def lessons() -> Iterator[Lesson | None]:
        for lesson in in_order(Task(read_lessons, recipe, _no_lesson), positions, workers):
            report("learning", len(positions))
            yield lesson

    method = extractor_of(recipe.method, recipe.model, recipe.images).method
    with closing(
        learn_neighbors(lessons(), memory, keying=method.keying, window=recipe.window)
    ) as learned:
        has_pages = bool(learned.sites.names())
    return replace(recipe, neighbors=memory) if has_pages else recipe


def in_order(
    task: Task[T], positions: Iterable[Position], workers: PageWorkers | None
) -> Iterator[T]:
    """What the task makes of each position, in their order, whoever does it."""
    if workers is not None:
        yield from workers.in_order(task, positions)
        return
    for chunk in chunked(positions, CHUNK):
        yield from task(chunk)


def extract_chunk(positions: list[Position], recipe: Recipe) -> list[Outcome]:
    """The lines of some pages; runs in any process."""
    return [_outcome(position, recipe) for position in positions]


def _lost(position: Position) -> Outcome:
    """What becomes of a page that kills the process which works on it."""
    problem = f"{position}: its process has died twice, perhaps for want of memory"
    return Outcome(None, problem, "process-died")


def _no_lesson(position: Position) -> None:
    """What such a page teaches."""


def _outcome(position: Position, recipe: Recipe) -> Outcome:
    if not is_url(position.file):
        return extract_line(position, recipe)
    try:
        return extract_line(position, recipe, read=_downloaded)
    except CommandError as error:
        return Outcome(None, str(error), "unreadable")


def _downloaded(position: Position, max_size: int) -> SavedPage:
    body, url, content_type = download(position.file, max_size)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return SavedPage(position, url, body, content_type or "", now)
