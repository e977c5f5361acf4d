"""One neighborhood: how many of a site's recent pages hold a key."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.neighborhood.keys import Keying, PageKeys, page_keys
from newsclean.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from newsclean.page.columns import Column

    Hashes = NDArray[np.uint64]

#: Pages that a neighborhood remembers; the oldest goes when another comes, and its keys with it.
WINDOW = 50

#: Characters of a repeated text that are kept for people to read.
SAMPLE = 120

#: A new template: so many pages in a row on which less than this share of the texts stands that
#: most of the pages before repeat; asked only where enough is known to tell.
STRANGE_PAGES = 3
FAMILIAR_SHARE = 0.3
STATIC_SUPPORT = 0.6
STATIC_EVERY = 10  # pages; what most pages repeat changes slowly
FEWEST_PAGES = 5
FEWEST_TEXTS = 5

#: A page is a copy of another if it shares more than this part of what is the page's own.
COPY_SHARE = 0.5

#: What stands on at most this part of the neighbors is a page's own and not the site's.
OWN_SUPPORT = 0.2


@dataclass(frozen=True, eq=False)
class Known:
    """What the neighbors know of a page's texts."""

    keys: PageKeys
    #: in how many of the neighbors each key stands
    support: Column
    #: how many pages were really asked: neither the page itself nor its copies
    neighbors: int
    #: whose pages they are: of the `category`, of the whole `site`
    scope: str = "category"
    #: in how many of the same neighbors other keys stand
    count: Callable[[Hashes], Column] = lambda hashes: np.zeros(len(hashes), dtype=np.int64)


