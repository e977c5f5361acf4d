"""The features of Identifying Online News Articles (2019), block design: three groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from newsclean.articles.link_target import count_link_targets
from newsclean.metadata.urls import base_url, resolve_link
from newsclean.methods import coreex, mss
from newsclean.methods.ignored_tags import ignored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.articles.trees import Value
    from newsclean.page import Page

#: The tree without and the tree with link-target identification.
WITHOUT_LINKS = ("mss value", "coreex tag", "coreex tag of S", "coreex score")
LINKS = ("number links", "date links", "slash links", "reserved links", "short links")
WITH_LINKS = WITHOUT_LINKS + LINKS

#: The tag of a page on which CoreEx finds no content.
NO_TAG = "none"


def paper_features(page: Page) -> dict[str, Value]:
    """All nine features of a page, by the methods with their published parameters."""
    counts = asdict(count_link_targets(links_of(page)))
    return {
        "mss value": mss_value(page),
        **coreex_features(page),
        **{f"{name} links": count for name, count in counts.items()},
    }


def mss_value(page: Page) -> float:
    """The value of the highest scoring subsequence."""
    return mss.choose(page, np.ones(len(page), dtype=bool), mss.PAPER)[1]


def coreex_features(page: Page) -> dict[str, Value]:
    """The tag of the main content node, the most frequent tag in its S, its score."""
    everything = np.ones(len(page), dtype=bool)
    eligible = ~ignored(page, coreex.IGNORED, everything, coreex.PAPER.largest_share)
    counts = coreex.count(page, eligible, coreex.PAPER)
    score = coreex.score_nodes(page, counts, coreex.PAPER)
    node = coreex.main_content_node(page, score)
    if node < 0:
        return {"coreex tag": NO_TAG, "coreex tag of S": NO_TAG, "coreex score": 0.0}
    members = np.flatnonzero(counts.in_set & (page.parent == node)).tolist()
    tags = Counter(page.tag[row] for row in members)
    return {
        "coreex tag": page.tag[node],
        "coreex tag of S": tags.most_common(1)[0][0],
        "coreex score": float(score[node]),
    }


def links_of(page: Page) -> Iterator[str]:
    """The addresses of the page's links to places on the web."""
    base = base_url(page.elements("base"), page.url)
    for element in page.elements("a"):
        url = resolve_link(element.get("href"), base)
        if url is not None and url.startswith("http"):
            yield url
