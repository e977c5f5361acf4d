"""A first judgement by the shape of what was chosen and by what the page says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.metadata import Metadata

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.page import Page
    from newsclean.page.columns import Mask

#: Fewer words than this are a caption or a notice.
FEWEST_WORDS = 50
#: Words outside links that make a block a paragraph, and how many of those an article has.
PARAGRAPH_WORDS = 15
FEWEST_PARAGRAPHS = 2
#: More words in links than this share are a list.
MOST_LINKED = 0.4
#: What pages that are no articles call themselves (og:type, JSON-LD @type), in lower case.
OTHER_TYPES = frozenset(
    """
    profile profilepage aboutpage contactpage collectionpage searchresultspage imagegallery
    mediagallery videogallery video.other video.movie video.episode video.tv_show videoobject
    product faqpage checkoutpage itemlist
    """.split()
)
ARTICLE_SUFFIXES = ("article", "blogposting", "report")


@dataclass(frozen=True)
class Judgement:
    is_article: bool
    #: how likely the page is an article, from 0 to 1
    probability: float
    #: why not, as a short name for logs and stats; empty for an article
    reason: str = ""


def judge(page: Page, chosen: Mask, said: Metadata | Sequence[str] = ()) -> Judgement:
    """Whether the chosen rows are an article.

    `said` is what the page says of itself: its metadata, or its `og:type` and JSON-LD `@type` only.
    """
    reason = _reason(page, chosen, said.types if isinstance(said, Metadata) else said)
    return Judgement(not reason, 0.0 if reason else 1.0, reason)


def _reason(page: Page, chosen: Mask, types: Sequence[str]) -> str:
    blocks = page.blocks
    plain = blocks.sum(page.words * (chosen & ~page.in_link))
    linked = int((page.words * (chosen & page.in_link)).sum())
    words = int(plain.sum())
    if words + linked < FEWEST_WORDS:
        return "too-short"
    if linked > MOST_LINKED * (words + linked):
        return "mostly-links"
    named = [name.lower() for name in types]
    if any(name.endswith(ARTICLE_SUFFIXES) for name in named):
        return ""
    if OTHER_TYPES.intersection(named):
        return "other-type"
    if np.count_nonzero(plain >= PARAGRAPH_WORDS) < FEWEST_PARAGRAPHS:
        return "no-paragraphs"
    return ""
