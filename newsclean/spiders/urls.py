"""The spider `urls`: the articles of a list of addresses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from newsclean.sources import Entry, read_url_list
from newsclean.spiders.articles import ArticleSpider
from newsclean.spiders.failures import DroppedPage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy import Request


class UrlsSpider(ArticleSpider):
    """Crawls the addresses of a list.

    -a file=PATH        a line each, CSV with a column url, or JSON lines; - is standard input
    -a category=NAME    of those without one; else the first segment of their addresses
    and since, until, limit.
    """

    name = "urls"
    arguments = ("file", "category")
    custom_settings: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "NEWSCLEAN_REPORTS": False,  # a list of addresses does not say how a site is
    }

    def __init__(self, file: str | None = None, category: str = "", **kw: Any) -> None:
        super().__init__(**kw)
        self.file, self.category = file, category
        self.entries: list[Entry] = []

    def prepare(self) -> None:
        if not self.file:
            raise ValueError("say which list: -a file=PATH, or -a file=- for standard input")
        self.entries = list(read_url_list(self._lines(self.file), self._refused))
        self.start_addresses = [entry.url for entry in self.entries]
        if not self.entries:
            raise ValueError(f"{self.file} names no address")

    def _lines(self, file: str) -> list[str]:
        try:
            text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8", "replace")
        except OSError as error:
            raise ValueError(f"cannot read {file}: {error.strerror}") from None
        return text.splitlines()

    def _refused(self, number: int, why: str) -> None:
        self.drop(DroppedPage(f"{self.file}:{number}", "bad-line", why))

    async def start(self) -> AsyncIterator[Request]:
        for request in self.entry_requests(self.entries, self.category):
            yield request
