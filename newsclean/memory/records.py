"""The records of a memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import xxhash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.page import Page
    from newsclean.page.columns import Mask


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


#: A copy shares at least this part of its blocks with the original.
MIN_SHARED_BLOCKS = 0.5


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


def texts_of(page: Page, body: Mask) -> Texts:
    """The texts by which a later state of a page is compared with this one."""
    digest = xxhash.xxh3_64_intdigest
    hashes = np.array(
        [digest(text.encode("utf-8", "surrogatepass")) for text in page.blocks.text],
        dtype=np.uint64,
    )
    chosen = np.unique(page.blocks.of_text[body[page.text_rows]])
    return Texts(np.unique(hashes[chosen]), hashes)


def has_own_article(last: Revision, name: str, url: str, texts: Texts) -> bool:
    """Whether a page that names another page's URL as its own has an article of its own.

    Some templates name the section, or the front page, on every page.
    """
    if url in (name, last.url) or not len(texts.body):
        return False
    return bool(np.isin(texts.body, last.body).mean() < MIN_SHARED_BLOCKS)


def next_revision(
    last: Revision | None, name: str, url: str, content_hash: str, texts: Texts
) -> Revision | None:
    """The state to deliver, or None if nothing has changed or it is a copy.

    `name` is the URL that the article calls its own; what comes from another one is a copy, and
    of an article and its copies only the first is delivered. An article has changed if its body
    says something that it did not say, or if something that it said is gone from the page. What
    was only judged otherwise this time, with more neighbors perhaps, is not a change.
    """
    if last is None:
        return Revision(1, url, content_hash, texts.body)
    is_copy = url not in (name, last.url)
    if is_copy or last.content_hash == content_hash:
        return None
    says_more = not np.isin(texts.body, last.body).all()
    says_less = not np.isin(last.body, texts.page).all()
    if not says_more and not says_less:
        return None
    return Revision(last.number + 1, url, content_hash, texts.body)
