"""What is measured: a method with a number of neighbors, or a peer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

import newsclean
from newsclean.browser.rendering import Rendering
from newsclean.lab.evaluate.neighbors import Count, draw
from newsclean.lab.evaluate.peers import HOW_TO_GET, PEERS
from newsclean.lab.folds import networks_not_cross_validated, not_cross_validated
from newsclean.methods import Evidence, method_named
from newsclean.page import Page
from newsclean.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from newsclean.browser.snapshot import Snapshot
    from newsclean.extraction import Extractor, Neighborhood
    from newsclean.lab.evaluate.corpus import Gold

#: Methods that look at one page at a time; all others are given neighbors.
ONE_PAGE = frozenset({"boilerpipe", "boilerpipe-tree", "coreex", "mss", "tree", "visual"})

#: Methods that were trained on pages of some sites, and what tells if it was on those measured.
TRAINED = {"hybrid": not_cross_validated, "visual": networks_not_cross_validated}

#: The code that decides what a method makes of a page,
CODE = (
    "article.py",
    "articles",
    "browser",
    "corrections",
    "extraction",
    "identity.py",
    "page",
    "neighborhood",
    "methods",
    "metadata",
    "render",
    "site.py",
    "toml.py",
    "lab/folds.py",
    "lab/folds.npz",
    "lab/visual/folds.npz",
    "lab/visual/folds.py",
    "lab/visual/snapshots.py",
    "lab/evaluate/neighbors.py",
)
#: what a peer is given,
PEER_CODE = (
    "lab/evaluate/peers.py",
    "page/decode.py",
    "metadata/language.py",
    "metadata/languages.py",
)
#: and the score of either.
MEASURING = (
    "lab/evaluate/alignment.py",
    "lab/evaluate/corpus.py",
    "lab/evaluate/measures.py",
    "lab/evaluate/scoring.py",
    "lab/evaluate/speed.py",
    "lab/evaluate/systems.py",
    "page/words.py",
)
#: The libraries that have a say in it.
LIBRARIES = ("charset-normalizer", "lxml", "numpy", "py3langid", "w3lib")


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
        return PEERS[self.name].version if self.is_peer else VERSION

    def fingerprint(self, gold: Gold, others: Sequence[Gold]) -> str:
        """Changes with all that a result depends on: code, versions, the page, its neighbors."""
        parts = [self.name, str(self.neighbors), self.version, gold.digest]
        parts += [_digest(MEASURING), _digest(PEER_CODE if self.is_peer else CODE)]
        parts += map(version, LIBRARIES)
        if self.neighbors is not None:
            parts += [other.digest for other in draw(gold, others, self.neighbors)]
        return xxhash.xxh3_64_hexdigest("\0".join(parts).encode())


def systems_of(
    methods: Sequence[str], peers: Sequence[str], neighbors: Sequence[Count]
) -> tuple[list[System], list[str]]:
    """The systems of these names, and the peers among them that are not installed."""
    systems = []
    for name in methods:
        method_named(name)
        parts = {part.strip().partition(":")[0] for part in name.split("+")}
        counts: Sequence[Count | None] = [None] if parts <= ONE_PAGE else neighbors
        systems += [System(name, neighbors=count) for count in counts]
    if unknown := [name for name in peers if name not in PEERS]:
        names = ", ".join(PEERS)
        raise ValueError(f"no peer named {unknown[0]!r}; there are: {names} (or all)")
    missing = [name for name in peers if not PEERS[name].installed]
    systems += [System(name, is_peer=True) for name in peers if name not in missing]
    return list(dict.fromkeys(systems)), missing


def missing_message(name: str) -> str:
    return f"peer {name} is not installed and left out: {HOW_TO_GET}"


def cross_validation_warning(systems: Iterable[System], sites: Collection[str]) -> str | None:
    """That what was trained is measured on sites that it has seen, if it is; a site a page."""
    names = dict.fromkeys(system.name for system in systems)
    warnings = []
    for trained, not_validated in TRAINED.items():
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


@cache
def _digest(names: tuple[str, ...]) -> str:
    """Of the files of these names, and of all files below them if they are folders."""
    root = Path(newsclean.__file__).parent
    digest = xxhash.xxh3_64()
    for name in names:
        path = root / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(root)}\0".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()
