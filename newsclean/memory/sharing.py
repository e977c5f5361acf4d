"""What people do with a memory: look at it, forget a site, move what was learned elsewhere."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from newsclean.memory.records import LearnedPage
from newsclean.memory.schema import MemoryFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newsclean.memory.store import Memory

FORMAT = 1


class Overview(NamedTuple):
    """One neighborhood, for a table."""

    site: str
    category: str
    pages: int
    keys: int
    size: int
    last_seen: float
    waiting: int


def overview(memory: Memory) -> list[Overview]:
    """All neighborhoods, by site and category."""
    waiting = memory.count_waiting()
    groups: dict[tuple[str, str], list[tuple[float, bytes]]] = defaultdict(list)
    for page in memory.pages():
        groups[page.site, page.category].append((page.seen, page.keys.tobytes()))
    rows = []
    for site, category in sorted({*groups, *waiting}):
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
                waiting=waiting.get((site, category), 0),
            )
        )
    return rows


def export_lines(memory: Memory) -> Iterator[str]:
    """What was learned, as JSON lines."""
    yield json.dumps({"newsclean_memory": FORMAT, "keying": memory.keying})
    for page in memory.pages():
        record = page._asdict() | {"keys": [f"{key:016x}" for key in page.keys.tolist()]}
        yield json.dumps(record, ensure_ascii=False)
    for site in memory.sites():
        texts = {f"{key:016x}": text for key, text in memory.neighborhood(site).samples.items()}
        if texts:
            yield json.dumps({"site": site, "samples": texts}, ensure_ascii=False)


def import_lines(memory: Memory, lines: Iterable[str]) -> int:
    """Add what another memory has learned; the number of pages. All of it or nothing."""
    pages: list[LearnedPage] = []
    samples: dict[str, dict[int, str]] = {}
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if number == 1:
                _check_head(record, memory.keying)
            elif "samples" in record:
                texts = record["samples"].items()
                samples[str(record["site"])] = {int(key, 16): str(text) for key, text in texts}
            else:
                pages.append(_page(record))
        except MemoryFileError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise MemoryFileError(f"line {number} is no part of a memory: {error!r}") from None
    if not number:
        raise MemoryFileError("nothing to import: the file is empty")
    memory.add_pages(pages, samples)
    return len(pages)


def _check_head(record: Any, keying: str) -> None:
    if not isinstance(record, dict) or "newsclean_memory" not in record:
        raise MemoryFileError("line 1 does not begin a memory: it is no export of newsclean")
    if record["newsclean_memory"] != FORMAT or record.get("keying") != keying:
        raise MemoryFileError(
            f"format {record['newsclean_memory']} with {record.get('keying')!r} keys does not fit "
            f"a memory of format {FORMAT} with {keying!r} keys"
        )


def _page(record: dict[str, Any]) -> LearnedPage:
    keys = np.array([int(key, 16) for key in record["keys"]], dtype=np.uint64)
    return LearnedPage(
        str(record["site"]),
        str(record["category"]),
        str(record["name"]),
        float(record["seen"]),
        keys,
    )
