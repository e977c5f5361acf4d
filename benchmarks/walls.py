"""Count the pages of collections that are taken for walls, and the time that it takes to tell.

    python benchmarks/walls.py CORPUS...

Nothing but a wall that was saved in place of a page should be listed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from newsclean import PageError
from newsclean.extraction.is_article.walls import wall_of_page
from newsclean.extraction.page import Page
from newsclean.lab.evaluate.corpus import check_pages, read_corpus, read_page

KINDS = ("article", "listing", "collection", "forum", "product", "service", "documentation")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, nargs="+")
    options = parser.parse_args()
    pages, walls = Counter[str](), Counter[str]()
    reading = telling = 0.0
    for folder in options.corpus:
        for gold in check_pages(read_corpus(folder, kinds=KINDS)).golds:
            source = read_page(gold.path)
            begun = time.perf_counter()
            try:
                page = Page.from_html(source, gold.url)
            except PageError:
                continue
            read = time.perf_counter()
            wall = wall_of_page(page)
            reading += read - begun
            telling += time.perf_counter() - read
            pages[gold.kind] += 1
            if wall is not None:
                walls[gold.kind] += 1
                print(f"{gold.collection} {gold.id}, {gold.kind}: {wall}: {page.title!r}")
    for kind, number in pages.most_common():
        print(f"{kind}: {walls[kind]} of {number:,} pages are called walls")
    print(f"telling takes {telling / reading:.2%} of the time of reading")
    return 0


if __name__ == "__main__":
    sys.exit(main())
