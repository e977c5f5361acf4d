"""Why each block of a page was taken or left, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.methods.hybrid.decision import decide
from newsclean.methods.hybrid.evidence import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.methods.hybrid.decision import Judged
    from newsclean.neighborhood import Known
    from newsclean.page import Page

#: Kinds of evidence that are named for a block, and the least that one must have moved it, in
#: log-odds.
NAMED = 3
LEAST = 0.3
#: The kinds of evidence in words, for those who read the reasons.
MEANINGS = {
    "words": "the words of doubtful blocks",
    "shallow": "the block's own words, links and tags",
    "page": "the page as a whole",
    "order": "the blocks before and after",
    "tree": "the branches around the block",
    "names": "class and id",
    "wording": "its phrases",
    "headline": "how far the headline is",
    "stated": "the text in JSON-LD",
    "methods": "Boilerpipe, tree filter and MSS",
}


@dataclass(frozen=True)
class Reason:
    """What was said of one block."""

    chosen: bool
    #: of the network, by the page itself
    probability: float
    #: how far each kind of evidence moved the network, in log-odds, largest first
    moved: tuple[tuple[str, float], ...]
    #: what the neighbors said, empty if nothing
    neighbors: str

    def __str__(self) -> str:
        """
        >>> str(Reason(False, 0.25, (("tree", -1.5), ("wording", 0.4)), "on 4 of 5 neighbors"))
        'network 0.25 (tree -1.5, wording +0.4), on 4 of 5 neighbors'
        """
        kinds = ", ".join(f"{kind} {change:+.1f}" for kind, change in self.moved)
        said = f"network {self.probability:.2f}" + (f" ({kinds})" if kinds else "")
        return ", ".join(filter(None, (said, self.neighbors)))


def explain(page: Page, known: Known | None = None) -> list[Reason]:
    """The reason for each block of a page."""
    decision = decide(page, known)
    judged = decision.judged
    if not len(judged.at):
        return []
    changes = moved_by_kind(judged)
    kinds = list(changes)
    by_block = np.stack(list(changes.values()), axis=1)
    reasons = []
    for block, alone in enumerate(judged.probability.tolist()):
        order = np.argsort(-np.abs(by_block[block]))[:NAMED]
        moved = [(kinds[k], float(by_block[block, k])) for k in order.tolist()]
        said = []
        if (decision.static[block] or decision.repeated[block]) and known is not None:
            said.append(f"its text or label is on {_most(known, page, block)} neighbors")
        if decision.slot[block]:
            holds = "the article" if decision.slot[block] > 0 else "no article"
            said.append(f"its slot holds {holds} on other pages")
        reasons.append(
            Reason(
                bool(decision.chosen[block]),
                alone,
                tuple(pair for pair in moved if abs(pair[1]) >= LEAST),
                ", ".join(said),
            )
        )
    return reasons


def moved_by_kind(judged: Judged) -> dict[str, NDArray[np.float64]]:
    """How far each kind of evidence moved each block: the log-odds with it less those without.

    Without a kind, a page is as all pages are on average. `words` is the vocabulary, which moves
    doubtful blocks alone.
    """
    network, at = judged.network, judged.at
    with_all = _log_odds(judged.alone)
    moved = {"words": _log_odds(judged.probability) - with_all}
    for kind, ask in KINDS.items() if len(judged.values) else ():  # a page too large has none
        columns = [judged.questions.index(question) for question in ask(at)]
        values = judged.values.copy()
        values[:, columns] = network.mean[columns]
        moved[kind] = with_all - _log_odds(network(values, at.words, at.ranges[1:]).astype(float))
    return moved


def _most(known: Known, page: Page, block: int) -> str:
    label = int(known.keys.label_of_text[page.blocks.start[block]])
    unit = int(known.keys.of_text[page.blocks.start[block]])
    support = max(int(known.support[unit]), int(known.support[label]) if label >= 0 else 0)
    return f"{support} of {known.neighbors}"


def _log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    clipped = np.clip(probability, 1e-6, 1 - 1e-6)
    odds: NDArray[np.float64] = np.log(clipped / (1 - clipped))
    return odds
