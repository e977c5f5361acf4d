"""The records of a memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from newsclean.memory.fetches import NO_FETCH, Fetch

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


class Texts(NamedTuple):
    """The blocks of a page by their hashes: those of the body, and all."""

    body: NDArray[np.uint64]
    page: NDArray[np.uint64]


class Revision(NamedTuple):
    """A state of an article that is delivered."""

    number: int
    url: str
    content_hash: str
    #: the blocks of its body
    body: NDArray[np.uint64]


class PendingDelivery(NamedTuple):
    """An article on its way to the output: its name, and the number of its revision."""

    name: str
    revision: int


class Duplicate(NamedTuple):
    """An article that was delivered already, under another URL."""

    url: str
