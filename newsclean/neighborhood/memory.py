"""What a crawl remembers of the sites it visits: neighborhoods, waiting pages, what went out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from newsclean.methods import method_named
from newsclean.neighborhood.window import WINDOW, Known, Neighborhood

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.neighborhood.keys import Keying, PageKeys


@dataclass(frozen=True)
class WaitingPage:
    """A page that has too few neighbors yet, with all that is needed to go on with it later."""

    url: str
    site: str
    category: str
    content_type: str
    fetched_at: str
    body: bytes = field(repr=False)
    #: the item of somebody else's spider to which the page belongs
    origin: Any = None


class Revision(NamedTuple):
    """The last state of an article that went out, and from where it came."""

    number: int
    url: str
    content_hash: str


def next_revision(last: Revision | None, name: str, url: str, content_hash: str) -> Revision | None:
    """The state to hand on, or None if it is what went out last or a copy of it.

    >>> first = next_revision(None, "a", "a", "x")
    >>> next_revision(first, "a", "a?print", "x, printed") is None
    True
    >>> next_revision(first, "a", "a", "y").number
    2
    """
    if last is None:
        return Revision(1, url, content_hash)
    is_copy = url not in (name, last.url)
    if is_copy or last.content_hash == content_hash:
        return None
    return Revision(last.number + 1, url, content_hash)


class Memory(ABC):
    """The interface of all stores. Safe to use from several threads."""

    @abstractmethod
    def learn(self, site: str, category: str, name: str, keys: PageKeys) -> None:
        """Count a page in its category and its site."""

    @abstractmethod
    def ask(self, site: str, category: str, name: str, keys: PageKeys, enough: int) -> Known:
        """What the neighbors know of a page: the category's, or the site's if those are few."""

    @abstractmethod
    def wait(self, page: WaitingPage) -> int:
        """Keep a page until its neighborhood is ready; the number by which it is found again."""

    @abstractmethod
    def waiting(self, site: str | None = None) -> list[int]:
        """The numbers of the pages that wait, of one site or of all."""

    @abstractmethod
    def waiting_page(self, number: int) -> WaitingPage | None:
        """A page that waits; it stays until `done`."""

    @abstractmethod
    def done(self, number: int) -> None:
        """Let a page go that has waited."""

    @abstractmethod
    def revise(self, name: str, url: str, content_hash: str) -> int | None:
        """The revision of an article that is about to be handed on; None if it was already.

        `name` is the URL that the article calls its own. What comes from another URL is a copy,
        and only the first of an article and its copies goes out.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of files."""


class RamMemory(Memory):
    """A memory that ends with the process."""

    def __init__(self, keying: Keying = "block", window: int = WINDOW) -> None:
        self.keying = keying
        self.window = window
        self._lock = RLock()
        self._neighborhoods: dict[tuple[str, str | None], Neighborhood] = {}
        self._waiting: dict[int, WaitingPage] = {}
        self._last_number = 0
        self._revisions: dict[str, Revision] = {}

    def neighborhood(self, site: str, category: str | None = None) -> Neighborhood:
        """The pages of a category, or of the whole site."""
        hood = self._neighborhoods.get((site, category))
        if hood is None:
            hood = Neighborhood(keying=self.keying, window=self.window)
            self._neighborhoods[site, category] = hood
        return hood

    def neighborhoods(self) -> list[tuple[str, str | None]]:
        """The sites and categories that it knows."""
        return list(self._neighborhoods)

    def learn(self, site: str, category: str, name: str, keys: PageKeys) -> None:
        with self._lock:
            self.neighborhood(site, category).add(name, keys)
            self.neighborhood(site).add(name, keys)

    def ask(self, site: str, category: str, name: str, keys: PageKeys, enough: int) -> Known:
        with self._lock:
            known = self.neighborhood(site, category).support(keys, name)
            if known.neighbors >= enough:
                return known
            wider = self.neighborhood(site).support(keys, name, scope="site")
            return wider if wider.neighbors > known.neighbors else known

    def wait(self, page: WaitingPage) -> int:
        with self._lock:
            self._last_number += 1
            self._waiting[self._last_number] = page
            return self._last_number

    def waiting(self, site: str | None = None) -> list[int]:
        with self._lock:
            return [n for n, page in self._waiting.items() if site in (None, page.site)]

    def waiting_page(self, number: int) -> WaitingPage | None:
        return self._waiting.get(number)

    def done(self, number: int) -> None:
        self._waiting.pop(number, None)

    def close(self) -> None:
        self._waiting.clear()

    def revise(self, name: str, url: str, content_hash: str) -> int | None:
        with self._lock:
            revision = next_revision(self._revisions.get(name), name, url, content_hash)
            if revision is None:
                return None
            self._revisions[name] = revision
            return revision.number


_memories: WeakKeyDictionary[Crawler, Memory] = WeakKeyDictionary()


def memory_of(crawler: Crawler) -> Memory:
    """The memory that all components of a crawl share."""
    memory = _memories.get(crawler)
    if memory is None:
        method = method_named(crawler.settings["NEWSCLEAN_METHOD"])
        window = crawler.settings.getint("NEWSCLEAN_WINDOW")
        memory = _memories[crawler] = RamMemory(method.keying, window)
    return memory