class Neighborhood:
    """Learns pages and tells in how many of them a text stands.

    >>> hood = Neighborhood()
    >>> for town in "Bergen", "Oslo", "Tromsø":
    ...     hood.learn(f"<p>Contact us</p><p>It rains in {town} today, as it did yesterday")
    >>> page = Page.from_html("<p>Contact us</p><p>Snow at last")
    >>> known = hood.ask(page)
    >>> known.neighbors, known.support.tolist()
    (3, [3, 0])
    """

    def __init__(
        self, *, keying: Keying = "block", window: int = WINDOW, profile: bool = True
    ) -> None:
        check_window(window)
        self.keying = keying
        #: whether pages are judged by `hybrid` when they are learned, for the site's profile
        self.profile = profile
        self.window = window
        self._pages: OrderedDict[str, Hashes] = OrderedDict()
        self._counts: Counter[int] = Counter()
        #: a short text for each key that stands on more than one page
        self._samples: dict[int, str] = {}
        #: pages in a row that do not look like the others
        self._strange = 0
        self._static: Hashes | None = None
        self._added = 0

    def __len__(self) -> int:
        return len(self._pages)

    def __repr__(self) -> str:
        return f"<Neighborhood of {len(self)} pages>"

    @property
    def names(self) -> list[str]:
        """The pages that it remembers, oldest first."""
        return list(self._pages)

    @property
    def samples(self) -> dict[int, str]:
        """A short text for each key that stands on more than one page."""
        return self._samples

    def learn(self, page: Page | str | bytes, url: str | None = None) -> None:
        """Count a page; a page under a known URL takes the place of the earlier one."""
        if not isinstance(page, Page):
            page = Page.from_html(page, url)
        keys = page_keys(page, self.keying, profile=self.profile)
        self.add(url or page.url or fingerprint(keys.remembered), keys)

    def ask(self, page: Page, url: str | None = None) -> Known:
        """The support of a page's keys, the page itself and its copies left out."""
        keys = page_keys(page, self.keying)
        return self.support(keys, url or page.url or fingerprint(keys.remembered))

    def add(self, name: str, keys: PageKeys) -> bool:
        """Count a page by its keys, each one once.

        Returns whether the site has a new template: the texts of the old one have been missing
        from several pages in a row, and all pages before those are now forgotten.
        """
        hashes = keys.remembered
        self.remove(name)
        self._added += 1
        self._strange = self._strange + 1 if self.is_strange(hashes) else 0
        self.restore(name, hashes)
        for key, text in zip(keys.hashes.tolist(), keys.texts, strict=True):
            if key not in self._samples and self._counts.get(key, 0) > 1:
                self._samples[key] = text[:SAMPLE]
        if self._strange < STRANGE_PAGES:
            return False
        self.keep_last(self._strange)
        self._strange = 0
        return True

    def restore(self, name: str, hashes: Hashes) -> None:
        """Count a page that was counted before, in another process perhaps."""
        self._pages[name] = hashes
        self._counts.update(hashes.tolist())
        if len(self._pages) > self.window:
            self.keep_last(self.window)

    def keep_last(self, count: int) -> None:
        """Forget all pages but the last ones."""
        while len(self._pages) > count:
            self.remove(next(iter(self._pages)))

    def is_strange(self, hashes: Hashes) -> bool:
        """Whether hardly any text that most pages repeat stands on this page."""
        static = self.static_keys()
        if len(self._pages) < FEWEST_PAGES or len(static) < FEWEST_TEXTS:
            return False
        return int(np.isin(static, hashes).sum()) < FAMILIAR_SHARE * len(static)

    def static_keys(self) -> Hashes:
        """The keys that stand on most of the pages."""
        few = len(self._pages) < STATIC_EVERY
        if self._static is None or few or not self._added % STATIC_EVERY:
            enough = STATIC_SUPPORT * len(self._pages)
            counts = self._counts
            keys = [key for key in self._samples if counts[key] >= enough]
            self._static = np.array(keys, dtype=np.uint64)
        return self._static

    def remove(self, name: str) -> None:
        """Forget a page, and the keys that stood only there."""
        counts = self._counts
        for key in self._pages.pop(name, np.empty(0, dtype=np.uint64)).tolist():
            counts[key] -= 1
            if counts[key] < 2:
                self._samples.pop(key, None)
            if not counts[key]:
                del counts[key]

    def count(self, key: int) -> int:
        """On how many pages a key stands."""
        return self._counts.get(key, 0)

    def repeated(self, support: float) -> list[tuple[str, int]]:
        """The texts that stand on at least this share of the pages, most frequent first."""
        enough = max(support * len(self._pages), 2)
        found = [(text, self._counts[key]) for key, text in self._samples.items()]
        kept = [pair for pair in found if pair[1] >= enough]
        return sorted(kept, key=lambda pair: (-pair[1], -len(pair[0]), pair[0]))

    def support(self, keys: PageKeys, name: str, scope: str = "category") -> Known:
        """The support of keys in all pages but the one of this name and its copies."""
        support = self._supported(keys.hashes)
        others = [self._pages[other] for other in self._not_neighbors(keys, support, name)]

        def count(hashes: Hashes) -> Column:
            found = self._supported(hashes)
            for other in others:
                found -= np.isin(hashes, other)
            return found

        for other in others:
            support -= np.isin(keys.hashes, other)
        return Known(keys, support, len(self._pages) - len(others), scope, count)

    def _supported(self, hashes: Hashes) -> Column:
        """On how many pages each key stands."""
        found = map(self._counts.get, hashes.tolist(), repeat(0))
        return np.fromiter(found, np.int64, len(hashes))

    def _not_neighbors(self, keys: PageKeys, support: Column, name: str) -> list[str]:
        """The page itself and its copies: pages that share most of what only this page says."""
        same = [name] if name in self._pages else []
        others = len(self._pages) - len(same)
        if same:
            support = support - np.isin(keys.hashes, self._pages[name])
        own = np.where(support <= max(OWN_SUPPORT * others, 1), keys.chars, 0)
        enough = COPY_SHARE * own.sum()
        if own[support > 0].sum() > enough:
            same += [
                other
                for other, hashes in self._pages.items()
                if other != name and own[np.isin(keys.hashes, hashes)].sum() > enough
            ]
        return same


def check_window(window: int) -> None:
    """Refuse a window in which no page has a place."""
    if window < 1:
        raise ValueError(f"window={window}: a neighborhood remembers 1 page or more")


def fingerprint(hashes: Hashes) -> str:
    """A name for a page that came without one."""
    return xxhash.xxh3_128_hexdigest(hashes.tobytes())
