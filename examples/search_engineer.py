"""A search engineer: from articles to passages for an index of your own, with copies grouped.

python examples/search_engineer.py articles.jsonl passages.jsonl

Each line of the output is a passage of some 100 words, with what a search result needs: an id that
never changes, headline, site, date. An agency's text that several sites print is indexed once; the
passage names the other sites. `newsclean index` and `newsclean search` do the same for whole
articles, without any code.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from newsclean.apps.search import SearchRequest, open_search
from newsclean.cli import main as newsclean

WORDS = 100


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the passages of articles as JSON lines.")
    parser.add_argument("articles", type=Path, help="JSON lines of newsclean crawl or extract")
    parser.add_argument("passages", type=Path, help="the file to write")
    parser.add_argument("--index", default="articles.sqlite", help="finds the copies")
    options = parser.parse_args(arguments)
    # Only the newest state of each article stays in the index.
    if code := newsclean(["index", str(options.articles), "--index", options.index]):
        return code
    count = 0
    with options.passages.open("w", encoding="utf-8") as file:
        for article, copies in distinct_articles(options.index):
            for passage in passages(article, copies):
                file.write(json.dumps(passage, ensure_ascii=False) + "\n")
                count += 1
    print(f"{count} passages in {options.passages}")
    return 0


def distinct_articles(index: str) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield each article with the sites that print a near copy of it."""
    target = open_search(index)
    try:
        offset = 0
        # An empty query finds all articles; near copies are one hit.
        while hits := target.search(SearchRequest("", limit=100, offset=offset)).hits:
            for hit in hits:
                yield target.article(hit.id), [copy.site for copy in hit.also_on]
            offset += len(hits)
    finally:
        target.close()


def passages(article: dict[str, Any], copies: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the text in pieces of whole paragraphs."""
    piece: list[str] = []
    pieces = [piece]
    for paragraph in article["body"].split("\n\n"):
        if piece and sum(len(each.split()) for each in piece) >= WORDS:
            piece = []
            pieces.append(piece)
        piece.append(paragraph)
    for number, each in enumerate(pieces):
        yield {
            "id": f"{article['id']}-{number}",
            "article": article["id"],
            "url": article["url"],
            "site": article["site"],
            "also_on": copies,
            "headline": article["headline"],
            "date": article["date_published"],
            "language": article["language"],
            "text": "\n\n".join(each),
        }


if __name__ == "__main__":
    raise SystemExit(main())
