"""Look at a memory, move what was learned to another one, and extract kept pages again.

An export is JSON lines: a first line with its format, one line per learned page, one line per site
with sample texts.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args

import numpy as np

from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.neighborhood import Keying
from newsclean.extraction.page import Page
from newsclean.memory.database import MemoryFileError
from newsclean.memory.learned_sites import DEFAULT_KEYING, LearnedPage

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from numpy.typing import NDArray

    from newsclean.extraction.extractor import Extraction, Extractor
    from newsclean.memory.store import Memory
    from newsclean.memory.stored_pages import StoredPage

#: The version of the export.
_FORMAT = 1
#: With fewer neighbors in its category, a page is compared with those of the whole site; the
#: default of NEWSCLEAN_MIN_NEIGHBORS.
_MIN_NEIGHBORS = 5


class Overview(NamedTuple):
    """One neighborhood, as a row for people."""

    site: str
    category: str
    pages: int
    keys: int
    size: int
    last_seen: float
    #: pages whose articles are not delivered yet
    stored: int
    #: kept pages of delivered articles, and their bytes
    kept: int
    kept_size: int


def overview(memory: Memory) -> list[Overview]:
    """Return all neighborhoods, by site and category."""
    stored, kept = memory.pages.counts(), memory.kept.counts()
    groups: dict[tuple[str, str], list[tuple[float, bytes]]] = defaultdict(list)
    for page in memory.sites.learned_pages():
        groups[page.site, page.category].append((page.seen, page.keys.tobytes()))
    rows = []
    for site, category in sorted({*groups, *stored, *kept}):
        pages = groups.get((site, category), [])
        keys = np.frombuffer(b"".join(blob for _, blob in pages), dtype=np.uint64)
        rows.append(
            Overview(
                site,
                category,
                pages=len(pages),
                keys=len(np.unique(keys)),
                size=keys.nbytes,
                last_seen=max((seen for seen, _ in pages), default=0.0),
                stored=stored.get((site, category), 0),
                kept=kept[site, category].pages if (site, category) in kept else 0,
                kept_size=kept[site, category].size if (site, category) in kept else 0,
            )
        )
    return rows


def in_flight_elsewhere(memory: Memory) -> dict[str, int]:
    """Count the pending articles of dead runs whose files are on other machines, by machine."""
    found: Counter[str] = Counter()
    for run in memory.runs.all():
        # What is pending for a table is not in it: no other machine needs to look.
        is_elsewhere = run.host is not None and run.outputs and not run.table
        if is_elsewhere and not memory.database.is_run_alive(run.id):
            found[run.host or ""] += memory.deliveries.count_of(run.id)
    return {host: count for host, count in sorted(found.items()) if count}


def export_lines(memory: Memory) -> Iterator[str]:
    """Return what was learned as JSON lines."""
    yield first_line(memory.sites.keying or DEFAULT_KEYING)
    yield from map(page_line, memory.sites.learned_pages())
    for site in memory.sites.names():
        samples = memory.sites.neighborhood(site).samples
        texts = {f"{key:016x}": text for key, text in samples.items()}
        if texts:
            yield json.dumps({"site": site, "samples": texts}, ensure_ascii=False)


def first_line(keying: Keying) -> str:
    return json.dumps({"newsclean_memory": _FORMAT, "keying": keying})


def page_line(page: LearnedPage) -> str:
    record = page._asdict() | {"keys": _written(page.keys), "facts": _written(page.facts)}
    return json.dumps(record, ensure_ascii=False)


def import_lines(
    memory: Memory, lines: Iterable[str | bytes], sites: Collection[str] | None = None
) -> int:
    """Add what another memory has learned about these sites or all, and return the page count.

    Add everything or nothing. A memory that has learned nothing takes either kind of keys.
    """
    keying: Keying | None = None
    pages: list[LearnedPage] = []
    samples: dict[str, dict[int, str]] = {}
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if number == 1:
                keying = _keying(record, memory.sites.keying)
            elif sites is not None and record["site"] not in sites:
                continue
            elif "samples" in record:
                texts = record["samples"].items()
                samples[str(record["site"])] = {int(key, 16): str(text) for key, text in texts}
            else:
                pages.append(_page(record))
        except MemoryFileError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise MemoryFileError(f"line {number} is not part of a memory: {error!r}") from None
    if keying is None:
        raise MemoryFileError("nothing to import: the file is empty")
    found = keying

    def add() -> None:
        memory.sites.require_keying(found)
        memory.sites.add_pages(pages, samples)

    memory.database.atomically(add)
    return len(pages)


def _keying(record: Any, expected: Keying | None) -> Keying:
    """Check the first line of an export, and return its kind of keys."""
    if not isinstance(record, dict) or "newsclean_memory" not in record:
        raise MemoryFileError("line 1 is not the first line of an export of a memory")
    found, keying = record["newsclean_memory"], record.get("keying")
    if found != _FORMAT or keying not in ([expected] if expected else get_args(Keying)):
        raise MemoryFileError(
            f"format {found} with {keying!r} keys does not fit a memory of format {_FORMAT} with "
            f"{expected or 'any'!r} keys"
        )
    return cast("Keying", keying)


def _page(record: dict[str, Any]) -> LearnedPage:
    return LearnedPage(
        str(record["site"]),
        str(record["category"]),
        str(record["name"]),
        float(record["seen"]),
        _read(record["keys"]),
        _read(record["facts"]),
    )


def _written(hashes: NDArray[np.uint64]) -> list[str]:
    return [f"{key:016x}" for key in hashes.tolist()]


def _read(written: list[str]) -> NDArray[np.uint64]:
    return np.array([int(key, 16) for key in written], dtype=np.uint64)


def kept_extraction(memory: Memory, stored: StoredPage, extractor: Extractor) -> Extraction:
    """Extract a kept page; raises `PageError` if it can't be used."""
    page = Page.from_html(stored.body, stored.url, stored.content_type or None)
    scores = extractor.method.score_blocks(page)
    keys = extractor.method.keys(page, scores)
    neighbors = memory.sites.support_for(
        stored.site, stored.category, stored.url, keys, _MIN_NEIGHBORS
    )
    return extractor(page, Evidence(scores, neighbors))


def kept_extractions(memory: Memory, site: str, extractor: Extractor) -> Iterator[Extraction]:
    """Extract the kept pages of a site and its hosts, newest first; skip unusable pages."""
    for number, _, _ in memory.kept.numbers([site]):
        try:
            found = memory.kept.get(number)
            if found is not None:
                yield kept_extraction(memory, found[1], extractor)
        except ValueError:  # a damaged page, or PageError
            continue
