"""What a page shows of its article: the texts by which two states of it are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.memory.records import Body, Shown, Texts
from newsclean.memory.sketches import sketches_of
from newsclean.metadata.text import comparison_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newsclean.memory.records import Hashes, ShortHashes
    from newsclean.page import Page
    from newsclean.page.columns import Column, Mask

#: The share of linked words in a text that is more than a link, and in one with hardly any.
MAX_PROSE_LINKS = 0.3
MAX_PLAIN_LINKS = 0.2
#: Headline and byline are at most this many blocks after the first of the article; a byline may
#: also be among this many after the last, or a little above the headline.
MAX_BLOCKS_AFTER = 6
MAX_BLOCKS_BEFORE = 3
MAX_HEADLINE_WORDS = 40
MAX_BYLINE_WORDS = 30


def texts_of(
    page: Page,
    body: Mask,
    delivered: Mask,
    slots: Hashes,
    headlines: Sequence[str | None] = (),
    bylines: Iterable[Sequence[str]] = (),
) -> Texts:
    """The texts of a page, by the rows of its article and the slots of its blocks.

    `body` is the article as the page alone has it, `delivered` as the neighbors have it.
    `headlines` are what the article may be called, and `bylines` who may have written it, the most
    trusted first; the first that the page shows counts.
    """
    blocks, text = page.blocks, page.blocks.text
    hashes = _hashes(text)
    short_slots = upper_half(slots)
    words, linked = blocks.sum(page.words), blocks.sum(page.words * page.in_link)
    is_prose = linked <= MAX_PROSE_LINKS * words
    is_plain = linked <= MAX_PLAIN_LINKS * words
    taken, is_delivered = blocks.sum(page.words * body), blocks.sum(page.words * delivered) > 0
    chosen = _of_article(words, taken, is_delivered, is_plain, slots) & is_prose
    filled = np.flatnonzero(chosen).tolist()
    first, last = (filled[0], filled[-1]) if filled else (len(blocks), len(blocks))
    in_h1 = page.below(page.rows({"h1"}))[blocks.row] if len(blocks) else is_prose
    near = np.arange(len(blocks)) < first + MAX_BLOCKS_AFTER
    headings = np.flatnonzero(near & (is_prose | in_h1) & (words <= MAX_HEADLINE_WORDS)).tolist()
    head = _headline_block(text, headings, headlines, set(np.flatnonzero(in_h1).tolist()))
    begin = max(head - MAX_BLOCKS_BEFORE, 0)
    places = [*range(begin, first + MAX_BLOCKS_AFTER), *range(last + 1, last + MAX_BLOCKS_AFTER)]
    short = [n for n in places if n < len(text) and words[n] <= MAX_BYLINE_WORDS]
    byline = f" {' | '.join(comparison_key(text[n], ' ') for n in short)} "
    sketches = sketches_of([text[n] for n in filled])
    return Texts(
        body=Body(hashes[chosen], short_slots[chosen], sketches),
        page=hashes,
        prose=np.unique(upper_half(hashes[is_prose])),
        slots=np.unique(short_slots),
        words=words[chosen],
        is_delivered=is_delivered[chosen],
        headline=text[head] if head >= 0 else "",
        headings=frozenset(text[n] for n in headings),
        authors=next(filter(None, (_shown_names(names, byline) for names in bylines)), ()),
        byline=byline,
    )


def _hashes(texts: list[str]) -> Hashes:
    digest = xxhash.xxh3_64_intdigest
    found = (digest(text.encode("utf-8", "surrogatepass")) for text in texts)
    return np.fromiter(found, np.uint64, len(texts))


def _of_article(
    words: Column, taken: Column, is_delivered: Mask, is_plain: Mask, slots: Hashes
) -> Mask:
    """The blocks that were chosen, and those between them in the same slots.

    A paragraph more among paragraphs is the article's, however it was judged by itself. A text with
    links is the article's if the neighbors do not say otherwise.
    """
    _, slot = np.unique(slots, return_inverse=True)
    held = (2 * np.bincount(slot, taken) > np.bincount(slot, words))[slot]
    is_sure = (taken > 0) & is_delivered
    of_article: Mask = is_sure | (is_plain & (held | (taken > 0)))
    return of_article


def _headline_block(
    text: list[str], headings: list[int], headlines: Sequence[str | None], h1: set[int]
) -> int:
    """The block that shows the headline: it says what the article is called, or is the only h1."""
    keys = {n: comparison_key(text[n]) for n in headings}
    for name in filter(None, map(comparison_key, filter(None, headlines))):
        for n in sorted(headings, key=lambda n: n not in h1):
            if keys[n] == name:
                return n
    only = h1.intersection(keys) if len(h1) == 1 else ()
    return next(iter(only), -1)


def _shown_names(names: Sequence[str], byline: str) -> tuple[str, ...]:
    keys = dict.fromkeys(comparison_key(name, " ") for name in names)
    return tuple(key for key in keys if is_shown(key, byline))


def is_shown(name: str, byline: str) -> bool:
    """Whether a name is in the text of a byline, both as comparison keys.

    >>> is_shown("ap", " japan today | ap "), is_shown("ap", " japan today ")
    (True, False)
    """
    return bool(name) and (f" {name} " in byline if name.isascii() else name in byline)


def upper_half(hashes: Hashes) -> ShortHashes:
    """Hashes with half of their bits, to be remembered in great number."""
    return (hashes >> np.uint64(32)).astype(np.uint32)


def shown_of(texts: Texts) -> Shown:
    """What is remembered of a page."""
    page = xxhash.xxh3_64_intdigest(texts.page.tobytes())
    return Shown(page, texts.headline, texts.authors, texts.body, texts.prose, texts.slots)
