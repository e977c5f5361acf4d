"""Extract many pages to JSON lines, for `newsclean extract`: files, folders, archives and URLs.

First all pages are located and their sites learned, then each page is extracted. Processes get the
positions of pages, not the pages, and lines are written in the order of the input.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from multiprocessing.connection import wait
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from newsclean.archives.archive_index import PageIndex, build_index, chunked, is_archive
from newsclean.archives.extracting import (
    ExtractionOptions,
    Outcome,
    extract_line,
    extractor_of,
    learn_neighbors,
    read_neighbors,
)
from newsclean.archives.paged_articles import JoinCounts, join_article, join_articles
from newsclean.archives.saved import Position, SavedPage
from newsclean.archives.warc_files import DAMAGED, LOST
from newsclean.cli.download import download
from newsclean.cli.page_input import is_url, page_files
from newsclean.cli.terminal import UNREADABLE, UNUSABLE, CommandError, Progress
from newsclean.discovery.joined_articles import ARTICLE_PAGES
from newsclean.extraction.extractor import Extractor
from newsclean.extraction.text import counted
from newsclean.files import UNREADABLE as UNREADABLE_INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO

    from newsclean.archives.extracting import NeighborPage
    from newsclean.archives.paged_articles import JoinedArticle, PagedArticle

#: A page, and what is made of it.
P = TypeVar("P")
T = TypeVar("T")

#: Pages that a process gets at a time, and how many such chunks may wait for each process.
CHUNK, _MAX_WAITING = 16, 4
#: What happens to a process that lacks memory: it is killed, or cannot send its results.
_DEATHS = (BrokenProcessPool, MemoryError)
#: How often a page may kill its process before it is left out, and how often in a row a process
#: without a page may die before the command gives up.
_MAX_DEATHS, _MAX_DEATHS_AT_START = 2, 3
#: The reasons that mean damaged input, which the exit code reports.
BROKEN = {DAMAGED, UNREADABLE_INPUT}
#: The site of the pages of --neighbors.
_GIVEN = "--neighbors"


@contextmanager
def processes(number: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of processes; work that has not started is dropped at the end, also by Ctrl-C."""
    # Not fork, which can hang in a process with threads (the progress display).
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(number, mp_context=context, initializer=_begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the parent, and end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@dataclass(frozen=True)
class Task(Generic[P, T]):
    """Work on pages that any process can do."""

    work: Callable[[list[P], ExtractionOptions], list[T]]
    options: ExtractionOptions
    #: the result for a page that kills its process
    lost: Callable[[P], T]

    def __call__(self, positions: list[P]) -> list[T]:
        return self.work(positions, self.options)


@dataclass
class Batch(Generic[P, T]):
    """Pages that were given to a process, and their results."""

    positions: list[P]
    results: Future[list[T]]

    @property
    def is_broken(self) -> bool:
        return isinstance(self.results.exception(), _DEATHS)


class PageWorkers:
    """Processes that work on pages, and go on when one of them is killed.

    When a process dies, it is not known on which page, and Python ends the others as well. Each
    page that they may have had is then tried again, alone in a process. A page that kills its
    process twice is left out. After that there are as many processes as before.
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

    def in_order(self, task: Task[P, T], positions: Iterable[P]) -> Iterator[T]:
        """Yield the result of each page, in the order of the pages."""
        waiting: deque[Batch[P, T]] = deque()
        for chunk in chunked(positions, CHUNK):
            waiting.append(Batch(chunk, self._submit(task, chunk)))
            if len(waiting) == _MAX_WAITING * self.number:
                yield from self._take_first(task, waiting)
        while waiting:
            yield from self._take_first(task, waiting)

    def _take_first(self, task: Task[P, T], waiting: deque[Batch[P, T]]) -> list[T]:
        if waiting[0].is_broken:
            self._recover(task, [batch for batch in waiting if batch.is_broken])
        return waiting.popleft().results.result()

    def _recover(self, task: Task[P, T], broken: list[Batch[P, T]]) -> None:
        """Repeat the pages that the processes had when one died, and submit the rest again."""
        self.note("a process died: the pages that it may have had are tried again, one by one")
        for batch in broken[: self.number]:  # batches start in order, one per process
            results = [self._alone(task, position) for position in batch.positions]
            batch.results = Future()
            batch.results.set_result(results)
        self._restart(self.number)
        for batch in broken[self.number :]:
            batch.results = self._submit(task, batch.positions)

    def _alone(self, task: Task[P, T], position: P) -> T:
        for _ in range(_MAX_DEATHS):
            self._prepare_one(task)
            try:
                (result,) = self._submit(task, [position]).result()
            except _DEATHS:
                continue
            return result
        return task.lost(position)

    def _prepare_one(self, task: Task[P, T]) -> None:
        """Start one process that is ready for a page, or give up."""
        for _ in range(_MAX_DEATHS_AT_START):
            try:
                self._submit(task, []).result()
            except _DEATHS:
                self._restart(1)
            else:
                return
        raise CommandError(
            "processes die before they get a page, perhaps out of memory: try fewer --jobs",
            UNUSABLE,
        )

    def _restart(self, number: int) -> None:
        self._opened.close()
        self._pool = self._opened.enter_context(processes(number))

    def _submit(self, task: Task[P, T], positions: list[P]) -> Future[list[T]]:
        if self._pool is None:
            self._restart(self.number)
        assert self._pool is not None
        try:
            return self._pool.submit(task.work, positions, task.options)
        except BrokenProcessPool as error:
            broken: Future[list[T]] = Future()
            broken.set_exception(error)
            return broken


def extract_many(
    sources: Sequence[str],
    neighbors: list[str],
    options: ExtractionOptions,
    jobs: int,
    out: BinaryIO,
    note: Callable[[str], object],
    article_pages: int = ARTICLE_PAGES,
) -> int:
    """Write a line for each page; name and count those that cannot be used."""
    left_out: Counter[str] = Counter()
    written = 0
    with TemporaryDirectory(prefix="newsclean-") as folder, Progress() as progress:

        def name_lost(reason: str, what: object) -> None:
            if reason in LOST:
                note(f"left out, {reason}: {what}")

        index = build_index(sources, options.window, left_out=name_lost, alone=_is_one_page)
        left_out.update(index.left_out)
        are_several = jobs > 1 and len(index) > CHUNK
        with PageWorkers(jobs, note) if are_several else nullcontext() as workers:
            joined = _join_articles(index, folder, options, article_pages, workers, progress)
            memory = os.path.join(folder, "neighbors.sqlite")
            options = _with_neighbors(index, neighbors, options, memory, workers, progress)
            for outcome in in_order(Task(_extract_chunk, options, _lost), index, workers):
                progress.advance("extracting", len(index))
                if outcome.line is not None:
                    out.write(outcome.line)
                    written += 1
                if outcome.problem:
                    note(outcome.problem)
                if outcome.reason:
                    left_out[outcome.reason] += 1
            out.flush()
    if joined.articles:
        pages = joined.articles + joined.pages
        note(f"{counted(joined.articles, 'article')} joined from {pages:,} pages")
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in sorted(left_out.items()))
    note(f"{counted(written, 'page')} extracted" + (f"; left out: {reasons}" if reasons else ""))
    if left_out.keys() & BROKEN:
        return UNREADABLE
    return 0 if written else UNUSABLE


def _is_one_page(source: str) -> bool:
    return is_url(source) or not (os.path.isdir(source) or is_archive(source))


def _join_articles(
    index: PageIndex,
    folder: str,
    options: ExtractionOptions,
    max_pages: int,
    workers: PageWorkers | None,
    progress: Progress,
) -> JoinCounts:
    """Join articles on several pages; none if the pages are rendered."""
    if max_pages < 2 or options.render:
        return JoinCounts()

    def work(articles: Iterator[PagedArticle]) -> Iterator[JoinedArticle | None]:
        task = Task(partial(_join_chunk, max_pages), options, _not_joined)
        for article in in_order(task, articles, workers):
            progress.advance("joining")
            yield article

    return join_articles(index, folder, work)


def _with_neighbors(
    index: PageIndex,
    neighbors: list[str],
    options: ExtractionOptions,
    memory: str,
    workers: PageWorkers | None,
    progress: Progress,
) -> ExtractionOptions:
    """Learn the neighbors, given or from the input itself, and return the options with them."""
    if neighbors:
        positions = [Position(str(path), folder=_GIVEN) for path in page_files(neighbors)]
        options = replace(options, site=_GIVEN, window=max(len(positions), 1))
    else:
        positions = list(index.neighbors())
    if not positions:
        return options

    def pages() -> Iterator[NeighborPage | None]:
        for page in in_order(Task(read_neighbors, options, _no_neighbor), positions, workers):
            progress.advance("learning", len(positions))
            yield page

    method = extractor_of(options.method, options.model, options.images).method
    with closing(
        learn_neighbors(pages(), memory, keying=method.keying, window=options.window)
    ) as learned:
        has_pages = bool(learned.sites.names())
    return replace(options, neighbors=memory) if has_pages else options


def in_order(task: Task[P, T], positions: Iterable[P], workers: PageWorkers | None) -> Iterator[T]:
    """Yield the result of each position in order, from the workers or from this process."""
    if workers is not None:
        yield from workers.in_order(task, positions)
        return
    for chunk in chunked(positions, CHUNK):
        yield from task(chunk)


def _extract_chunk(positions: list[Position], options: ExtractionOptions) -> list[Outcome]:
    """Extract some pages; runs in any process."""
    return [_outcome(position, options) for position in positions]


def _join_chunk(
    max_pages: int, articles: list[PagedArticle], options: ExtractionOptions
) -> list[JoinedArticle | None]:
    """Join some articles; runs in any process."""
    method = extractor_of(options.method, options.model, options.images, options.corrections).method
    extractor = Extractor(method)
    return [join_article(each, extractor, max_pages, options.max_page_size) for each in articles]


def _not_joined(article: PagedArticle) -> None:
    """Join nothing to a page that kills its process."""


def _lost(position: Position) -> Outcome:
    problem = f"{position}: its process died twice, perhaps out of memory"
    return Outcome(None, problem, "process-died")


def _no_neighbor(position: Position) -> None:
    """Learn nothing from a page that kills its process."""


def _outcome(position: Position, options: ExtractionOptions) -> Outcome:
    if not is_url(position.file):
        return extract_line(position, options)
    try:
        return extract_line(position, options, read=_downloaded)
    except CommandError as error:
        return Outcome(None, str(error), "unreadable")


def _downloaded(position: Position, max_size: int) -> SavedPage:
    body, url, content_type = download(position.file, max_size)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return SavedPage(position, url, body, content_type or "", now)
