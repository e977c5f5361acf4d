"""What the workers of a Spark job (`spark_job`) do with its rows: pages, neighbors, lines.

Each function takes rows and yields rows, as batches of Arrow. Each page is handled by itself, so
that a page that fails is the only one lost. When Spark runs a task again because its process was
killed, the task works on each page in its own process, so that a page that kills its process is the
only one lost, too.
"""

from __future__ import annotations

import os
from collections import Counter, OrderedDict
from functools import partial
from itertools import groupby, islice
from multiprocessing import get_context
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from newsclean.archives import archive_index, extracting
from newsclean.archives.extracting import NeighborPage, Outcome, extractor_of, read_neighbor
from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import (
    OUT_OF_MEMORY,
    TOO_LITTLE_MEMORY,
    ArchiveError,
    Position,
    SavedPage,
    SavedPageError,
    category_named,
    site_named,
)
from newsclean.archives.warc_files import warc_pages
from newsclean.files import UNREADABLE
from newsclean.memory import Memory
from newsclean.memory.database import to_blob
from newsclean.memory.learned_sites import learned_page
from newsclean.memory.sharing import first_line, page_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from newsclean.archives.extracting import ExtractionOptions
    from newsclean.extraction.neighborhood import Keying
    from newsclean.memory.learned_sites import LearnedPage, LearnedSites

    _Row = dict[str, Any]
    _Rows = Iterator[_Row]
    _Tuples = Iterator[tuple[Any, ...]]

T = TypeVar("T")

#: Rows per batch: a page has up to 10 MB, a neighborhood about 100 kB.
BATCH_ROWS = 16
#: Maximum sites whose neighborhoods a task keeps in memory.
_MAX_SITES = 128
#: The reasons for which the report names each page that is left out.
DIED, FAILED = "process-died", "failed"
NAMED = (OUT_OF_MEMORY, DIED, FAILED)
_DIED = "its process died twice, perhaps out of memory"

#: A page or, without a site, the number of records of a file that were left out, and why. The place
#: is the number of the file and, in the lower 32 bits, the number of the page in the file.
PAGE = (
    "place bigint, offset bigint, site string, category string, url string, content_type string, "
    "fetched_at string, body binary, reason string, problem string, number bigint"
)
#: A page to learn from, and its number among those of its site.
NEIGHBOR_PLACE = "place bigint, position bigint"
#: What was learned from a page, and a page in the neighborhoods of its site.
LEARNED = ("category", "name", "seen", "keys", "facts")
NEIGHBOR_PAGE = (
    "site string, position bigint, category string, name string, seen double, keys binary, "
    "facts binary"
)
NEIGHBOR = f"{NEIGHBOR_PAGE}, keying string"
#: A line, or why a page has none.
LINE = "place bigint, line string, reason string, problem string"
TEXT = "value string"


def _batches(rows: _Tuples, columns: str) -> Iterator[Any]:
    """Yield rows as batches of Arrow, the last one empty."""
    import pyarrow

    kinds = {"bigint": "int64", "double": "float64"}
    pairs = [column.split() for column in columns.split(", ")]
    schema = pyarrow.schema([(name, getattr(pyarrow, kinds.get(k, k))()) for name, k in pairs])
    some: list[_Row] = [{}]
    while some:
        some = [dict(zip(schema.names, row, strict=True)) for row in islice(rows, BATCH_ROWS)]
        yield pyarrow.RecordBatch.from_pylist(some, schema=schema)


def _rows(batches: Iterable[Any]) -> _Rows:
    """Yield rows as dictionaries; the neighbors stay in Arrow: about 100 kB that few rows need."""
    for batch in batches:
        flat = [name for name in batch.schema.names if name != "neighbors"]
        for number, row in enumerate(batch.select(flat).to_pylist()):
            if len(flat) < batch.num_columns:
                row["neighbors"] = batch.column("neighbors")[number]
            yield row


def _in_arrow(columns: str) -> Callable[[Callable[..., _Tuples]], Callable[..., Iterator[Any]]]:
    """Make a function from rows to rows work on batches of Arrow, for `mapInArrow`."""
    return lambda work: lambda batches, *values: _batches(work(_rows(batches), *values), columns)


def to_table(batches: Iterator[Any]) -> Any:
    """Join batches to a table, for `applyInArrow`."""
    import pyarrow

    return pyarrow.Table.from_batches(batches)


@_in_arrow(PAGE)
def read_files(rows: _Rows, files: dict[str, tuple[int, str]], max_size: int) -> _Tuples:
    """Read the pieces of files, with their paths in Spark, to rows of `PAGE`.

    Each file is copied to the disk while it is read: the page of a revisit record may be anywhere
    in it, and the use of memory does not grow with the file.
    """
    for path, pieces in groupby(rows, key=lambda row: row["path"]):
        with TemporaryDirectory(prefix="newsclean-") as folder:
            copy = os.path.join(folder, os.path.basename(path))
            with open(copy, "wb") as file:
                file.writelines(row["piece"] for row in pieces)
            yield from _pages_of(copy, *files[path], max_size)


def _pages_of(path: str, number: int, name: str, max_size: int) -> _Tuples:
    left_out: Counter[str] = Counter()
    first = place = number << 32
    failure = None
    try:
        if not archive_index.is_archive(path):
            raise ArchiveError(f"{name} is not a WARC or WACZ file")
        for found in warc_pages(path, lambda reason, what: left_out.update([reason])):
            at = found.position
            named = site_named(found.url, at), category_named(found.url, at)
            yield place, at.offset, *named, *_read(at, max_size), 1
            place += 1
        if place == first and not left_out:
            raise ArchiveError(f"there are no pages in {name}")
    except ArchiveError as error:
        left_out[UNREADABLE] += 1
        failure = str(error).replace(path, name)
    left_out[""] = 0  # the file was read
    for reason, count in left_out.items():
        problem = failure if reason == UNREADABLE else None
        yield first, None, None, None, None, None, None, None, reason, problem, count


