"""Small pages with keys, without HTML."""

from typing import Any

import numpy as np
import xxhash

from newsclean.extraction.neighborhood import PageKeys
from newsclean.memory import StoredPage
from newsclean.memory.revisions import Body, Texts, sketches_of, upper_half

SITE, CATEGORY = "example.org", "sport"
MENU = tuple(f"menu entry {n}" for n in range(8))
NEW_MENU = tuple(f"navigation {n}" for n in range(8))


def hashes(*texts: str) -> "np.typing.NDArray[np.uint64]":
    return np.array([xxhash.xxh3_64_intdigest(text.encode()) for text in texts], dtype=np.uint64)


def keys(*texts: str) -> PageKeys:
    return PageKeys(
        texts=hashes(*texts),
        samples=list(texts),
        chars=np.array([len(text) for text in texts]),
        of_text=np.arange(len(texts)),
        label_of_text=np.full(len(texts), -1),
    )


def article(number: int, menu: tuple[str, ...] = MENU) -> PageKeys:
    return keys(*menu, f"the first paragraph of article {number}", f"the second of {number}")


def stored_page(number: int, **changes: object) -> StoredPage:
    page = {
        "url": f"https://{SITE}/{number}",
        "site": SITE,
        "category": CATEGORY,
        "content_type": "text/html",
        "fetched_at": "2026-03-01T09:00:00+00:00",
        "body": f"<p>{number}".encode(),
    }
    return StoredPage(**(page | changes))  # type: ignore[arg-type]


def texts(*body: str, around: tuple[str, ...] = (), **shown: Any) -> Texts:
    """What a page shows whose article is in one slot."""
    page = hashes(*body, *around)
    slot = np.zeros(len(page), dtype=np.uint32)
    article = Body(hashes(*body), slot[: len(body)], sketches_of(body))
    return Texts(
        article,
        page,
        upper_half(page),
        slot,
        np.ones(len(body), int),
        np.ones(len(body), bool),
        **shown,
    )
