"""One neighborhood: on how many of a site's recent pages each key appears, and on which.

A method makes the keys of a page (`PageKeys`); a `KeyWindow` counts them over the last pages, and
answers with the support of a page's keys on the other pages of its template (`NeighborSupport`).
Pages have one template if they repeat each other's texts. That follows from how many keys each two
pages share, so neither the order of learning nor what was forgotten before matters.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Literal

import numpy as np
import xxhash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import NDArray

    from newsclean.extraction.metadata.page_metadata import PageMetadata
    from newsclean.extraction.page.columns import Column, Mask

    Hashes = NDArray[np.uint64]

#: What a key is made of. `element`: tag, attributes and own text of each element, as published;
#: `block`: tag and text of each text block, and of the label with which a block begins ("Read
#: also", "Image copyright").
Keying = Literal["element", "block"]

#: Keys of one page that are remembered, so that no page, however large, makes a memory large.
MAX_KEYS = 4_000
#: Pages that a neighborhood remembers; a new one replaces the oldest with its keys.
WINDOW = 50
#: Characters of a repeated text that are kept for people to read.
_MAX_SAMPLE = 120

#: A template with fewer other pages tells too little about a page: then all pages count.
_MIN_TEMPLATE_PAGES = 3
#: A page is a copy of another if it shares more than this part of the page's own text …
_MIN_COPY_SHARE = 0.5
#: … which is the text on at most this part of the neighbors.
_MAX_OWN_SUPPORT = 0.2

#: Two pages have one template if they share at least this part of what a page of it usually shares
#: with another.
_MIN_FAMILIAR_SHARE = 0.5
#: What a page usually shares: as much as with the third nearest page; two may be copies of it.
_USUAL_RANK = 3
#: Pages that usually share fewer keys have no template that could be told from another.
_MIN_TEXTS = 5

#: A template has ended if this many of its pages are missing: they would have come since its last
#: one, had they come as often as before.
MIN_MISSED_PAGES = 10
#: Only a template of at least this many pages can end or follow another, and one that ends has this
#: part of all pages: what is rare may come again.
_MIN_PAGES = 5
_MIN_ENDED_SHARE = 0.25


def _none() -> Hashes:
    return np.empty(0, dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class PageKeys:
    """The 64-bit keys of a page: one for each unit of its text, and those of slots and facts."""

    texts: Hashes
    #: the text of each unit, for people to read
    samples: list[str]
    #: characters of each unit, 0 for a label, whose block has them already
    chars: Column
    #: unit of each text row
    of_text: Column
    #: unit of the label with which a text row's unit begins, -1 without one
    label_of_text: Column
    #: the page's own predictions for the slots of its template
    predictions: Hashes = field(default_factory=_none)
    #: the predictions for those slots that its neighbors may have
    slots: Hashes = field(default_factory=_none)
    #: what the page's metadata says about its site
    facts: Hashes = field(default_factory=_none)
    #: facts about which it asks its neighbors, and their keys
    asked: tuple[str, ...] = ()
    asked_keys: Hashes = field(default_factory=_none)
    #: the metadata itself, by the page alone
    metadata: PageMetadata | None = None

    @classmethod
    def of_remembered(cls, hashes: Hashes, facts: Hashes) -> PageKeys:
        """Return the keys of a page that was stored: it counts as a neighbor, and asks nothing."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(_none(), [], nothing, nothing, nothing, predictions=hashes, facts=facts)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def remembered(self) -> Hashes:
        """The keys that a neighborhood keeps, each once, at most `MAX_KEYS`."""
        texts = np.unique(self.texts)[: MAX_KEYS - len(self.predictions)]
        return np.union1d(texts, self.predictions) if len(self.predictions) else texts

    @property
    def fingerprint(self) -> str:
        """A name for a page without a URL."""
        return xxhash.xxh3_128_hexdigest(np.unique(self.texts).tobytes())


@dataclass(frozen=True, eq=False)
class NeighborSupport:
    """What the neighbors of a page know about it: a snapshot, whatever they learn afterwards."""

    keys: PageKeys
    #: on how many of the neighbors each text of the page appears
    texts: Column
    #: how many of them have each prediction for the page's slots
    slots: Column
    #: how many pages were counted: those of the page's template, or all if it has hardly any; never
    #: the page itself or its copies
    count: int
    #: the pages of the `category`, or of the whole `site`
    scope: str = "category"
    #: on how many of them each fact holds about which the page asks
    facts: Mapping[str, int] = field(default_factory=dict)


