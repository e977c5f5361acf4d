"""What the judgement costs beside the extraction: processor time a page, in the same run.

python benchmarks/judgement.py CORPUS [--pages 25]
"""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path
from time import process_time

from newsclean.extraction import Extractor
from newsclean.lab.evaluate.corpus import read_corpus, read_page
from newsclean.page import Page, PageError

ROUNDS = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=25, help="of each collection; default: 25")
    options = parser.parse_args()
    measure(options.corpus, options.pages)
    return 0


def measure(folder: Path, pages: int) -> None:
    """Print the milliseconds a page of each, and their ratio; the best of a few rounds."""
    corpus = read_corpus(folder).sample(pages)
    extractor = Extractor()
    best = {"extraction": float("inf"), "judgement": float("inf")}
    count = 0
    for _ in range(ROUNDS):
        extraction = judgement = 0.0
        count = 0
        for gold in corpus.golds:
            source = read_page(gold.path)
            gc.collect()
            start = process_time()
            try:
                page = Page.from_html(source, gold.url)
            except PageError:
                continue
            found = extractor(page)
            _ = found.metadata.as_dict(), found.text, found.html
            middle = process_time()
            _ = found.judgement
            judgement += process_time() - middle
            extraction += middle - start
            count += 1
        best["extraction"] = min(best["extraction"], extraction)
        best["judgement"] = min(best["judgement"], judgement)
    for name, seconds in best.items():
        print(f"{name}: {1000 * seconds / count:.3f} ms a page ({count} pages)")
    print(f"judgement / extraction: {best['judgement'] / best['extraction']:.3f}")


if __name__ == "__main__":
    sys.exit(main())
