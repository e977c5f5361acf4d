"""The part `pages` of the attack: whatever a page holds, what comes out is an article, or none.

Each try is a page after some mutations; its seed and number make the same page again.
"""

from __future__ import annotations

import json
import random
import time
import unicodedata
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from lxml import etree

import newsclean
from newsclean.extraction.page import Page, PageError
from tests.attack.allow_list import violations
from tests.attack.costs import Cost, peak_memory, warm_up
from tests.attack.mutations import generated, mutated, pages_in
from tests.attack.promise import Promise

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean import Article

PART = "pages"
URL = "https://example.org/news/rain-in-bergen-4711.html"
METHODS = ("hybrid", "stadynot+coreex", "boilerpipe-tree", "mss")
#: Their text is code, or for whom fills in a form.
HIDDEN = frozenset("script style title math svg datalist template textarea".split())
#: How often a page that was slow is read again: other work makes a run slower, never faster.
RETRIES = 3

ERRORS = "no exception but PageError"
JSON = "valid UTF-8 and JSON"
SUBSEQUENCE = "the body is a subsequence of the page's text"
SAFE = "the HTML is inside the allow-list"
BOUNDS = "time and memory are within the stated bounds"
PROMISES = (ERRORS, JSON, SUBSEQUENCE, SAFE, BOUNDS)


def run(tries: int, seed: int, folder: Path | None = None) -> list[Promise]:
    """Mutate generated pages, or those of a folder, and check what comes out."""
    warm_up()
    pages = pages_in(folder) if folder else generated()
    failures: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for number in range(tries):
        rng = random.Random(f"{seed} {number}")
        page, mutations = mutated(pages, rng)
        method = rng.choice(METHODS)
        for promise, failure in broken_promises(page, method).items():
            failures[promise] += 1
            how = f"{failure} (seed {seed}, try {number}: {', '.join(mutations)}; {method})"
            examples.setdefault(promise, how)
    return [
        Promise(PART, promise, tries, failures[promise], examples.get(promise, ""))
        for promise in PROMISES
    ]


def broken_promises(source: bytes, method: str) -> dict[str, str]:
    """The promises that a page breaks, each with what was found."""
    memory = peak_memory()
    start = time.process_time()
    try:
        article = newsclean.extract(source, URL, method=method)
    except PageError:
        article = None
    except Exception as error:
        return {ERRORS: f"{type(error).__name__}: {error}"[:200]}
    seconds = time.process_time() - start
    cost = Cost(len(source), seconds, peak_memory() - memory)
    broken = {} if article is None else _broken_by(article, source)
    # Memory is not measured again: a process that has been large once is never smaller.
    if not cost.has_enough_memory or not (cost.is_fast_enough or _is_fast(source, method)):
        broken[BOUNDS] = str(cost)
    return broken


def _broken_by(article: Article, source: bytes) -> dict[str, str]:
    broken: dict[str, str] = {}
    fields = article.to_dict()
    try:
        if json.loads(json.dumps(fields, ensure_ascii=False).encode("utf-8")) != fields:
            broken[JSON] = "another value after a round trip"
    except ValueError as error:
        broken[JSON] = str(error)[:200]
    text = shown_text(Page.from_html(source, URL).root)
    if (word := first_strange_word(article.body, text)) is not None:
        broken[SUBSEQUENCE] = f"{word[:80]!r} is not where it should be"
    if unsafe := violations(article.body_html):
        broken[SAFE] = unsafe[0][:200]
    return broken


def shown_text(root: etree._Element) -> str:
    """The text of a tree without that of tags whose text is not shown.

    A script between two words parts them in the source, and for nobody who reads the page.
    """
    pieces: list[str] = []
    hidden = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            hidden += element.tag in HIDDEN
            text = element.text
        else:
            hidden -= event == "end" and element.tag in HIDDEN
            text = element.tail
        if text and not hidden:
            pieces.append(text)
    return "".join(pieces)


def first_strange_word(body: str, text: str) -> str | None:
    """The first word of a body that does not follow the one before it in the page's text.

    >>> first_strange_word("rain now", "The <b>rain</b>, snow"), first_strange_word("b a", "a b")
    (None, 'a')
    """
    letters = _letters(text)
    place = 0
    for word in body.split():
        seen = _letters(word)
        place = letters.find(seen, place)
        if place < 0:
            return word
        place += len(seen)
    return None


def _letters(text: str) -> str:
    """What can be seen of a text, without white space."""
    if text.isascii() and text.isprintable():
        return "".join(text.split())
    joined = "".join(text.split())
    return "".join(letter for letter in joined if unicodedata.category(letter)[0] != "C")


def _is_fast(source: bytes, method: str) -> bool:
    """Whether a page that was slow once is fast enough when it is read again."""
    for _ in range(RETRIES):
        start = time.process_time()
        with suppress(PageError):
            newsclean.extract(source, URL, method=method)
        if Cost(len(source), time.process_time() - start, 0.0).is_fast_enough:
            return True
    return False