class KeyWindow:
    """On which of the last pages each key appears.

    Each page has a place: a bit in the masks of its keys, and a row and column in the table of how
    many keys two pages share.
    """

    def __init__(self, window: int = WINDOW) -> None:
        check_window(window)
        self.window = window
        self._pages: OrderedDict[str, Hashes] = OrderedDict()
        self._facts: dict[str, list[int]] = {}
        self._places: dict[str, int] = {}
        #: the pages on which each key appears
        self._masks: dict[int, int] = {}
        #: how many keys each two pages share
        self._shared = np.zeros((0, 0), dtype=np.int32)
        #: a short text for each key that appears on more than one page
        self._samples: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._pages)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} pages>"

    @property
    def names(self) -> list[str]:
        """The remembered pages, oldest first."""
        return list(self._pages)

    @property
    def samples(self) -> dict[int, str]:
        """A short text for each key that appears on more than one page."""
        return self._samples

    def add(self, name: str, keys: PageKeys) -> None:
        """Count a page by its keys, each one once."""
        self.restore(name, keys.remembered, keys.facts)
        for key, text in zip(keys.texts.tolist(), keys.samples, strict=True):
            if key not in self._samples and self.count(key) > 1:
                self._samples[key] = text[:_MAX_SAMPLE]

    def restore(self, name: str, hashes: Hashes, facts: Hashes | None = None) -> None:
        """Count a page by its stored keys.

        Facts do not tell templates from each other. If the pages are new to the neighborhood, check
        for an `ended_template` after each, as `Neighborhood.learn_keys` does.
        """
        self.remove(name)
        if len(self._pages) >= self.window:
            self.remove(next(iter(self._pages)))
        place = self._free_place()
        row = self._shared_with(hashes)
        self._shared[place], self._shared[:, place] = row, row
        keys = hashes.tolist()
        self._pages[name] = hashes
        self._facts[name] = [] if facts is None else list({*facts.tolist()}.difference(keys))
        self._places[name] = place
        masks, bit = self._masks, 1 << place
        for key in (*keys, *self._facts[name]):
            mask = masks.get(key)
            masks[key] = bit if mask is None else mask | bit

    def _free_place(self) -> int:
        """Return the place of the next page; the table grows with the pages."""
        size = len(self._shared)
        if len(self._pages) < size:
            return min(set(range(size)) - set(self._places.values()))
        more = min(max(size, 8), self.window - size)
        self._shared = np.pad(self._shared, (0, more))
        return size

    def remove(self, name: str) -> None:
        """Forget a page, and the keys that appeared only there."""
        if name not in self._pages:
            return
        place = self._places.pop(name)
        masks, bit = self._masks, 1 << place
        for key in (*self._pages.pop(name).tolist(), *self._facts.pop(name)):
            mask = masks[key] ^ bit
            if mask & (mask - 1) == 0:
                self._samples.pop(key, None)
            if mask:
                masks[key] = mask
            else:
                del masks[key]
        self._shared[place], self._shared[:, place] = 0, 0

    def count(self, key: int) -> int:
        """Return on how many pages a key appears."""
        return self._masks.get(key, 0).bit_count()

    def repeated(self, support: float) -> list[tuple[str, int]]:
        """Return the texts on at least this share of the pages, most frequent first."""
        enough = max(support * len(self._pages), 2)
        found = [(text, self.count(key)) for key, text in self._samples.items()]
        kept = [pair for pair in found if pair[1] >= enough]
        return sorted(kept, key=lambda pair: (-pair[1], -len(pair[0]), pair[0]))

    def ended_template(self) -> list[str]:
        """Return the pages of a template that has ended: others have had another one for long."""
        order = [self._places[name] for name in self._pages]
        ended = ended_template(self._shared[np.ix_(order, order)])
        return [name for name, has_ended in zip(self._pages, ended, strict=True) if has_ended]

    def has_template(self, hashes: Hashes, names: Collection[str]) -> bool:
        """Return whether a page with these keys has the template of any of these pages."""
        template = self._template(self._shared_with(hashes))
        return any(template[self._places[name]] for name in names)

    def support_for(self, keys: PageKeys, name: str, scope: str = "category") -> NeighborSupport:
        """Return the support of a page's keys on the other pages of its template.

        The page of this name and copies do not count. If the template has hardly any other page,
        all pages count.
        """
        found = self._unpacked(list(self._masks_of(keys.texts)))
        pages = self._is_page()
        if self._pages.get(name) is keys.remembered:  # counted when it was added
            shared = self._shared[self._places[name]].copy()
        else:
            shared = self._shared_with(keys.remembered)
        if name in self._places:
            pages[self._places[name]] = False
            shared[self._places[name]] = 0
        neighbors = self._without_copies(self._template(shared) & pages, keys, found)
        if neighbors.sum() < _MIN_TEMPLATE_PAGES:
            neighbors = self._without_copies(pages, keys, found)
        slots = self._unpacked(list(self._masks_of(keys.slots)))
        return NeighborSupport(
            keys,
            found[:, neighbors].sum(axis=1, dtype=np.int64),
            slots[:, neighbors].sum(axis=1, dtype=np.int64),
            int(neighbors.sum()),
            scope,
            self._facts_on(neighbors, keys),
        )

    def _facts_on(self, neighbors: Mask, keys: PageKeys) -> dict[str, int]:
        """Count on how many of these pages each fact holds about which a page asks."""
        if not keys.asked:
            return {}
        found = self._unpacked(list(self._masks_of(keys.asked_keys)))
        counts = found[:, neighbors].sum(axis=1, dtype=np.int64).tolist()
        return dict(zip(keys.asked, counts, strict=True))

    def _is_page(self) -> Mask:
        """Return which places are taken."""
        taken = np.zeros(len(self._shared), dtype=bool)
        taken[list(self._places.values())] = True
        return taken

    def _masks_of(self, hashes: Hashes) -> Iterable[int]:
        """Return the pages on which each of these keys appears."""
        return map(self._masks.get, hashes.tolist(), repeat(0))

    def _unpacked(self, masks: Collection[int]) -> NDArray[np.uint8]:
        """Return a row for each mask: whether the page of each place is in it."""
        size = len(self._shared)
        width = -(-size // 8)
        packed = b"".join([mask.to_bytes(width, "little") for mask in masks])
        bits = np.frombuffer(packed, dtype=np.uint8).reshape(len(masks), width)
        return np.unpackbits(bits, axis=1, count=size, bitorder="little")

    def _shared_with(self, hashes: Hashes) -> NDArray[np.int32]:
        """Count how many of these keys the page of each place has."""
        masks = Counter(self._masks_of(hashes))  # most keys appear on all pages, or on no other
        counts = np.fromiter(masks.values(), np.int32, len(masks))
        return counts @ self._unpacked(masks)

    def _template(self, shared: NDArray[np.int32]) -> Mask:
        """Return the pages of a page's template, by the keys it shares with each."""
        pages = np.flatnonzero(self._is_page())
        template = np.zeros(len(self._shared), dtype=bool)
        template[pages] = _pages_like(shared[pages], self._shared[np.ix_(pages, pages)])
        return template

    def _without_copies(self, pages: Mask, keys: PageKeys, found: NDArray[np.uint8]) -> Mask:
        """Return the pages that are no copies: a copy shares most of the page's own text."""
        support = found[:, pages].sum(axis=1, dtype=np.int64)
        own = np.where(support <= max(_MAX_OWN_SUPPORT * pages.sum(), 1), keys.chars, 0)
        enough = _MIN_COPY_SHARE * own.sum()
        if own[support > 0].sum() <= enough:
            return pages
        is_copy: Mask = own @ found > enough
        return pages & ~is_copy


def check_window(window: int) -> None:
    if window < 1:
        raise ValueError(f"window={window}: a neighborhood remembers 1 page or more")


def _usually_shared(shared: NDArray[np.int32]) -> Column:
    """Return how many keys each page (a row) usually shares with another."""
    if shared.shape[-1] < _USUAL_RANK:
        return np.zeros(shared.shape[:-1], dtype=np.int64)
    return np.partition(shared, -_USUAL_RANK, axis=-1)[..., -_USUAL_RANK].astype(np.int64)


def _is_one_template(shared: NDArray[np.int32], one: Column, other: Column) -> Mask:
    """Return whether pages have one template, by the keys they share and usually share."""
    usual = np.maximum(one, other)
    return (shared >= _MIN_FAMILIAR_SHARE * usual) | (usual < _MIN_TEXTS)


def _pages_like(row: NDArray[np.int32], shared: NDArray[np.int32]) -> Mask:
    """Return the pages of the template of a page that shares `row` keys with each."""
    usual = _usually_shared(shared)
    like = _is_one_template(row, _usually_shared(row), usual)
    return _connected(like, _is_one_template(shared, usual[:, None], usual))


def _connected(pages: Mask, links: Mask) -> Mask:
    """Return these pages, those linked to them, those linked to these, and so on."""
    new = pages
    while new.any():
        new = links[new].any(axis=0) & ~pages
        pages = pages | new
    return pages


def are_missed(count: int, later: int, pages: int) -> bool:
    """Return whether pages of a template should have come again, had they come as often as before.

    The template has `count` of the `pages`, and none of the `later` ones, which are the last.
    """
    return later * count >= MIN_MISSED_PAGES * (pages - later)


def ended_template(shared: NDArray[np.int32]) -> Mask:
    """Return the pages of a template that has ended; none if all continue.

    `shared` is the table of shared keys of pages in their order. A new template beside it is not
    enough: its own pages must have stopped coming.
    """
    n = len(shared)
    usual = _usually_shared(shared)
    links = _is_one_template(shared, usual[:, None], usual)
    everywhere = np.arange(n)
    seen = np.zeros(n, dtype=bool)
    for last in range(n - 1, -1, -1):
        if seen[last]:
            continue
        template = _connected(everywhere == last, links)
        count = int(template.sum())
        if last == n - 1 and count < _MIN_PAGES:
            break
        if count >= max(_MIN_PAGES, _MIN_ENDED_SHARE * n) and are_missed(count, n - 1 - last, n):
            return template
        seen |= template
    return np.zeros(n, dtype=bool)
