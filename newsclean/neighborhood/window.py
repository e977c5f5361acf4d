"""One neighborhood: on how many of a site's recent pages a key appears."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newsclean.neighborhood.keys import Hashes, PageKeys
    from newsclean.page.columns import Column

#: Pages that a neighborhood remembers; the oldest goes when another comes, and its keys with it.
WINDOW = 50

#: Characters of a repeated text that are kept for people to read.
MAX_SAMPLE = 120

#: A new template: this many pages in a row that have less than this share of the texts that most of
#: the pages before repeat; looked for only where enough pages and texts are known.
MIN_STRANGE_PAGES = 3
MIN_FAMILIAR_SHARE = 0.3
STATIC_SUPPORT = 0.6
STATIC_EVERY = 10  # pages; what most pages repeat changes slowly
MIN_PAGES = 5
MIN_TEXTS = 5

#: A page is a copy of another if it shares more than this part of what is the page's own.
MIN_COPY_SHARE = 0.5

#: What appears on at most this part of the neighbors is a page's own and not the site's.
MAX_OWN_SUPPORT = 0.2


@dataclass(frozen=True, eq=False)
class NeighborSupport:
    """What the neighbors of a page know of it: a snapshot, whatever they learn afterwards."""

    keys: PageKeys
    #: on how many of the neighbors each text of the page appears
    texts: Column
    #: how many of them have each verdict on the page's slots
    slots: Column
    #: how many pages were counted: neither the page itself nor its copies
    count: int
    #: whose pages they are: of the `category`, of the whole `site`
    scope: str = "category"


class KeyWindow:
    """Counts on how many of the last pages each key appears."""

    def __init__(self, window: int = WINDOW) -> None:
        check_window(window)
        self.window = window
        self._pages: OrderedDict[str, Hashes] = OrderedDict()
        self._counts: Counter[int] = Counter()
        #: a short text for each key that appears on more than one page
        self._samples: dict[int, str] = {}
        #: pages in a row that do not look like the others
        self._strange = 0
        self._static: Hashes | None = None
        self._added = 0

    def __len__(self) -> int:
        return len(self._pages)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} pages>"

    @property
    def names(self) -> list[str]:
        """The pages that it remembers, oldest first."""
        return list(self._pages)

    @property
    def samples(self) -> dict[int, str]:
        """A short text for each key that appears on more than one page."""
        return self._samples

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
        for key, text in zip(keys.texts.tolist(), keys.samples, strict=True):
            if key not in self._samples and self._counts.get(key, 0) > 1:
                self._samples[key] = text[:MAX_SAMPLE]
        if self._strange < MIN_STRANGE_PAGES:
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
        """Whether hardly any text that most pages repeat appears on this page."""
        static = self.static_keys()
        if len(self._pages) < MIN_PAGES or len(static) < MIN_TEXTS:
            return False
        return int(np.isin(static, hashes).sum()) < MIN_FAMILIAR_SHARE * len(static)

    def static_keys(self) -> Hashes:
        """The keys that appear on most of the pages."""
        few = len(self._pages) < STATIC_EVERY
        if self._static is None or few or not self._added % STATIC_EVERY:
            enough = STATIC_SUPPORT * len(self._pages)
            counts = self._counts
            keys = [key for key in self._samples if counts[key] >= enough]
            self._static = np.array(keys, dtype=np.uint64)
        return self._static

    def remove(self, name: str) -> None:
        """Forget a page, and the keys that appeared only there."""
        counts = self._counts
        for key in self._pages.pop(name, np.empty(0, dtype=np.uint64)).tolist():
            counts[key] -= 1
            if counts[key] < 2:
                self._samples.pop(key, None)
            if not counts[key]:
                del counts[key]

    def count(self, key: int) -> int:
        """On how many pages a key appears."""
        return self._counts.get(key, 0)

    def repeated(self, support: float) -> list[tuple[str, int]]:
        """The texts that appear on at least this share of the pages, most frequent first."""
        enough = max(support * len(self._pages), 2)
        found = [(text, self._counts[key]) for key, text in self._samples.items()]
        kept = [pair for pair in found if pair[1] >= enough]
        return sorted(kept, key=lambda pair: (-pair[1], -len(pair[0]), pair[0]))

    def support_for(self, keys: PageKeys, name: str, scope: str = "category") -> NeighborSupport:
        """The support of a page's keys in all pages but the one of this name and its copies."""
        texts, slots = self._support(keys.texts), self._support(keys.slots)
        others = [self._pages[other] for other in self._not_neighbors(keys, texts, name)]
        for other in others:
            texts -= np.isin(keys.texts, other)
            slots -= np.isin(keys.slots, other)
        return NeighborSupport(keys, texts, slots, len(self._pages) - len(others), scope)

    def _support(self, hashes: Hashes) -> Column:
        """On how many pages each key appears."""
        found = map(self._counts.get, hashes.tolist(), repeat(0))
        return np.fromiter(found, np.int64, len(hashes))

    def _not_neighbors(self, keys: PageKeys, support: Column, name: str) -> list[str]:
        """The page itself and its copies: pages that share most of what only this page says."""
        same = [name] if name in self._pages else []
        others = len(self._pages) - len(same)
        if same:
            support = support - np.isin(keys.texts, self._pages[name])
        own = np.where(support <= max(MAX_OWN_SUPPORT * others, 1), keys.chars, 0)
        enough = MIN_COPY_SHARE * own.sum()
        if own[support > 0].sum() > enough:
            same += [
                other
                for other, hashes in self._pages.items()
                if other != name and own[np.isin(keys.texts, hashes)].sum() > enough
            ]
        return same


def check_window(window: int) -> None:
    """Refuse a window in which no page has a place."""
    if window < 1:
        raise ValueError(f"window={window}: a neighborhood remembers 1 page or more")
