"""Whether Markdown says what the text says, on every article of a corpus.

    python benchmarks/markdown_roundtrip.py CORPUS [--every 1] [--show 10]

The Markdown of each article is rendered again by a CommonMark library with tables. Without the
captions of pictures, and without embeds, it must have the words of `body` in the same order. With
that, how much longer Markdown takes than clean HTML, in processor time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import lxml.html
from lxml import etree
from markdown_it import MarkdownIt

from newsclean import Extractor, PageError
from newsclean.extraction.body.html import render_html
from newsclean.extraction.body.markdown import render_markdown
from newsclean.extraction.body.markdown_inline import RAISED
from newsclean.extraction.page import Page
from newsclean.extraction.page.columns import LINE_BREAKING
from newsclean.lab.evaluate.corpus import read_corpus, read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.html import HtmlElement

COMMONMARK = MarkdownIt("commonmark", {"maxNesting": 200}).enable(["table", "strikethrough"])
#: Raised and lowered digits as the text has them.
LEVEL = {raised: chr(plain) for table in RAISED.values() for plain, raised in table.items()}
RUNS = 3
#: Lines of one article that are tried as text and as a caption.
MAX_CHOICES = 100


def lines_of(root: HtmlElement) -> Iterator[tuple[str, ...]]:
    """The words of each line of HTML: a line ends where a block or a line break does."""
    parts: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if element.tag in LINE_BREAKING or element.tag == "br":
            yield tuple("".join(parts).translate(LEVEL).split())
            parts.clear()
        if event == "start" or element is not root:
            parts.append((element.text if event == "start" else element.tail) or "")
    yield tuple("".join(parts).translate(LEVEL).split())


def difference(text: str, html: str, markdown: str) -> str:
    """Where the rendered Markdown has other words than the text, empty if nowhere.

    Lines that the clean HTML has in figures and embeds may be there in addition.
    """
    root = lxml.html.fragment_fromstring(html, create_parent="div")
    apart = [
        *root.iter("figure"),
        *(quote for quote in root.iter("blockquote") if quote.get("cite")),
    ]
    captions = Counter(line for element in apart for line in lines_of(element))
    rendered = lxml.html.fragment_fromstring(COMMONMARK.render(markdown), create_parent="div")
    expected = text.translate(LEVEL).split()
    place = 0
    #: Where a line could have been a caption as well: its number, its place, the captions left.
    choices: list[tuple[int, int, Counter[tuple[str, ...]]]] = []
    lines = list(lines_of(rendered))
    number = 0
    problem = ""
    while number < len(lines) or expected[place:]:
        line = lines[number] if number < len(lines) else None
        if line is not None and tuple(expected[place : place + len(line)]) == line:
            if line and captions[line] and len(choices) < MAX_CHOICES:
                choices.append((number, place, captions.copy()))
            place += len(line)
        elif line is not None and captions[line]:
            captions[line] -= 1
        else:
            found = "nothing more" if line is None else str(list(line[:12]))
            problem = problem or f"{expected[place : place + 12]} but {found}"
            if not choices:
                return problem
            number, place, captions = choices.pop()
            captions[lines[number]] -= 1
        number += 1
    return ""


def seconds_of(call: Callable[[], object]) -> float:
    """The processor time of a call, the best of several."""
    best = inf
    for _ in range(RUNS):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth page")
    parser.add_argument("--show", type=int, default=10, help="how many differences to show")
    options = parser.parse_args()
    extractor = Extractor()
    counts: Counter[str] = Counter()
    time_html = time_markdown = 0.0
    for gold in read_corpus(options.corpus).golds[:: options.every]:
        try:
            extraction = extractor(Page.from_html(read_page(gold.path), gold.url))
        except PageError:
            counts["unusable"] += 1
            continue
        page, rows, html = extraction.page, extraction.body.html, extraction.html
        time_html += seconds_of(partial(render_html, page, rows))
        time_markdown += seconds_of(partial(render_markdown, html))
        problem = difference(extraction.text, html, render_markdown(html))
        counts["other" if problem else "same"] += 1
        if problem and counts["other"] <= options.show:
            print(f"{gold.name}: {problem}")
    total = counts["same"] + counts["other"]
    print(f"{counts['same']:,} of {total:,} articles have the same words")
    print(f"{counts['unusable']:,} pages could not be used")
    print(f"Markdown takes {time_markdown / time_html:.2f} of the time of clean HTML,")
    print(f"{1000 * time_markdown / max(total, 1):.2f} ms a page")
    return 1 if counts["other"] else 0


if __name__ == "__main__":
    sys.exit(main())
