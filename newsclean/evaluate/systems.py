"""What is measured: a method with a number of neighbors, or a peer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

from newsclean.evaluate.neighbors import Count, draw
from newsclean.evaluate.peers import HOW_TO_GET, PEERS
from newsclean.metadata import read_headline_and_authors
from newsclean.methods import Method, method_named
from newsclean.page import Page
from newsclean.render import body_of, render_text
from newsclean.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.evaluate.corpus import Gold
    from newsclean.neighborhood import Neighborhood

#: Methods that look at one page at a time; all others are given neighbors.
ONE_PAGE = frozenset({"boilerpipe", "boilerpipe-tree", "coreex", "mss", "tree"})

#: The code that decides what a method makes of a page,
CODE = ("page", "neighborhood", "methods", "metadata", "render", "site.py", "evaluate/neighbors.py")
#: what a peer is given,
PEER_CODE = ("evaluate/peers.py", "page/decode.py", "metadata/language.py")
#: and the score of either.
MEASURING = (
    "evaluate/alignment.py",
    "evaluate/corpus.py",
    "evaluate/measures.py",
    "evaluate/scoring.py",
    "evaluate/speed.py",
    "evaluate/systems.py",
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


def article_text(body: bytes, method: Method, neighborhood: Neighborhood | None, gold: Gold) -> str:
    """The way of a page from its bytes to its text, as `newsclean.extract` goes it."""
    page = Page.from_html(body, gold.url)
    known = None if neighborhood is None else neighborhood.ask(page, gold.id)
    choice = method.choose(page, known)
    if choice.is_body:
        return render_text(page, choice.rows)
    metadata = read_headline_and_authors(page.elements, gold.url)
    return render_text(page, body_of(page, choice, metadata).text)


@cache
def _digest(names: tuple[str, ...]) -> str:
    """Of the files of these names, and of all files below them if they are folders."""
    root = Path(__file__).parent.parent
    digest = xxhash.xxh3_64()
    for name in names:
        path = root / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(root)}\0".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()
