"""The records that a memory reads and writes, and 64-bit hashes as columns of a database."""

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

#: Seconds since 1970 in the year 9999; a page that was seen later is damaged.
_MAX_SEEN = 253_370_764_800


@dataclass(frozen=True)
class StoredPage:
    """A downloaded page, with all that is needed to continue with it later."""

    url: str
    site: str
    category: str
    content_type: str
    fetched_at: str
    body: bytes = field(repr=False)
    #: the third-party item to which the page belongs
    origin: Any = None
    #: the requests that led to it
    fetch: Fetch = NO_FETCH


class LearnedPage(NamedTuple):
    """A page of a neighborhood."""

    site: str
    category: str
    name: str
    seen: float
    keys: NDArray[np.uint64]
    #: what its metadata says about the site
    facts: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)


def learned_page(
    site: str, category: str, name: str, seen: float, keys: bytes, facts: bytes
) -> LearnedPage:
    """Read a page from its columns; raises ValueError if they are damaged."""
    if not 0 <= seen < _MAX_SEEN:
        raise ValueError("not a time")
    return LearnedPage(site, category, name, seen, from_blob(keys), from_blob(facts))


class Body(NamedTuple):
    """The blocks of an article, in their order."""

    #: the hashes of their texts
    texts: Hashes
    #: their slots in the template
    slots: ShortHashes
    #: similar for texts that share most of their words
    sketches: Hashes


@dataclass(frozen=True, eq=False)
class Texts:
    """What is visible on a page, as far as it is needed to compare two states of its article."""

    body: Body
    #: the texts of all blocks of the page, in their order
    page: Hashes
    #: the texts of the blocks that are not links
    prose: ShortHashes
    #: the slots of all blocks
    slots: ShortHashes
    #: the number of words of each block of the article
    words: NDArray[np.int64]
    #: which of these blocks are in the output, with what is known from neighbors
    is_delivered: Mask
    #: empty if no headline is visible
    headline: str = ""
    #: the short texts before and near the start of the article, one of which may be its headline
    headings: frozenset[str] = frozenset()
    #: the names in the byline, as comparison keys
    authors: tuple[str, ...] = ()
    #: the text that may contain the byline, as a comparison key
    byline: str = ""


class Shown(NamedTuple):
    """What was visible on the page of a delivered article."""

    #: a hash of all visible text
    page: int
    headline: str
    authors: tuple[str, ...]
    body: Body
    prose: ShortHashes
    slots: ShortHashes


class Revision(NamedTuple):
    """A state of an article that is pending or delivered."""

    number: int
    url: str
    content_hash: str
    #: the hashes of the texts of its body
    body: Hashes
    #: None if its row is damaged
    shown: Shown | None = None


class PendingDelivery(NamedTuple):
    """An article on its way to the output: its name, and the number of its revision."""

    name: str
    revision: int


class Duplicate(NamedTuple):
    """An article that is pending or delivered under another URL of the site."""

    url: str


def to_signed(key: int) -> int:
    """Convert a 64-bit key to the signed integer of a database."""
    return key - (1 << 64) if key >> 63 else key


def from_signed(number: int) -> int:
    return number % (1 << 64)


def to_blob(hashes: NDArray[np.uint64]) -> bytes:
    return hashes.astype("<u8").tobytes()


def from_blob(blob: bytes) -> NDArray[np.uint64]:
    if len(blob) % 8:
        raise ValueError("not a column of 64-bit hashes")
    return np.frombuffer(blob, dtype="<u8").astype(np.uint64)
