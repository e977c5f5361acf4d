"""Processes that work on pages in their order, and go on when one of them is killed."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from newsclean.archives import Position, Recipe, chunked
from newsclean.cli.errors import UNUSABLE, CommandError
from newsclean.processes import processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")

#: Pages that a process gets at a time, and how many times that may wait for each process.
CHUNK, MAX_WAITING = 16, 4

#: What happens to a process for want of memory: it is killed, or cannot send its results.
DEATHS = (BrokenProcessPool, MemoryError)
#: How often a page may kill its process before it is left out, and how often in a row a process
#: that has no page yet may die before all are given up.
MAX_DEATHS, MAX_DEATHS_AT_START = 2, 3


@dataclass(frozen=True)
class Task(Generic[T]):
    """What is to be done with pages, in any process."""

    work: Callable[[list[Position], Recipe], list[T]]
    recipe: Recipe
    #: what comes of a page that kills its process
    lost: Callable[[Position], T]

    def __call__(self, positions: list[Position]) -> list[T]:
        return self.work(positions, self.recipe)


@dataclass
class Batch(Generic[T]):
    """Pages that a process has, or had when it died."""

    positions: list[Position]
    results: Future[list[T]]

    @property
    def is_broken(self) -> bool:
        return isinstance(self.results.exception(), DEATHS)


class PageWorkers:
    """A number of processes.

    If one dies, nobody knows on which page, and Python ends the others as well. The pages that they
    may have had are then done once more, each alone in a process: a page that kills this one twice
    is left out. After that there are as many processes as before.
    """

    def __init__(self, number: int, note: Callable[[str], object]) -> None:
        self.number = number
        self.note = note
        self._opened = ExitStack()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    def in_order(self, task: Task[T], positions: Iterable[Position]) -> Iterator[T]:
        """What the task makes of each page, in their order."""
        waiting: deque[Batch[T]] = deque()
        for chunk in chunked(positions, CHUNK):
            waiting.append(Batch(chunk, self._submit(task, chunk)))
            if len(waiting) == MAX_WAITING * self.number:
                yield from self._take_first(task, waiting)
        while waiting:
            yield from self._take_first(task, waiting)

    def _take_first(self, task: Task[T], waiting: deque[Batch[T]]) -> list[T]:
        if waiting[0].is_broken:
            self._recover(task, [batch for batch in waiting if batch.is_broken])
        return waiting.popleft().results.result()

    def _recover(self, task: Task[T], broken: list[Batch[T]]) -> None:
        """Do what the processes had when one of them died, and hand out the rest again."""
        self.note("a process has died: the pages that it may have had are tried again, one by one")
        for batch in broken[: self.number]:  # they are begun in their order, one a process
            results = [self._alone(task, position) for position in batch.positions]
            batch.results = Future()
            batch.results.set_result(results)
        self._restart(self.number)
        for batch in broken[self.number :]:
            batch.results = self._submit(task, batch.positions)

    def _alone(self, task: Task[T], position: Position) -> T:
        for _ in range(MAX_DEATHS):
            self._prepare_one(task)
            try:
                (result,) = self._submit(task, [position]).result()
            except DEATHS:
                continue
            return result
        return task.lost(position)

    def _prepare_one(self, task: Task[T]) -> None:
        """Have one process that is ready for a page, or give up."""
        for _ in range(MAX_DEATHS_AT_START):
            try:
                self._submit(task, []).result()
            except DEATHS:
                self._restart(1)
            else:
                return
        raise CommandError(
            "processes die before they have a page, perhaps for want of memory: try fewer --jobs",
            UNUSABLE,
        )

    def _restart(self, number: int) -> None:
        self._opened.close()
        self._pool = self._opened.enter_context(processes(number))

    def _submit(self, task: Task[T], positions: list[Position]) -> Future[list[T]]:
        if self._pool is None:
            self._restart(self.number)
        assert self._pool is not None
        try:
            return self._pool.submit(task.work, positions, task.recipe)
        except BrokenProcessPool as error:
            broken: Future[list[T]] = Future()
            broken.set_exception(error)
            return broken
