"""Whether neighborhoods give the same articles whichever way they are made.

    python benchmarks/neighborhoods.py CORPUS [--pages 4]

Of each site of the corpus that has so many pages, all pages are learned, page by page
(`Neighborhood.learn`), into a memory that another one imports, and by the job for Spark, once with
the neighborhoods given to each machine, and once joined with the pages. All pages are extracted
with each, and the articles compared: how many differ from those of `Neighborhood.learn`.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from newsclean import Neighborhood
from newsclean.archives.archive_index import build_index
from newsclean.archives.extracting import (
    ExtractionOptions,
    close_neighbors,
    extract_line,
    extractor_of,
    learn_neighbors,
    read_neighbors,
)
from newsclean.archives.record_bodies import read_page as read_saved
from newsclean.extraction.page import Page, PageError
from newsclean.lab.evaluate.corpus import read_corpus, read_page
from newsclean.memory import Memory
from newsclean.memory.sharing import export_lines, import_lines

if TYPE_CHECKING:
    from newsclean.archives.archive_index import PageIndex
    from newsclean.lab.evaluate.corpus import Gold

KINDS = ("article", "listing", "collection", "forum", "product", "service", "documentation")

#: What a page has from the archive and not from its neighbors.
ELSEWHERE = ("source", "fetched_at", "category")


def write_warc(path: Path, sites: dict[tuple[str, str], list[Gold]]) -> None:
    """All pages, each at an address of a site of its own kind."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, pages in enumerate(sites.values()):
            for gold in pages:
                body = read_page(gold.path)
                url = f"https://site-{number}.example/news/{gold.id}"
                headers = StatusAndHeaders(
                    "200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1"
                )
                record = writer.create_warc_record(
                    url, "response", io.BytesIO(body), len(body), http_headers=headers
                )
                writer.write_record(record)


def learned(index: PageIndex, options: ExtractionOptions) -> list[dict[str, Any]]:
    """With neighborhoods that learn page by page."""
    extractor = extractor_of(options.method, options.model, options.images)
    hoods: dict[str, Neighborhood] = {}
    found = []
    for position in index.neighbors():
        saved = read_saved(position)
        hood = hoods.setdefault(saved.site, Neighborhood(extractor.method, window=options.window))
        try:
            hood.learn(Page.from_html(saved.body, saved.url, saved.content_type), saved.url)
        except PageError:
            continue
    for position in index:
        saved = read_saved(position)
        try:
            page = Page.from_html(saved.body, saved.url, saved.content_type)
        except PageError:
            continue
        article = extractor(page, hoods[saved.site].evidence_on(page)).article()
        if article.body:
            found.append(json.loads(json.dumps(article.to_dict())))
    return found


def imported(index: PageIndex, options: ExtractionOptions, folder: Path) -> list[dict[str, Any]]:
    """With a memory that has imported what another one has learned."""
    keying = extractor_of(options.method, options.model, options.images).method.keying
    pages = read_neighbors(list(index.neighbors()), options)
    first, second = str(folder / "learned.sqlite"), str(folder / "imported.sqlite")
    with (
        closing(learn_neighbors(pages, first, keying=keying, window=options.window)) as memory,
        closing(Memory(second, window=options.window)) as other,
    ):
        import_lines(other, export_lines(memory))
    options = replace(options, neighbors=second)
    outcomes = [extract_line(position, options) for position in index]
    close_neighbors()
    return [json.loads(outcome.line) for outcome in outcomes if outcome.line is not None]


def by_spark(spark: Any, warc: Path, out: Path, megabytes: float) -> list[dict[str, Any]]:
    from newsclean.cluster.spark import parse_arguments, run

    arguments = ["--input", str(warc), "--output", str(out), "--format", "jsonl"]
    run(spark, parse_arguments([*arguments, "--broadcast-mb", str(megabytes)]))
    parts = sorted(out.glob("articles/part-*"))
    return [json.loads(line) for part in parts for line in part.read_bytes().splitlines()]


def differing(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> int:
    """How many articles differ in what neighbors can change."""
    lost = abs(len(one) - len(other))
    return lost + sum(
        any(a[name] != b[name] for name in a if name not in ELSEWHERE)
        for a, b in zip(one, other, strict=False)
    )


def main() -> None:
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus")
    parser.add_argument("--pages", type=int, default=4, help="of a site, at least")
    options = parser.parse_args()
    of_sites: dict[tuple[str, str], list[Gold]] = defaultdict(list)
    for gold in read_corpus(Path(options.corpus), kinds=KINDS).golds:
        of_sites[gold.collection, gold.site].append(gold)
    sites = {site: pages for site, pages in of_sites.items() if len(pages) >= options.pages}
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        warc = folder / "corpus.warc.gz"
        write_warc(warc, sites)
        options = ExtractionOptions()
        index = build_index([str(warc)], options.window)
        expected = learned(index, options)
        print(f"{len(sites)} sites, {len(index):,} pages, {len(expected):,} articles", flush=True)
        start = time.process_time()
        found = imported(index, options, folder)
        each = (time.process_time() - start) / len(index)
        print(f"learn and import: {differing(expected, found)}", flush=True)
        print(f"processor time of learning and extracting: {each * 1000:.1f} ms a page", flush=True)
        session = SparkSession.builder.master("local[2,4]").getOrCreate()
        for name, megabytes in (("given to each machine", 100.0), ("joined", 0.0)):
            found = by_spark(session, warc, folder / name, megabytes)
            print(f"learn and Spark, {name}:", differing(expected, found), flush=True)
        session.stop()


if __name__ == "__main__":
    main()
