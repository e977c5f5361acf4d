"""When an article has changed: what makes the next revision, and what is only a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xxhash

from newsclean.memory.records import Revision, Texts
from newsclean.site import same_site, site_of

if TYPE_CHECKING:
    from newsclean.page import Page
    from newsclean.page.columns import Mask

#: A copy shares at least this part of its blocks with the original.
MIN_SHARED_BLOCKS = 0.5


def texts_of(page: Page, body: Mask) -> Texts:
    """The texts by which a later state of a page is compared with this one."""
    digest = xxhash.xxh3_64_intdigest
    hashes = np.array(
        [digest(text.encode("utf-8", "surrogatepass")) for text in page.blocks.text],
        dtype=np.uint64,
    )
    chosen = np.unique(page.blocks.of_text[body[page.text_rows]])
    return Texts(np.unique(hashes[chosen]), hashes)


def article_name(url: str, canonical_url: str | None) -> str:
    """The address by which the article at `url` is known.

    That is the one that the page calls its own, if it is of the same registered domain. One of
    another domain is only a claim: whoever copies an article could make it his own.

    >>> article_name("https://m.example.org/1?ref=home", "https://www.example.org/1")
    'https://www.example.org/1'
    >>> article_name("https://example.org/1", "https://example.net/1")
    'https://example.org/1'
    """
    return canonical_url if canonical_url and same_site(url, canonical_url) else url


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
    was only judged otherwise this time, with more neighbors perhaps, is not a change. What another
    host of the site has said in the name of this address does not stand against the address itself.
    """
    if last is None:
        return Revision(1, url, content_hash, texts.body)
    is_copy = url not in (name, last.url)
    if is_copy or last.content_hash == content_hash:
        return None
    is_overruled = url == name and site_of(last.url) != site_of(url)
    says_more = not np.isin(texts.body, last.body).all()
    says_less = not np.isin(last.body, texts.page).all()
    if not (is_overruled or says_more or says_less):
        return None
    return Revision(last.number + 1, url, content_hash, texts.body)
