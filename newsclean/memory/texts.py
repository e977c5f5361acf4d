"""What a page shows of its article: the texts by which two states of it are compared."""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.memory.records import Body, Shown, Texts
from newsclean.memory.sketches import sketches_of
from newsclean.text import comparison_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask
    from newsclean.memory.records import Hashes, ShortHashes

#: The share of linked words, those in sentences aside, of a text that is more than links.
MAX_PROSE_LINKS = 0.3
#: A sentence with links has so many words outside them. It goes on after a link, or has more words
#: before the first one than a label ("You may also like:").
MIN_SENTENCE_WORDS = 4
MIN_WORDS_AFTER_LINK = 2
MAX_LABEL_WORDS = 7
#: The share of linked words in a text that has hardly any.
MAX_PLAIN_LINKS = 0.2
#: A slot with at least this share of the article's words is one of those that hold it.
MIN_MAIN_SHARE = 0.3
#: Headline and byline are at most this many blocks after the first of the article; a byline may
#: also be among this many after the last, or a little above the headline.
MAX_BLOCKS_AFTER = 6
MAX_BLOCKS_BEFORE = 3
MAX_HEADLINE_WORDS = 40
MAX_BYLINE_WORDS = 30

_LETTER = re.compile(r"\w")


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
    stray = _stray_links(page, words, linked)
    is_prose = stray <= MAX_PROSE_LINKS * words
    taken, is_delivered = blocks.sum(page.words * body), blocks.sum(page.words * delivered) > 0
    is_plain, is_in_sentences = (n <= MAX_PLAIN_LINKS * words for n in (linked, stray))
    chosen = _of_article(words, taken, is_delivered, is_plain, is_in_sentences, slots)
    filled = np.flatnonzero(chosen & is_prose).tolist()
    first, last = (filled[0], filled[-1]) if filled else (len(blocks), len(blocks))
    in_h1 = page.below(page.rows({"h1"}))[blocks.row] if len(blocks) else is_prose
    near = np.arange(len(blocks)) < first + MAX_BLOCKS_AFTER
    headings = np.flatnonzero(near & (is_prose | in_h1) & (words <= MAX_HEADLINE_WORDS)).tolist()
    head = _headline_block(text, headings, headlines, set(np.flatnonzero(in_h1).tolist()))
    begin = max(head - MAX_BLOCKS_BEFORE, 0)
    places = [*range(begin, first + MAX_BLOCKS_AFTER), *range(last + 1, last + MAX_BLOCKS_AFTER)]
    short = [n for n in places if n < len(text) and words[n] <= MAX_BYLINE_WORDS]
    byline = f" {' | '.join(comparison_key(text[n], ' ') for n in short)} "
    sketches = sketches_of([text[n] for n in np.flatnonzero(chosen).tolist()])
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


def _stray_links(page: Page, words: Column, linked: Column) -> Column:
    """The linked words of each block that are not part of a sentence, if it has many links.

    A line, up to the end of its block or a `<br>`, that is only links, or a label and links, leads
    to other pages; links in a sentence are words of the author.
    """
    blocks, stray = page.blocks, linked.copy()
    line_of = np.searchsorted(page.rows({"br"}), blocks.text_rows)
    has_both = (linked > MAX_PLAIN_LINKS * words) & (linked < words)
    for n in np.flatnonzero(has_both).tolist():
        end = blocks.start[n + 1] if n + 1 < len(blocks) else len(line_of)
        texts = slice(blocks.start[n], end)
        lines = zip(line_of[texts].tolist(), blocks.text_rows[texts].tolist(), strict=True)
        stray[n] = sum(
            _links_outside_sentence(page, [row for _, row in line])
            for _, line in groupby(lines, itemgetter(0))
        )
    return stray


def _links_outside_sentence(page: Page, line: list[int]) -> int:
    """The linked words of a line, by its text rows; 0 if it is a sentence."""
    before = after = linked = 0
    for row in line:
        words = int(page.words[row])
        if page.in_link[row]:
            linked += words
        elif not _LETTER.search(page.text[row]):  # a bullet or a comma between links
            continue
        elif linked:
            after += words
        else:
            before += words
    is_label = before <= MAX_LABEL_WORDS and after < MIN_WORDS_AFTER_LINK
    return linked if is_label or before + after < MIN_SENTENCE_WORDS else 0


def _of_article(
    words: Column,
    taken: Column,
    is_delivered: Mask,
    is_plain: Mask,
    is_in_sentences: Mask,
    slots: Hashes,
) -> Mask:
    """The blocks that were chosen, and those between them in the same slots.

    A paragraph more among paragraphs is the article's, however it was judged by itself. Elsewhere,
    a text with links is the article's if the neighbors do not say otherwise, and so is one that is
    only links.
    """
    _, slot = np.unique(slots, return_inverse=True)
    of_slot = np.bincount(slot, taken)
    is_held = 2 * of_slot > np.bincount(slot, words)
    is_main = is_held & (of_slot >= MIN_MAIN_SHARE * taken.sum())
    is_sure = (taken > 0) & is_delivered
    of_article: Mask = (
        is_sure | (is_in_sentences & is_main[slot]) | (is_plain & (is_held[slot] | (taken > 0)))
    )
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
