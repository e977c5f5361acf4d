"""The time of a page beside trafilatura's: the text alone, and the text with all metadata.

    python benchmarks/peer_time.py PAGES [--sample 200] [--rounds 3]

PAGES is a folder with saved pages (`.html`, `.html.gz`, also in folders below). All of them go
through one page in turn, so that they meet the same load of the machine; processor time from the
page's bytes on, the best of some rounds. Printed are medians over pages of the ratios, with their
bootstrap intervals of 95 %.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Callable
from pathlib import Path

import trafilatura
from compare import interval, pages_in

from newsclean import Extractor, PageError, extract
from newsclean.extraction.page import Page


def newsclean_text(body: bytes) -> None:
    Extractor()(Page.from_html(body, "https://example.org/page")).text  # noqa: B018


def newsclean_article(body: bytes) -> None:
    extract(body, "https://example.org/page")


def trafilatura_text(body: bytes) -> None:
    trafilatura.extract(body, include_comments=False)


def trafilatura_article(body: bytes) -> None:
    trafilatura.extract(body, include_comments=False, with_metadata=True, output_format="json")


def seconds(call: Callable[[bytes], None], body: bytes) -> float:
    start = time.process_time()
    call(body)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("pages", type=Path)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    calls = newsclean_text, newsclean_article, trafilatura_text, trafilatura_article
    best: list[list[float]] = []
    for path in pages_in(options.pages, options.sample):
        raw = path.read_bytes()
        body = gzip.decompress(raw) if path.suffix == ".gz" else raw
        try:
            turns = [[seconds(call, body) for call in calls] for _ in range(options.rounds)]
        except PageError:
            continue
        best.append([min(column) for column in zip(*turns, strict=True)])
    print(f"{len(best)} pages")
    for one, other in ((0, 2), (1, 2), (1, 3)):
        middle, low, high = interval([times[one] / times[other] for times in best])
        names = f"{calls[one].__name__} / {calls[other].__name__}"
        print(f"{names}: {middle:.3f} ({low:.3f} to {high:.3f})")


if __name__ == "__main__":
    main()
