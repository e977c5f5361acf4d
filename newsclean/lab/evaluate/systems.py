"""What is measured: a method with a number of neighbors, or a peer."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from newsclean import __version__
from newsclean.browser.snapshot import Rendering
from newsclean.error_hints import install_command
from newsclean.extraction.extractor import Extractor, Neighborhood
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page, PageError
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.peers import PEERS
from newsclean.lab.folds import method_for, networks_not_cross_validated, not_cross_validated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from newsclean.browser.snapshot import Snapshot
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.methods.chain import Method
    from newsclean.extraction.neighborhood import Hashes
    from newsclean.lab.evaluate.corpus import Gold
    from newsclean.lab.evaluate.peers import Peer

Count = int | Literal["all"]

#: Methods that look at one page at a time; all others are given neighbors.
_ONE_PAGE = frozenset({"boilerpipe", "boilerpipe-tree", "coreex", "mss", "tree", "visual"})

#: Methods that were trained on pages of some sites, and what tells if it was on those measured.
_TRAINED = {"hybrid": not_cross_validated, "visual": networks_not_cross_validated}

#: Pages whose keys a process keeps; the pages of one site are measured one after the other.
_MAX_KEPT_KEYS = 256


@dataclass(frozen=True)
class System:
    """One row of the tables."""

    name: str
    is_peer: bool = False
    #: None for what looks at one page at a time
    neighbors: Count | None = None

    @property
    def label(self) -> str:
        if self.neighbors is None:
            return self.name
        return f"{self.name}, {self.neighbors} neighbor{'s' if self.neighbors != 1 else ''}"

    @property
    def version(self) -> str:
        return PEERS[self.name].version if self.is_peer else __version__


def systems_of(
    methods: Sequence[str],
    peers: Sequence[str],
    neighbors: Sequence[Count],
    known: Mapping[str, Peer] = PEERS,
) -> tuple[list[System], list[str]]:
    """The systems of these names, and the peers among them that are not installed."""
    systems = []
    for name in methods:
        method_named(name)
        parts = {part.strip().partition(":")[0] for part in name.split("+")}
        counts: Sequence[Count | None] = [None] if parts <= _ONE_PAGE else neighbors
        systems += [System(name, neighbors=count) for count in counts]
    if unknown := [name for name in peers if name not in known]:
        names = ", ".join(known)
        raise ValueError(f"no peer named {unknown[0]!r}; there are: {names} (or all)")
    missing = [name for name in peers if not known[name].installed]
    systems += [System(name, is_peer=True) for name in peers if name not in missing]
    return list(dict.fromkeys(systems)), missing


def missing_message(name: str) -> str:
    return f"peer {name} is not installed and left out: {install_command('bench')}"


def cross_validation_warning(systems: Iterable[System], sites: Collection[str]) -> str | None:
    """That what was trained is measured on sites that it has seen, if it is; a site a page."""
    names = dict.fromkeys(system.name for system in systems)
    warnings = []
    for trained, not_validated in _TRAINED.items():
        found = [
            name
            for name in names
            if any(part.strip().partition(":")[0] == trained for part in name.split("+"))
        ]
        if found and (warning := not_validated(sites)):
            warnings.append(f"{', '.join(found)}: {warning}")
    return "; ".join(warnings) or None


def article_text(
    body: bytes,
    extractor: Extractor,
    neighborhood: Neighborhood | None,
    gold: Gold,
    snapshot: Snapshot | None = None,
) -> str:
    """The way of a page from its bytes to its text; of one that was rendered, from there on."""
    page = Page.from_html(body, gold.url)
    evidence = None if neighborhood is None else neighborhood.evidence_on(page, gold.id)
    if snapshot is not None:
        evidence = evidence or Evidence(extractor.method.score_blocks(page))
        evidence = replace(evidence, rendering=Rendering.of(page, snapshot))
    return extractor(page, evidence).text


def draw(gold: Gold, others: Sequence[Gold], count: Count) -> list[Gold]:
    """So many other pages of the site, always the same for a page; more hold the fewer."""
    drawn = sorted(others, key=lambda other: other.id)
    random.Random(f"{gold.collection}/{gold.id}").shuffle(drawn)
    return drawn if count == "all" else drawn[:count]


def neighborhood_of(pages: Sequence[Gold], method: Method) -> Neighborhood:
    """A neighborhood that has learned these pages, whatever their order and templates."""
    hood = Neighborhood(method, window=max(len(pages), 1))
    for page in pages:
        keys = _keys(page.path, method)
        if keys is not None:
            hood.restore(page.id, *keys)
    return hood


@lru_cache(maxsize=_MAX_KEPT_KEYS)
def _keys(path: Path, method: Method) -> tuple[Hashes, Hashes] | None:
    try:
        page = Page.from_html(read_page(path))
    except PageError:
        return None
    keys = method.keys(page, method.score_blocks(page))
    return keys.remembered, keys.facts


def extraction_of(
    gold: Gold, others: Sequence[Gold], system: System, url: str | None
) -> Extraction:
    """What a method of ours makes of a page, with a model that has not seen the publisher."""
    method = method_for(system.name, gold.site)
    page = Page.from_html(read_page(gold.path), url)
    evidence = None
    if system.neighbors is not None:
        hood = neighborhood_of(draw(gold, others, system.neighbors), method)
        evidence = hood.evidence_on(page, gold.id)
    return Extractor(method)(page, evidence)
