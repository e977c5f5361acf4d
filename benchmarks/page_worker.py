"""What `bench.py` asks a version of newsclean for, in a process with that version on its path.

Each line of standard input is a JSON list: what to do, and its arguments. Each answer is a line:
the processor seconds by name, empty for a page that cannot be used.
"""

from __future__ import annotations

import gc
import gzip
import json
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from lxml import etree

import newsclean
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.page.columns import Page

_extractor = newsclean.Extractor()


def _body(path: str) -> bytes:
    raw = Path(path).read_bytes()
    return gzip.decompress(raw) if path.endswith(".gz") else raw


def _url(path: str) -> str:
    return "https://example.org/" + Path(path).name


def _timed(call: Callable[[], Any]) -> float:
    gc.collect()
    start = time.process_time()
    call()
    return time.process_time() - start


def extract(path: str) -> dict[str, float]:
    """All of `extract`, and the text alone."""
    body, url = _body(path), _url(path)
    return {
        "extract": _timed(lambda: newsclean.extract(body, url)),
        "text": _timed(lambda: _extractor(Page.from_html(body, url)).text),
    }


def trafilatura(path: str) -> dict[str, float]:
    """The text by trafilatura, and the text with metadata."""
    from trafilatura import extract

    body = _body(path)
    options: dict[str, Any] = {"with_metadata": True, "output_format": "json"}
    return {
        "text": _timed(lambda: extract(body, include_comments=False)),
        "metadata": _timed(lambda: extract(body, include_comments=False, **options)),
    }


def stages(path: str) -> dict[str, float]:
    """The stages of a page, one after the other, and lxml's parse of the same bytes."""
    body, url = _body(path), _url(path)
    taken: dict[str, float] = {}
    gc.collect()
    start = time.process_time()

    def stop(name: str) -> None:
        nonlocal start
        now = time.process_time()
        taken[name] = now - start
        start = time.process_time()

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    etree.fromstring(body, parser)
    stop("lxml's parse alone, for comparison")
    page = Page.from_html(body, url)
    stop("decode, parse and walk to the page's columns")
    evidence = Evidence(_extractor.method.score_blocks(page))
    stop("features and network")
    choice = _extractor.method.choose(page, evidence)
    stop("the choice")
    found = _extractor.extraction(page, evidence, choice)
    _ = found.text
    stop("body and text")
    found.metadata.as_dict()
    stop("metadata")
    _ = found.prediction
    stop("is it an article")
    _ = found.pictures
    stop("pictures")
    _ = found.html
    stop("clean HTML")
    found.article()
    stop("the rest of the article")
    del found, choice, evidence, page
    stop("freeing")
    return taken


def search(index: str, words: str) -> dict[str, float]:
    """One query on an index file."""
    from newsclean.apps.search import SearchRequest, open_search

    with closing(open_search(index)) as searched:
        return {"search": _timed(lambda: searched.search(SearchRequest(words)))}


def main() -> None:
    calls: dict[str, Callable[..., dict[str, float]]] = {
        "extract": extract,
        "trafilatura": trafilatura,
        "stages": stages,
        "search": search,
    }
    print(json.dumps(newsclean.__file__), flush=True)
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            answer = calls[name](*arguments)
        except newsclean.PageError:
            answer = {}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
