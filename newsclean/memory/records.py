"""The records of a memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from newsclean.memory.fetches import NO_FETCH, Fetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.page.columns import Mask

    Hashes = NDArray[np.uint64]
    ShortHashes = NDArray[np.uint32]

# 64-bit hashes as a database stores them.


def to_signed(key: int) -> int:
    """A key as a database's integer, which has a sign."""
    return key - (1 << 64) if key >> 63 else key


def from_signed(number: int) -> int:
    return number % (1 << 64)


def to_blob(hashes: NDArray[np.uint64]) -> bytes:
    return hashes.astype("<u8").tobytes()


def from_blob(blob: bytes) -> NDArray[np.uint64]:
    """Raises ValueError for a value that is not a row of hashes."""
    if len(blob) % 8:
        raise ValueError("not a row of 64-bit hashes")
    return np.frombuffer(blob, dtype="<u8").astype(np.uint64)


#: Seconds since 1970 in the year 9999; a page that was seen later is damaged.
_MAX_SEEN = 253_370_764_800


@dataclass(frozen=True)
class StoredPage:
    """A downloaded page whose article is not delivered yet, with all that it takes to go on."""

    url: str
    site: str
    category: str
    content_type: str
    fetched_at: str
    body: bytes = field(repr=False)
    #: the item of somebody else's spider to which the page belongs
    origin: Any = None
    #: the requests that led to it
    fetch: Fetch = NO_FETCH


class LearnedPage(NamedTuple):
    """A page that a neighborhood remembers."""

    site: str
    category: str
    name: str
    seen: float
    keys: NDArray[np.uint64]
    #: what its metadata teaches of the site
    facts: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)


def learned_page(
    site: str, category: str, name: str, seen: float, keys: bytes, facts: bytes
) -> LearnedPage:
    """A page of its columns; raises ValueError if they are damaged."""
    if not 0 <= seen < _MAX_SEEN:
        raise ValueError("not a time")
    return LearnedPage(site, category, name, seen, from_blob(keys), from_blob(facts))


class Body(NamedTuple):
    """The blocks of an article, in their order."""

    #: their texts by their hashes
    texts: Hashes
    #: the slots of the template in which they are
    slots: ShortHashes
    #: what is alike in texts that share most of their words
    sketches: Hashes


@dataclass(frozen=True, eq=False)
class Texts:
    """What a page shows, as far as two states of its article are compared by it."""

    body: Body
    #: the texts of all blocks of the page, in their order
    page: Hashes
    #: the texts of the blocks that are not links
    prose: ShortHashes
    #: the slots of all blocks
    slots: ShortHashes
    #: the words of each block of the article
    words: NDArray[np.int64]
    #: which of them are delivered, now that neighbors are known
    is_delivered: Mask
    #: the headline, empty if none is shown
    headline: str = ""
    #: the short texts above and beside the article, one of which may be its headline
    headings: frozenset[str] = frozenset()
    #: the names of the byline, as comparison keys
    authors: tuple[str, ...] = ()
    #: the text in which a byline may be, as a comparison key
    byline: str = ""


class Shown(NamedTuple):
    """What the page of a delivered article has shown."""

    #: a hash of all that was visible
    page: int
    headline: str
    authors: tuple[str, ...]
    body: Body
    prose: ShortHashes
    slots: ShortHashes


class Revision(NamedTuple):
    """A state of an article that is delivered."""

    number: int
    url: str
    content_hash: str
    #: the texts of its body by their hashes
    body: Hashes
    #: None if its row is damaged
    shown: Shown | None = None


class PendingDelivery(NamedTuple):
    """An article on its way to the output: its name, and the number of its revision."""

    name: str
    revision: int


class Duplicate(NamedTuple):
    """An article that was delivered already, under another URL."""

    url: str
