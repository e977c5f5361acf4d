from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .crawl import Crawl

MakeCrawl = Callable[..., Crawl]


@pytest.fixture
def make_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeCrawl]:
    """Makes crawls that share a memory file and write into the test's folder."""
    monkeypatch.chdir(tmp_path)
    crawls: list[Crawl] = []

    def make(feeds: dict[str, Any] | None = None, **settings: Any) -> Crawl:
        settings.setdefault("NEWSCLEAN_MEMORY", str(tmp_path / "memory.sqlite"))
        crawls.append(Crawl(FEEDS=feeds or {"out.jsonl": {"format": "jsonlines"}}, **settings))
        return crawls[-1]

    yield make
    for crawl in crawls:
        crawl.memory.close()
