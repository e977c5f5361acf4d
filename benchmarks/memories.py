"""What a page costs in each kind of memory: storing, learning, asking, pending, confirming.

    python benchmarks/memories.py --postgresql postgresql://user@host/database [--pages 400]

Rounds of the kinds take turns, so that what else the machine does disturbs all of them. In each
round the memory begins empty; in PostgreSQL the schema `newsclean` of the database is DROPPED for
that. The pages are those of benchmarks/memory.py with 60 KB of HTML; each becomes an article.
Clock and processor time of this process are the median of the rounds; what the server works is in
the clock alone. Without --postgresql, SQLite alone is measured.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import xxhash
from rich.console import Console
from rich.table import Table

from benchmarks.memory import ENOUGH, made_up_page
from newsclean.memory import Memory, StoredPage
from newsclean.memory.fetches import Fetch
from newsclean.memory.revisions import Body, Texts, sketches_of, upper_half

if TYPE_CHECKING:
    from collections.abc import Callable

SITES = 4
BODY = 60_000
BLOCKS = 20


def article_texts(rng: random.Random) -> Texts:
    """What a page shows whose article has some paragraphs."""
    paragraphs = [f"paragraph {rng.getrandbits(64)} of some words" for _ in range(BLOCKS)]
    hashes = np.array(
        [xxhash.xxh3_64_intdigest(text.encode()) for text in paragraphs], dtype=np.uint64
    )
    slots = np.zeros(BLOCKS, dtype=np.uint32)
    body = Body(hashes, slots, sketches_of(paragraphs))
    ones = np.ones(BLOCKS, int)
    return Texts(body, hashes, upper_half(hashes), slots, ones, ones.astype(bool))


def one_round(path: str, pages: int) -> tuple[float, float]:
    """Seconds a page of the clock and of this process."""
    rng = random.Random(1)
    body = bytes(rng.choices(b"abcdefgh <p>", k=BODY))
    memory = Memory(path, keep_pages=30)
    memory.start_run("benchmark")
    clock = processor = 0.0
    for number in range(pages):
        site = f"site-{number % SITES}.example"
        url = f"https://{site}/{number}"
        page = StoredPage(
            url, site, "news", "text/html", "2026-03-01", body, fetch=Fetch((url,), '"1"')
        )
        keys, texts = made_up_page(rng, number % SITES), article_texts(rng)
        start = time.perf_counter(), time.process_time()
        stored, _ = memory.store_and_learn(page, url, keys)
        memory.sites.support_for(site, "news", url, keys, ENOUGH)
        memory.deliveries.add_pending(url, url, f"{number}", texts)
        memory.mark_delivered(url, stored, published=1.0)
        clock += time.perf_counter() - start[0]
        processor += time.process_time() - start[1]
    memory.close()
    return clock / pages, processor / pages


def emptied(address: str) -> str:
    """A database without a memory."""
    import psycopg

    with psycopg.connect(address) as session:
        session.execute("DROP SCHEMA IF EXISTS newsclean CASCADE")
    return address


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--postgresql", metavar="ADDRESS", help="a database for this alone")
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kinds: dict[str, Callable[[int], str]] = {
            "SQLite": lambda number: str(Path(folder) / f"{number}.sqlite")
        }
        if options.postgresql:
            kinds["PostgreSQL"] = lambda _: emptied(options.postgresql)
        found: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
        for number in range(options.rounds):
            for kind, new_path in kinds.items():
                found[kind].append(one_round(new_path(number), options.pages))
    table = Table("memory", "ms a page, clock", "of it this process", "rounds, clock")
    for kind, rounds in found.items():
        clocks, processors = (
            [1000 * value for value in values] for values in zip(*rounds, strict=True)
        )
        table.add_row(
            kind,
            f"{statistics.median(clocks):.2f}",
            f"{statistics.median(processors):.2f}",
            ", ".join(f"{value:.2f}" for value in clocks),
        )
    Console().print(table)


if __name__ == "__main__":
    main()
