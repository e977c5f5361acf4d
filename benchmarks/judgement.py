"""What the judgement costs beside the extraction: processor time a page, in the same run.

python benchmarks/judgement.py CORPUS [--pages 25]
"""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path
from time import process_time

from newsclean.articles import judge
from newsclean.evaluate.corpus import read_corpus, read_page
from newsclean.metadata import read_metadata
from newsclean.methods import method_named
from newsclean.page import Page, PageError
from newsclean.render import body_of, render_html, render_text

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
    method = method_named()
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
            metadata = read_metadata(page.elements, gold.url)
            choice = method.choose(page, None)
            body = body_of(page, choice, metadata)
            render_text(page, body.text)
            render_html(page, body.html)
            middle = process_time()
            judge(page, body.text, metadata, choice)
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
