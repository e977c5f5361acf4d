"""Many pages for `newsclean extract`: files, folders, archives and URLs, to JSON lines.

First it is found where all pages are and what their sites repeat, then each is extracted. Processes
get positions and not pages, and their lines are written in the order of the input.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from concurrent.futures.process import BrokenProcessPool
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
from newsclean.cli.download import download
from newsclean.cli.errors import UNREADABLE, UNUSABLE, CommandError
from newsclean.cli.progress import progress
from newsclean.cli.sources import is_url, page_files
from newsclean.processes import processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future, ProcessPoolExecutor
    from typing import BinaryIO

    from newsclean.archives import Lesson

T = TypeVar("T")

#: Pages that a process gets at a time, and how many times that may wait for each process.
CHUNK, MAX_WAITING = 16, 4

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
        with processes(jobs) if jobs > 1 and len(index) > CHUNK else nullcontext() as pool:
            memory = os.path.join(folder, "neighbors.sqlite")
            recipe = _with_neighbors(index, neighbors, recipe, memory, pool, jobs, report)
            for outcome in in_order(extract_chunk, index, recipe, pool, jobs):
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
    if written:
        return 0
    return UNREADABLE if left_out.keys() == {"unreadable"} else UNUSABLE


def _is_one_page(source: str) -> bool:
    return is_url(source) or not (os.path.isdir(source) or is_archive(source))


def _with_neighbors(
    index: PageIndex,
    neighbors: list[str],
    recipe: Recipe,
    memory: str,
    pool: ProcessPoolExecutor | None,
    jobs: int,
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
        for lesson in in_order(read_lessons, positions, recipe, pool, jobs):
            report("learning", len(positions))
            yield lesson

    method = extractor_of(recipe.method, recipe.model, recipe.images).method
    with closing(
        learn_neighbors(lessons(), memory, keying=method.keying, window=recipe.window)
    ) as learned:
        has_pages = bool(learned.sites.names())
    return replace(recipe, neighbors=memory) if has_pages else recipe


def in_order(
    work: Callable[[list[Position], Recipe], list[T]],
    positions: Iterable[Position],
    recipe: Recipe,
    pool: ProcessPoolExecutor | None,
    jobs: int,
) -> Iterator[T]:
    """What the work makes of each position, in their order, whoever does it."""
    chunks = chunked(positions, CHUNK)
    if pool is None:
        for chunk in chunks:
            yield from work(chunk, recipe)
        return
    waiting: deque[Future[list[T]]] = deque()
    try:
        for chunk in chunks:
            waiting.append(pool.submit(work, chunk, recipe))
            if len(waiting) == MAX_WAITING * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise CommandError(
            "a process has died, perhaps for want of memory: try fewer --jobs", UNUSABLE
        ) from None


def extract_chunk(positions: list[Position], recipe: Recipe) -> list[Outcome]:
    """The lines of some pages; runs in any process."""
    return [_outcome(position, recipe) for position in positions]


def _outcome(position: Position, recipe: Recipe) -> Outcome:
    if not is_url(position.file):
        return extract_line(position, recipe)
    try:
        return extract_line(position, recipe, read=_downloaded)
    except CommandError as error:
        return Outcome(None, str(error), "unreadable")


def _downloaded(position: Position) -> SavedPage:
    body, url, content_type = download(position.file)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return SavedPage(position, url, body, content_type or "", now)
