"""Which sites a model has seen, so that none is judged by one that was trained on it.

`folds.npz` holds a model for each fold of the sites, trained on those of the other folds, and
`visual_folds.npz` the same for `visual`. They are in the repository and not in the package; without
them nothing is cross-validated.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

from newsclean.extraction.methods.hybrid.network import read_model
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.methods.visual.classifier import read_network

if TYPE_CHECKING:
    from collections.abc import Collection

    from newsclean.extraction.methods.chain import Method
    from newsclean.extraction.methods.hybrid.network import Model
    from newsclean.extraction.methods.visual.classifier import Network

FOLDS = 5
FOLDS_FILE = Path(__file__).with_name("folds.npz")
#: The same for the network of `visual`.
NETWORKS_FILE = Path(__file__).with_name("visual_folds.npz")

#: Methods with their models that are kept.
_MAX_METHODS = 32

#: Labels under which countries register what others register under `com`. The shipped models know
#: their sites by this rule: another one, the public suffix list's, would move sites between folds.
_SECOND_LEVEL = frozenset("ac co com edu go gob gov gouv net ne or org nom press".split())

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
    labels = name.partition(":")[0].split(".")
    if len(labels) < 3 or labels[-1].isdecimal():
        return labels[0]
    is_second_level = labels[-2] in _SECOND_LEVEL and len(labels[-1]) == 2
    return labels[-3 if is_second_level else -2]


def mark_of(site: str) -> int:
    """A number for a site's publisher, by which a model file knows it without its name."""
    return xxhash.xxh3_64_intdigest(publisher(site).encode()) >> 16


def fold_of(site: str) -> int:
    """The fold of a site: all pages of a publisher are in one."""
    return mark_of(site) % FOLDS


def unseen_model(site: str) -> Model | None:
    """The model of the fold that has not seen a site; None if the model for use has not, either.

    Without the models of the folds it is None, too: the model for use is all there is.
    """
    if not (has_fold_models() and _is_seen(site)):
        return None
    return read_model(FOLDS_FILE, str(fold_of(site)))


def unseen_network(site: str) -> Network:
    """The network of `visual` that was not trained on a site, as far as there is one."""
    shipped = read_network()
    if mark_of(site) in shipped.card["sites"] and _has_fold_networks():
        return read_network(NETWORKS_FILE, str(fold_of(site)))
    return shipped


def method_for(name: str, site: str) -> Method:
    """The method of a name, with a model that has not seen a site, if it uses one."""
    method = method_named(name)
    if method.needs_rendering:
        return _with_network(name, unseen_network(site))
    if method.model is None:
        return method
    return _with_model(name, unseen_model(site) or read_model())


@lru_cache(_MAX_METHODS)
def _with_model(name: str, model: Model) -> Method:
    """The same method each time, so that keys of pages that were made with it are found again."""
    return method_named(name, model)


@lru_cache(_MAX_METHODS)
def _with_network(name: str, network: Network) -> Method:
    """The same for `visual` and its network."""
    return method_named(name, network)


def has_fold_models() -> bool:
    """Whether there are models of the folds, of the same training as the model for use."""
    return FOLDS_FILE.is_file() and read_model(FOLDS_FILE, "0").card == read_model().card


def _has_fold_networks() -> bool:
    """The same of `visual`."""
    return NETWORKS_FILE.is_file() and read_network(NETWORKS_FILE, "0").card == read_network().card


def _is_seen(site: str) -> bool:
    """Whether the model for use was trained on pages of a site."""
    return mark_of(site) in read_model().card["sites"]


def not_cross_validated(sites: Collection[str]) -> str | None:
    """What a reader of figures on pages of these sites has to know, None if all is well."""
    if has_fold_models():
        return None
    return _seen_sites("model", FOLDS_FILE, sum(map(_is_seen, sites)), len(sites))


def networks_not_cross_validated(sites: Collection[str]) -> str | None:
    """The same of `visual`."""
    if _has_fold_networks():
        return None
    known = read_network().card["sites"]
    seen = sum(mark_of(site) in known for site in sites)
    return _seen_sites("network", NETWORKS_FILE, seen, len(sites))


def _seen_sites(kind: str, file: Path, seen: int, pages: int) -> str:
    return (
        f"not cross-validated: the {kind} was trained on the sites of {seen} of these "
        f"{pages} pages, and {file.name} with the {kind}s that were not is missing, or "
        "of another training (it is in newsclean's repository, newsclean/lab, and not in the "
        "package)"
    )
