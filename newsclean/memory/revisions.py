"""When an article has changed: what makes the next revision, and what is only a copy."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from newsclean.memory.records import Body, Revision, Shown, Texts
from newsclean.memory.sketches import are_alike
from newsclean.memory.texts import MIN_MAIN_SHARE, is_shown, shown_of, upper_half
from newsclean.urls import site_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.page.columns import Mask
    from newsclean.memory.records import ShortHashes

    Words = NDArray[np.int64]

#: A copy shares at least this part of its blocks with the original.
MIN_SHARED_BLOCKS = 0.5
#: Texts that are gone, and new ones, of which each pair is compared.
MAX_COMPARED = 100


def has_own_article(last: Revision, name: str, url: str, texts: Texts) -> bool:
    """Whether a page that names another page's URL as its own has an article of its own.

    Some templates name the section, or the front page, on every page.
    """
    body = texts.body.texts
    if url in (name, last.url) or not len(body):
        return False
    return bool(np.isin(body, last.body).mean() < MIN_SHARED_BLOCKS)


def next_revision(
    last: Revision | None, name: str, url: str, content_hash: str, texts: Texts
) -> Revision | None:
    """The state to deliver, or None if nothing has changed or it is a copy.

    `name` is the URL that the article calls its own; what comes from another one is a copy, and
    of an article and its copies only the first is delivered. What another host of the site has
    said in the name of this address does not stand against the address itself.
    """
    number = 1 if last is None else last.number + 1
    if last is not None:
        if is_copy(last, name, url):
            return None
        is_of_other_host = url == name and site_of(last.url) != site_of(url)
        if is_of_other_host and last.content_hash == content_hash:
            return None
        if not is_of_other_host and not has_changed(last, content_hash, texts):
            return None
    return Revision(number, url, content_hash, texts.body.texts, shown_of(texts))


def is_copy(last: Revision, name: str, url: str) -> bool:
    """Whether a page shows an article of another address."""
    return url not in (name, last.url)


def has_changed(last: Revision, content_hash: str, texts: Texts) -> bool:
    """Whether an article shows something else than its last state.

    Changes are looked for on the page, and the extraction only says which of them are in the
    article: what was on the page before and is only judged otherwise this time, with more neighbors
    or by another model, is not a change.

    Of a state whose row is damaged only the hash of its content is known.
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
    """Whether a text of the article is gone, or new, or worded otherwise.

    Where a slot that holds little of the article has hardly anything that it had, and nothing like
    it that is delivered, its texts change with each load of the page, as those of adverts do. Links
    to other pages, too, may be exchanged anywhere: only another wording of one is a change.
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
    before = old.sketches[gone].tolist()[:MAX_COMPARED]
    after = new.sketches[added & texts.is_delivered].tolist()[:MAX_COMPARED]
    return any(are_alike(one, other) for one, other in product(before, after))


def _are_prose(body: Body, prose: ShortHashes) -> Mask:
    """Which texts of an article are more than links."""
    return np.isin(upper_half(body.texts), prose)


def _steady_slots(body: Body, words: Words, is_known: Mask) -> ShortHashes:
    """The slots whose texts do not change with each load of the page.

    They hold much of the article, or at least half of their words are known.
    """
    slots, place = np.unique(body.slots, return_inverse=True)
    held = np.bincount(place, words, len(slots))
    known = np.bincount(place, words * is_known, len(slots))
    steady: ShortHashes = slots[(held >= MIN_MAIN_SHARE * words.sum()) | (2 * known >= held)]
    return steady


def _is_moved(shown: Shown, texts: Texts) -> bool:
    """Whether the texts that are in both states have another order."""
    before = shown.body.texts[_are_prose(shown.body, shown.prose)]
    after = texts.body.texts[_are_prose(texts.body, texts.prose)]
    old, new = (list(dict.fromkeys(found.tolist())) for found in (before, after))
    common = set(old).intersection(new)
    return [text for text in old if text in common] != [text for text in new if text in common]


def _has_other_headline(shown: Shown, texts: Texts) -> bool:
    """Whether the headline is gone; what the page's head calls it does not count."""
    is_same = texts.headline == shown.headline
    return bool(shown.headline) and not is_same and shown.headline not in texts.headings


def _has_other_byline(shown: Shown, texts: Texts) -> bool:
    """Whether a name is gone from the byline, or is new there."""
    if set(texts.authors).difference(shown.authors):
        return True
    return not all(is_shown(name, texts.byline) for name in shown.authors)
