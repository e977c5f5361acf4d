"""The address of an article, without what only says where a reader came from."""

from __future__ import annotations

import re
from urllib.parse import urldefrag

_TRACKING = re.compile(
    r"(?:utm|mtm|pk|ns|wt)_\w+=|(?:fbclid|gclid|dclid|yclid|msclkid|igshid|mc_cid|mc_eid|cmpid"
    r"|ncid|xtor|at_medium|at_campaign)=",
    re.I,
)


def article_address(url: str) -> str:
    """A URL without its fragment and without parameters of tracking.

    >>> article_address("https://a.org/x?id=7&utm_source=rss#comments")
    'https://a.org/x?id=7'
    """
    return without_tracking(urldefrag(url).url)


def without_tracking(url: str) -> str:
    """A URL without the parameters that only say where a reader came from.

    >>> without_tracking("https://a.org/x?id=7&utm_source=home")
    'https://a.org/x?id=7'
    """
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [part for part in query.split("&") if part and not _TRACKING.match(part)]
    return f"{head}?{'&'.join(kept)}" if kept else head
