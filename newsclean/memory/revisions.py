"""Tell whether an article has changed since its last delivery.

`texts_of` reads from a page what it shows of its article, `next_revision` compares that with the
last delivered state and returns the state to deliver, if any. An edited text is recognised by its
sketch: 64 bits that similar texts share (MinHash, Broder 1997).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import groupby, product
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np
import xxhash

from newsclean.extraction.text import comparison_keys
from newsclean.urls import site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

    Hashes = NDArray[np.uint64]
    ShortHashes = NDArray[np.uint32]
    _Words = NDArray[np.int64]

#: Maximum share of linked words outside sentences in prose; a text with more is a list of links.
_MAX_PROSE_LINKS = 0.3
#: A sentence with links has at least this many words outside them. It goes on after a link, or has
#: more words before the first link than a label ("You may also like:").
_MIN_SENTENCE_WORDS = 4
_MIN_WORDS_AFTER_LINK = 2
_MAX_LABEL_WORDS = 7
#: Maximum share of linked words in a text with hardly any links.
_MAX_PLAIN_LINKS = 0.2
#: A slot with at least this share of the article's words is one of its main slots.
_MIN_MAIN_SHARE = 0.3
#: Headline and byline are at most this many blocks after the first block of the article. A byline
#: may also follow the last block as closely, or be a few blocks before the headline.
_MAX_BLOCKS_AFTER = 6
_MAX_BLOCKS_BEFORE = 3
_MAX_HEADLINE_WORDS = 40
_MAX_BYLINE_WORDS = 30
#: A copy shares at least this part of its blocks with the original.
_MIN_SHARED_BLOCKS = 0.5
#: Maximum removed texts, and new texts, that are compared pair by pair.
_MAX_COMPARED = 100

_PRIME = np.uint64(0x9FB21C651E98DF25)
_MIXER = np.uint64(0xD6E8FEB86659FD93)
#: Each order gives four bits of a sketch: those of the smallest pair of words in that order.
_ORDERS = np.array(
    [0xB00B5FE4C9712E85, 0x644104016C3FCF51, 0x4229053F403FB753, 0x06105C084F73CCC7,
     0x399293834ABB00A1, 0xE7E230C2535B0EF9, 0x8B349218BE375F43, 0x6DE103CC529D40D9,
     0x488756FA3B1771E1, 0x65919EFF36E2A26F, 0x1E895F78F4C3B977, 0x78FBD11D4DBA64BF,
     0xFBAE93BD5149F0FB, 0x31CF818AB16A361F, 0x40476A8B1EA296F1, 0xDFF8AE9538FF644F],
    dtype=np.uint64,
)  # fmt: skip
#: Texts whose sketches agree in this many orders are versions of one text.
_MIN_SHARED = 11
#: Words of a text that its sketch covers.
_MAX_WORDS = 40

_LETTER = re.compile(r"\w")


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


def texts_of(
    page: Page,
    body: Mask,
    delivered: Mask,
    slots: Hashes,
    headlines: Sequence[str | None] = (),
    bylines: Iterable[Sequence[str]] = (),
) -> Texts:
    """Return the texts of a page by which two states of its article are compared.

    `body` has the rows of the article as extracted without neighbors, `delivered` those with
    neighbors. `slots` has the slot of each block. `headlines` and `bylines` are candidates, the
    most trusted first; the first one that is visible on the page counts.
    """
    blocks, text = page.blocks, page.blocks.text
    hashes = _hashes(text)
    short_slots = upper_half(slots)
    words, linked = blocks.sum(page.words), blocks.sum(page.words * page.in_link)
    stray = _stray_links(page, words, linked)
    is_prose = stray <= _MAX_PROSE_LINKS * words
    taken, is_delivered = blocks.sum(page.words * body), blocks.sum(page.words * delivered) > 0
    is_plain, is_in_sentences = (n <= _MAX_PLAIN_LINKS * words for n in (linked, stray))
    chosen = _of_article(words, taken, is_delivered, is_plain, is_in_sentences, slots)
    filled = np.flatnonzero(chosen & is_prose).tolist()
    first, last = (filled[0], filled[-1]) if filled else (len(blocks), len(blocks))
    in_h1 = page.below(page.rows({"h1"}))[blocks.row] if len(blocks) else is_prose
    near = np.arange(len(blocks)) < first + _MAX_BLOCKS_AFTER
    headings = np.flatnonzero(near & (is_prose | in_h1) & (words <= _MAX_HEADLINE_WORDS)).tolist()
    head = _headline_block(text, headings, headlines, set(np.flatnonzero(in_h1).tolist()))
    begin = max(head - _MAX_BLOCKS_BEFORE, 0)
    places = [*range(begin, first + _MAX_BLOCKS_AFTER), *range(last + 1, last + _MAX_BLOCKS_AFTER)]
    short = [n for n in places if n < len(text) and words[n] <= _MAX_BYLINE_WORDS]
    byline = f" {' | '.join(comparison_keys([text[n] for n in short], ' '))} "
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
    """Count the linked words of each block that are not part of a sentence.

    A line (up to a `<br>` or the end of the block) that has only links, or a label and links, leads
    to other pages; links in a sentence are the author's words. In blocks with few or only links,
    all linked words count.
    """
    blocks, stray = page.blocks, linked.copy()
    line_of = np.searchsorted(page.rows({"br"}), blocks.text_rows)
    has_both = (linked > _MAX_PLAIN_LINKS * words) & (linked < words)
    ends = np.append(blocks.start[1:], len(line_of))
    for n in np.flatnonzero(has_both).tolist():
        texts = slice(blocks.start[n], ends[n])
        lines = zip(line_of[texts].tolist(), blocks.text_rows[texts].tolist(), strict=True)
        stray[n] = sum(
            _links_outside_sentence(page, [row for _, row in line])
            for _, line in groupby(lines, itemgetter(0))
        )
    return stray


def _links_outside_sentence(page: Page, line: list[int]) -> int:
    """Count the linked words of a line, given its text rows; 0 if it is a sentence."""
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
    is_label = before <= _MAX_LABEL_WORDS and after < _MIN_WORDS_AFTER_LINK
    return linked if is_label or before + after < _MIN_SENTENCE_WORDS else 0


def _of_article(
    words: Column,
    taken: Column,
    is_delivered: Mask,
    is_plain: Mask,
    is_in_sentences: Mask,
    slots: Hashes,
) -> Mask:
    """Return the extracted blocks, and those in the same slots.

    A paragraph in a main slot belongs to the article even if the extraction has left it out.
    Elsewhere, a text with many links belongs to it only if it is also extracted with neighbors.
    """
    _, slot = np.unique(slots, return_inverse=True)
    of_slot = np.bincount(slot, taken)
    is_held = 2 * of_slot > np.bincount(slot, words)
    is_main = is_held & (of_slot >= _MIN_MAIN_SHARE * taken.sum())
    is_sure = (taken > 0) & is_delivered
    of_article: Mask = (
        is_sure | (is_in_sentences & is_main[slot]) | (is_plain & (is_held[slot] | (taken > 0)))
    )
    return of_article


def _headline_block(
    text: list[str], headings: list[int], headlines: Sequence[str | None], h1: set[int]
) -> int:
    """Return the block with the first matching headline, else the only h1, else -1."""
    keys = dict(zip(headings, comparison_keys([text[n] for n in headings]), strict=True))
    for name in filter(None, comparison_keys(filter(None, headlines))):
        for n in sorted(headings, key=lambda n: n not in h1):
            if keys[n] == name:
                return n
    only = h1.intersection(keys) if len(h1) == 1 else ()
    return next(iter(only), -1)


def _shown_names(names: Sequence[str], byline: str) -> tuple[str, ...]:
    keys = dict.fromkeys(comparison_keys(names, " "))
    return tuple(key for key in keys if _is_shown(key, byline))


def _is_shown(name: str, byline: str) -> bool:
    """Tell whether a name is visible in a byline, both given as comparison keys.

    >>> _is_shown("ap", " japan today | ap "), _is_shown("ap", " japan today ")
    (True, False)
    """
    return bool(name) and (f" {name} " in byline if name.isascii() else name in byline)


def sketches_of(texts: Sequence[str]) -> Hashes:
    """Return the sketch of each text.

    >>> one, two, other = sketches_of([
    ...     "The council will meet on Monday to hear the plans for the bridge",
    ...     "The council will meet on Tuesday to hear the plans for the bridge",
    ...     "Sofas at half the price, only this week and only at your store",
    ... ]).tolist()
    >>> are_alike(one, two), are_alike(one, other)
    (True, False)
    """
    words: list[bytes] = []
    starts: list[int] = []
    for text in texts:
        starts.append(len(words))
        found = text.encode("utf-8", "surrogatepass").split(None, _MAX_WORDS)[:_MAX_WORDS]
        words += found if len(found) > 1 else [*found, b""] if found else [b"", b""]
    if not starts:
        return np.empty(0, dtype=np.uint64)
    hashes = np.fromiter(map(crc32, words), np.uint64, len(words))
    pairs = hashes * _PRIME + np.append(hashes[1:], hashes[:1])
    orders = ((pairs ^ (pairs >> np.uint64(29))) * _MIXER)[:, None] * _ORDERS
    # The last word of a text and the first of the next are not a pair.
    orders[np.array([*starts[1:], len(words)]) - 1] = np.iinfo(np.uint64).max
    least = np.minimum.reduceat(orders, starts, axis=0)
    bits = (least >> np.uint64(16)) & np.uint64(15)
    sketches: Hashes = np.bitwise_or.reduce(bits << np.arange(0, 64, 4, dtype=np.uint64), axis=1)
    return sketches


def are_alike(one: int, other: int) -> bool:
    """Tell whether two sketches are of texts that share most of their words."""
    differing = one ^ other
    return sum(not differing >> shift & 15 for shift in range(0, 64, 4)) >= _MIN_SHARED


def upper_half(hashes: Hashes) -> ShortHashes:
    """Halve the bits of hashes that are stored in large numbers."""
    return (hashes >> np.uint64(32)).astype(np.uint32)


def shown_of(texts: Texts) -> Shown:
    """Return the part of the texts that is stored with a delivered article."""
    page = xxhash.xxh3_64_intdigest(texts.page.tobytes())
    return Shown(page, texts.headline, texts.authors, texts.body, texts.prose, texts.slots)


def has_own_article(last: Revision, name: str, url: str, texts: Texts) -> bool:
    """Tell whether a page has its own article although its canonical URL is another page's.

    Some templates name the section or the front page as the canonical URL of every page.
    """
    body = texts.body.texts
    if url in (name, last.url) or not len(body):
        return False
    return bool(np.isin(body, last.body).mean() < _MIN_SHARED_BLOCKS)


def next_revision(
    last: Revision | None, name: str, url: str, content_hash: str, texts: Texts
) -> Revision | None:
    """Return the state to deliver, None if nothing has changed or the page is a copy.

    `name` is the canonical URL of the article. Pages at other URLs are copies: of an article and
    its copies, only the first is delivered. If the last state came from another host of the site
    and this page is at the canonical URL, this page counts.
    """
    number = 1 if last is None else last.number + 1
    if last is not None:
        if is_copy(last, name, url):
            return None
        is_of_other_host = url == name and site_of(last.url) != site_of(url)
        if is_of_other_host and last.content_hash == content_hash:
            return None
        if not is_of_other_host and not _has_changed(last, content_hash, texts):
            return None
    return Revision(number, url, content_hash, texts.body.texts, shown_of(texts))


def is_copy(last: Revision, name: str, url: str) -> bool:
    """Tell whether a page shows the article of another URL."""
    return url not in (name, last.url)


def _has_changed(last: Revision, content_hash: str, texts: Texts) -> bool:
    """Tell whether an article differs visibly from its last state.

    The page itself must have changed; the extraction only tells which changes are in the article. A
    text that was on the page before and is only classified differently, with more neighbors or by
    another model, is not a change. If the row of the last state is damaged, compare its content
    hash.
    """
    shown = last.shown
    if shown is None:
        return last.content_hash != content_hash
    if shown.page == shown_of(texts).page:  # nothing visible has changed
        return False
    return (
        _has_other_headline(shown, texts)
        or _has_other_byline(shown, texts)
        or _is_moved(shown, texts)
        or _says_something_else(shown, texts)
    )


def _says_something_else(shown: Shown, texts: Texts) -> bool:
    """Tell whether a text of the article was removed, added or reworded.

    Ignore slots that hold little of the article and few texts that they had before: like adverts,
    they change with each load of the page. Ignore links to other pages, too. In both, only a
    rewording (a similar sketch) that is delivered is a change.
    """
    old, new = shown.body, texts.body
    gone = ~np.isin(old.texts, texts.page)
    added = ~np.isin(upper_half(new.texts), shown.prose) & ~np.isin(new.texts, old.texts)
    if not gone.any() and not added.any():
        return False
    steady = _steady_slots(new, texts.words, np.isin(new.texts, old.texts))
    is_less = np.isin(old.slots, steady) | ~np.isin(old.slots, texts.slots)
    is_more = np.isin(new.slots, steady) | ~np.isin(new.slots, shown.slots)
    is_less &= _are_prose(old, shown.prose)
    is_more &= _are_prose(new, texts.prose)
    if (gone & is_less).any() or (added & is_more).any():
        return True
    before = old.sketches[gone].tolist()[:_MAX_COMPARED]
    after = new.sketches[added & texts.is_delivered].tolist()[:_MAX_COMPARED]
    return any(are_alike(one, other) for one, other in product(before, after))


def _are_prose(body: Body, prose: ShortHashes) -> Mask:
    """Tell which texts of an article are more than links."""
    return np.isin(upper_half(body.texts), prose)


def _steady_slots(body: Body, words: _Words, is_known: Mask) -> ShortHashes:
    """Return the slots that hold much of the article, or whose words are at least half known.

    Other slots may change with each load of the page.
    """
    slots, place = np.unique(body.slots, return_inverse=True)
    held = np.bincount(place, words, len(slots))
    known = np.bincount(place, words * is_known, len(slots))
    steady: ShortHashes = slots[(held >= _MIN_MAIN_SHARE * words.sum()) | (2 * known >= held)]
    return steady


def _is_moved(shown: Shown, texts: Texts) -> bool:
    """Tell whether the texts that are in both states have another order."""
    before = shown.body.texts[_are_prose(shown.body, shown.prose)]
    after = texts.body.texts[_are_prose(texts.body, texts.prose)]
    old, new = (list(dict.fromkeys(found.tolist())) for found in (before, after))
    common = set(old).intersection(new)
    return [text for text in old if text in common] != [text for text in new if text in common]


def _has_other_headline(shown: Shown, texts: Texts) -> bool:
    """Tell whether the visible headline is gone; the metadata in `<head>` does not count."""
    is_same = texts.headline == shown.headline
    return bool(shown.headline) and not is_same and shown.headline not in texts.headings


def _has_other_byline(shown: Shown, texts: Texts) -> bool:
    """Tell whether a name was added to the byline or removed from it."""
    if set(texts.authors).difference(shown.authors):
        return True
    return not all(_is_shown(name, texts.byline) for name in shown.authors)


def pack_shown(shown: Shown) -> tuple[str, bytes]:
    """Pack page hash, headline and byline as a text, and the blocks as bytes.

    The texts of the body have their own column.
    """
    packed = json.dumps([shown.page, shown.headline, shown.authors], ensure_ascii=False)
    counts = np.array([len(shown.body.slots), len(shown.prose)], dtype="<u4")
    parts = (shown.body.slots, shown.prose, shown.slots)
    blocks = counts.tobytes() + shown.body.sketches.astype("<u8").tobytes()
    blocks += b"".join(part.astype("<u4").tobytes() for part in parts)
    # Databases refuse lone surrogates.
    return packed.encode("utf-8", "replace").decode(), blocks


def unpack_shown(packed: str, blocks: bytes, texts: Hashes) -> Shown:
    """Unpack both columns with the texts of the body; raises ValueError if they are damaged."""
    page, headline, authors = json.loads(packed)
    body, prose = np.frombuffer(blocks[:8], dtype="<u4").tolist()
    rest = np.frombuffer(blocks[8 + 8 * body :], dtype="<u4").astype(np.uint32)
    if body != len(texts) or len(rest) < body + prose:
        raise ValueError("not what a page has shown")
    sketches = np.frombuffer(blocks, dtype="<u8", count=body, offset=8).astype(np.uint64)
    return Shown(
        page,
        headline,
        tuple(authors),
        Body(texts, rest[:body], sketches),
        rest[body : body + prose],
        rest[body + prose :],
    )
