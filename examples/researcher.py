"""A researcher: from a folder of saved pages to a table of articles, and how sure we can be of it.

python examples/researcher.py pages/ articles.csv

The pages are those of one site (save those of another site in another folder): each is judged with
the others as its neighbors. The column `agreement` says how much of the text a second, published
method chooses, too: look at the pages with low figures before you trust the numbers.
"""

import argparse
import csv
import re
from collections import Counter
from pathlib import Path

from newsclean import Extractor, Page, PageError

SECOND_METHOD = "stadynot+coreex"
COLUMNS = ["file", "headline", "authors", "date", "language", "words", "agreement", "is_article"]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make a table of the articles of saved pages.")
    parser.add_argument("folder", type=Path, help="saved pages of one site: *.html")
    parser.add_argument("table", type=Path, help="the CSV file to write")
    options = parser.parse_args(arguments)
    files, pages = [], []
    for path in sorted(options.folder.glob("*.htm*")):
        try:
            pages.append(Page.from_html(path.read_bytes()))  # the page says its own encoding
            files.append(path.name)
        except PageError as error:
            print(f"left out: {path.name}: {error}")
    first = Extractor().extract_site(pages)
    second = Extractor(SECOND_METHOD).extract_site(pages)
    with options.table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for name, extraction, other in zip(files, first, second, strict=True):
            article = extraction.article()
            writer.writerow(
                {
                    "file": name,
                    "headline": article.headline,
                    "authors": "; ".join(article.authors),
                    "date": article.date_published,
                    "language": article.language,
                    "words": len(words(article.body)),
                    "agreement": f"{agreement(article.body, other.text):.2f}",
                    "is_article": article.is_article,
                }
            )
    print(f"{len(files)} pages in {options.table}")
    return 0


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def agreement(one: str, other: str) -> float:
    """Return the F1 of the words of two texts: 1 if they are the same."""
    first, second = Counter(words(one)), Counter(words(other))
    common = (first & second).total()
    return 2 * common / max(first.total() + second.total(), 1)


if __name__ == "__main__":
    raise SystemExit(main())
