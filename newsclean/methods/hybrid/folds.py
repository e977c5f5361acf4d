"""Which sites a model has seen, so that none is judged by a network that was trained on it."""

from __future__ import annotations

import re

import xxhash

from newsclean.methods.hybrid.network import Model
from newsclean.site import owner_of

FOLDS = 5

_YEAR = re.compile(r"-(?:19|20)\d\d$")
#: Before a name, not before a host, which may be written so.
_COUNTRY = re.compile(r"^[a-z]{2,3}-(?=[^.]+$)")


def publisher(site: str) -> str:
    """Under which name a site's pages are kept together, in whatever collection they are.

    >>> publisher("rain.co.uk_news"), publisher("rain-2005"), publisher("gbr-Rain")
    ('rain', 'rain', 'rain')
    >>> publisher("news.example.org"), publisher("my-example.org")
    ('example', 'my-example')
    """
    name = _COUNTRY.sub("", _YEAR.sub("", site.lower().partition("_")[0]))
    return owner_of(name).split(".")[0]


def mark_of(site: str) -> int:
    """A number for a site's publisher, by which a model file knows it without its name."""
    return xxhash.xxh3_64_intdigest(publisher(site).encode()) >> 16


def fold_of(site: str) -> int:
    """The fold of a site: all pages of a publisher are in one."""
    return mark_of(site) % FOLDS


def unseen_fold(site: str) -> int | None:
    """The fold whose network has not seen a site; None if the network for use has not, either."""
    return fold_of(site) if mark_of(site) in Model.shipped().sites else None