def _read(position: Position, max_size: int) -> tuple[Any, ...]:
    try:
        saved = read_page(position, max_size)
        return saved.url, saved.content_type, saved.fetched_at, saved.body, None, None
    except SavedPageError as error:
        return None, None, None, None, error.reason, str(error)
    except MemoryError:
        return None, None, None, None, OUT_OF_MEMORY, TOO_LITTLE_MEMORY


def _saved(page: _Row, position: Position, max_size: int) -> SavedPage:
    """Return the page of a row, like `read_page`."""
    if page["reason"] is not None:
        raise SavedPageError(page["reason"], page["problem"])
    return SavedPage(position, page["url"], page["body"], page["content_type"], page["fetched_at"])


@_in_arrow(NEIGHBOR_PLACE)
def choose_pages(site: _Rows, window: int) -> _Tuples:
    """Choose the pages to learn from among the last ones of each category of a site."""
    rows = sorted((row["first"], row["place"]) for row in site)
    categories = [[place for _, place in each] for _, each in groupby(rows, lambda row: row[0])]
    for position, place in enumerate(archive_index.choose_neighbors(categories, window)):
        yield place, position


@_in_arrow(NEIGHBOR_PAGE)
def read_neighbors(rows: _Rows, extraction: ExtractionOptions) -> _Tuples:
    """Read pages to rows of `NEIGHBOR_PAGE`; skip those that cannot be used."""
    method = extractor_of(extraction.method, extraction.model, extraction.images).method

    size = extraction.max_page_size
    work = _guarded(lambda page: read_neighbor(Position(""), method, size, partial(_saved, page)))
    for page in rows:
        found = work(page)
        if isinstance(found, NeighborPage):
            hashes = to_blob(found.keys), to_blob(found.facts)
            yield found.site, page["position"], *found[1:4], *hashes


@_in_arrow(NEIGHBOR)
def make_neighbors(site: _Rows, keying: Keying, window: int) -> _Tuples:
    """Make rows of `NEIGHBOR` from what was learned of a site's pages."""
    rows = sorted(site, key=lambda row: row["position"])
    learned = [NeighborPage(*_learned(row["site"], row)) for row in rows]
    pages = extracting.make_neighborhood(learned, keying=keying, window=window)
    for position, page in enumerate(pages):
        yield page.site, position, *page[1:4], to_blob(page.keys), to_blob(page.facts), keying


@_in_arrow(TEXT)
def write_neighbors(rows: _Rows, keying: Keying) -> _Tuples:
    """Write rows of `NEIGHBOR` as lines for `newsclean memory import`."""
    for number, row in enumerate(rows):
        if not number:
            yield (first_line(keying),)
        yield (page_line(_learned(row["site"], row)),)


def _learned(site: str, row: _Row) -> LearnedPage:
    return learned_page(site, *(row[name] for name in LEARNED))


@_in_arrow(LINE)
def extract_lines(
    rows: _Rows, extraction: ExtractionOptions, keying: Keying | None, files: dict[int, str]
) -> _Tuples:
    """Extract pages, each with the neighborhood of its site, to rows of `LINE`.

    If `keying` is None there are no neighborhoods.
    """
    known: OrderedDict[str, Memory] = OrderedDict()

    def neighbors(site: str, learned: Any) -> LearnedSites | None:
        if keying is None:
            return None
        if site not in known:
            known[site] = Memory(keying=keying, window=extraction.window)
            pages = [_learned(site, row) for row in learned.as_py() or ()]
            known[site].sites.add_pages(pages, {})
            if len(known) > _MAX_SITES:
                known.popitem(last=False)[1].close()
        known.move_to_end(site)
        return known[site].sites

    def outcome(page: _Row) -> Outcome:
        read = partial(_saved, page)
        return extracting.extract_line(page["at"], extraction, read=read, sites=page["neighbors"])

    work = _guarded(outcome)
    try:
        for page in rows:
            page["at"] = Position(files[page["place"] >> 32], page["offset"])
            page["neighbors"] = neighbors(page["site"], page["neighbors"])
            found = work(page)
            if not isinstance(found, Outcome):
                reason = DIED if found == _DIED else FAILED
                found = Outcome(None, f"{page['at']}: {found}", reason)
            line = None if found.line is None else found.line.decode().removesuffix("\n")
            yield page["place"], line, found.reason or None, found.problem or None
    finally:
        for memory in known.values():
            memory.close()


def _guarded(work: Callable[[_Row], T]) -> Callable[[_Row], T | str]:
    """Let the work return its error; in a repeated task, do it in its own process."""
    from pyspark import TaskContext

    def tried(page: _Row) -> T | str:
        try:
            return work(page)
        except Exception as error:
            return repr(error)

    def alone(page: _Row) -> T | str:
        fork = get_context("fork")
        receiver, sender = fork.Pipe(duplex=False)
        process = fork.Process(target=lambda: sender.send(tried(page)))
        process.start()
        sender.close()
        with receiver:
            try:
                return receiver.recv()  # type: ignore[no-any-return]
            except EOFError:
                return _DIED
            finally:
                process.join()

    task = TaskContext.get()
    return alone if task is not None and task.attemptNumber() else tried
