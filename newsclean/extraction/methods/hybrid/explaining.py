"""Why each block of a page was chosen or not, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.methods.hybrid.decision import (
    FOR_REPEATED,
    decide,
    features_for,
    groups_of,
    has_scores,
)
from newsclean.extraction.methods.hybrid.features import FEATURE_GROUPS
from newsclean.extraction.methods.hybrid.structure import BOX_KINDS
from newsclean.extraction.text import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.methods.hybrid.decision import BlockScores, Decision
    from newsclean.extraction.neighborhood import NeighborSupport
    from newsclean.extraction.page import Page


#: Maximum number of groups of features in a line, and minimum effect of one, in log-odds.
_MAX_NAMED = 3
_MIN_MOVE = 0.3
#: The groups of features in words.
MEANINGS = {
    "words": "the words of doubtful blocks",
    "shallow": "the block's own words, links and tags",
    "page": "the page as a whole",
    "order": "the blocks before and after",
    "tree": "the branches around the block",
    "names": "class and id",
    "wording": "its phrases",
    "headline": "how far the headline is",
    "json-ld": "the text in JSON-LD",
    "methods": "Boilerpipe, tree filter and MSS",
    "replies": "boxes of one shape with dates and replies",
    "second article": "another headline with a date before it, and copies",
}


@dataclass(frozen=True)
class Reason:
    """Why one block was chosen or not."""

    chosen: bool
    #: of the network, by the page alone
    probability: float
    #: the effect of each group of features on the network, in log-odds, largest first
    moved: tuple[tuple[str, float], ...]
    #: what the neighbors know, empty if nothing
    neighbors: str
    #: their effect in log-odds: `text` if a neighbor has the text, `slot` by what the slot holds
    moved_by_neighbors: tuple[tuple[str, float], ...] = ()
    #: whether the site repeats it, whatever the network says
    is_static: bool = False
    #: the rule on names or notices that removed it, empty if none
    rule: str = ""

    def __str__(self) -> str:
        """
        >>> str(Reason(False, 0.25, (("tree", -1.5), ("wording", 0.4)), "on 4 of 5 neighbors"))
        'network 0.25 (tree -1.5, wording +0.4), on 4 of 5 neighbors'
        """
        kinds = ", ".join(f"{kind} {change:+.1f}" for kind, change in self.moved[:_MAX_NAMED])
        said = f"network {self.probability:.2f}" + (f" ({kinds})" if kinds else "")
        return ", ".join(filter(None, (said, self.rule, self.neighbors)))


def explain(page: Page, evidence: Evidence) -> list[Reason]:
    """Return the reason for each block of a page; nothing for a method without a network."""
    scores, neighbors = evidence.scores, evidence.neighbors
    if scores is None or not len(scores.context):
        return []
    decision = decide(page, scores, neighbors)
    changes = moved_by_group(scores)
    kinds = list(changes)
    by_block = np.stack(list(changes.values()), axis=1)
    reasons = []
    for block, alone in enumerate(scores.probability.tolist()):
        order = np.argsort(-np.abs(by_block[block]))
        moved = [(kinds[k], float(by_block[block, k])) for k in order.tolist()]
        said = []
        if (decision.static[block] or decision.repeated[block]) and neighbors is not None:
            said.append(f"its text or label is on {_support(neighbors, page, block)}")
        if decision.slot[block]:
            holds = "the article" if decision.slot[block] > 0 else "no article"
            said.append(f"its slot holds {holds} on other pages")
        reasons.append(
            Reason(
                bool(decision.chosen[block]),
                alone,
                tuple(pair for pair in moved if abs(pair[1]) >= _MIN_MOVE),
                ", ".join(said),
                _moved_by_neighbors(decision, block),
                bool(decision.static[block]),
                _rule(decision, block),
            )
        )
    return reasons


def meanings_for(scores: BlockScores) -> dict[str, str]:
    """Return the groups of features of a model, in words."""
    used = {"words", *groups_of(scores.model)}
    return {group: meaning for group, meaning in MEANINGS.items() if group in used}


def moved_by_group(scores: BlockScores) -> dict[str, NDArray[np.float64]]:
    """Return the effect of each group of features on each block: log-odds with and without it.

    Without a group, its features have their means over all pages. `words` is the vocabulary, which
    moves doubtful blocks only.
    """
    model, context = scores.model, scores.context
    with_all = _log_odds(scores.network_probability)
    moved = {"words": _log_odds(scores.probability) - with_all}
    if not has_scores(context):
        return moved
    everything = features_for(model, context)
    for group in groups_of(model):
        columns = [model.feature_names.index(name) for name in FEATURE_GROUPS[group](context)]
        features = everything.copy()
        features[:, columns] = model.network.mean[columns]
        without = model.network(features, context.words, context.ranges[1:])
        moved[group] = with_all - _log_odds(without.astype(float))
    return moved


def _moved_by_neighbors(decision: Decision, block: int) -> tuple[tuple[str, float], ...]:
    text = -FOR_REPEATED if decision.repeated[block] else 0.0
    moves = (("text", text), ("slot", float(decision.slot[block])))
    return tuple(move for move in moves if move[1])


def _rule(decision: Decision, block: int) -> str:
    if decision.consent[block]:
        return "it asks for consent to show an embed"
    if decision.comments[block]:
        return "it is in or after a series of comments, each with a name and a time"
    kind = BOX_KINDS[decision.box[block]]
    return f"the name of its box says {kind}" if kind else ""


def _support(neighbors: NeighborSupport, page: Page, block: int) -> str:
    label = int(neighbors.keys.label_of_text[page.blocks.start[block]])
    unit = int(neighbors.keys.of_text[page.blocks.start[block]])
    support = max(int(neighbors.texts[unit]), int(neighbors.texts[label]) if label >= 0 else 0)
    return f"{support} of {counted(neighbors.count, 'neighbor')}"


def _log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    clipped = np.clip(probability, 1e-6, 1 - 1e-6)
    odds: NDArray[np.float64] = np.log(clipped / (1 - clipped))
    return odds
