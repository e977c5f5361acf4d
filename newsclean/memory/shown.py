"""What a page has shown, as two columns of a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from newsclean.memory.records import Body, Shown

if TYPE_CHECKING:
    from newsclean.memory.records import Hashes


def pack_shown(shown: Shown) -> tuple[str, bytes]:
    """Headline, byline and a hash of the page as a text, and the blocks as bytes.

    The texts of the body are in a column of their own.
    """
    packed = json.dumps([shown.page, shown.headline, shown.authors], ensure_ascii=False)
    counts = np.array([len(shown.body.slots), len(shown.prose)], dtype="<u4")
    parts = (shown.body.slots, shown.prose, shown.slots)
    blocks = counts.tobytes() + shown.body.sketches.astype("<u8").tobytes()
    blocks += b"".join(part.astype("<u4").tobytes() for part in parts)
    # A lone surrogate is not a text to a database.
    return packed.encode("utf-8", "replace").decode(), blocks


def unpack_shown(packed: str, blocks: bytes, texts: Hashes) -> Shown:
    """From two columns, and the texts of the body; ValueError if they are damaged."""
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
