"""Which blocks are the article: those that the network calls main (section III, last phase)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.browser.alignment import NONE
from newsclean.methods.chain import Choice, Stage, Step
from newsclean.methods.visual import segmentation
from newsclean.methods.visual.features import block_features
from newsclean.methods.visual.network import MAIN, MIXED, Network, read_network
from newsclean.page import PageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.browser.rendering import Rendering
    from newsclean.browser.snapshot import Snapshot
    from newsclean.methods.chain import Evidence
    from newsclean.methods.visual.segmentation import Block, Thresholds
    from newsclean.page import Page
    from newsclean.page.columns import Column, Mask

    Floats = NDArray[np.floating[Any]]

NOT_RENDERED = (
    "visual sees a page as a browser shows it, and this one was not rendered: "
    "`newsclean extract` does that; in Python, give extract() a snapshot of newsclean.browser"
)


@dataclass(frozen=True)
class Parameters:
    thresholds: Thresholds = segmentation.PAPER
    #: how much the output for mixed counts beside the one for main; 0: main blocks alone
    mixed: float = 0.0
    #: the least sum of the two; None: the class with the largest output decides
    least: float | None = None


PAPER = Parameters()
#: To take mixed blocks in doubt (mixed=0.5, least=0.5) measured worse: F1 0.902, not 0.906.
TUNED = PAPER


@dataclass(frozen=True, eq=False)
class ClassifiedBlocks:
    """The blocks of a page, and the outputs of the network for each."""

    blocks: list[Block]
    outputs: Floats

    @property
    def classes(self) -> Column:
        """The class of each block: the largest output."""
        found: Column = self.outputs.argmax(axis=1)
        return found


def classify(
    snapshot: Snapshot, network: Network, thresholds: Thresholds = segmentation.PAPER
) -> ClassifiedBlocks:
    """The three phases: segmentation, features, network."""
    blocks = segmentation.segment(snapshot, thresholds)
    return ClassifiedBlocks(blocks, network(block_features(snapshot, blocks)))


def steps(parameters: Parameters, network: Network | None = None) -> tuple[Step, ...]:
    """With the network that comes with newsclean, unless another one is given."""

    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        if evidence.rendering is None:
            raise PageError("not-rendered", NOT_RENDERED)
        rows, score = choose(page, evidence.rendering, network or read_network(), parameters)
        return replace(before, rows=before.rows & rows, score=score)

    return (Step(Stage.CONTENT, content, needs_rendering=True),)


def choose(
    page: Page, rendering: Rendering, network: Network, parameters: Parameters = PAPER
) -> tuple[Mask, float]:
    """The rows of the main blocks, and the mean of the network's output for their characters."""
    snapshot = rendering.snapshot
    classified = classify(snapshot, network, parameters.thresholds)
    score = classified.outputs[:, MAIN] + parameters.mixed * classified.outputs[:, MIXED]
    is_main = classified.classes == MAIN
    taken = is_main if parameters.least is None else score >= parameters.least
    of_row = np.zeros(len(snapshot))
    for block, value in zip(classified.blocks, np.where(taken, score, 0.0).tolist(), strict=True):
        of_row[block.first : block.last + 1] = value
    values = np.where(rendering.rows == NONE, 0.0, (of_row * snapshot.shown)[rendering.rows])
    chosen = np.zeros(len(page), dtype=bool)
    chosen[page.text_rows[values > 0]] = True
    chars = page.chars[page.text_rows] * (values > 0)
    mean = float((values * chars).sum() / chars.sum()) if chars.any() else 0.0
    return with_pictures(page, chosen), mean


def with_pictures(page: Page, chosen: Mask) -> Mask:
    """The chosen texts with what has no text between two of them: pictures, rules, breaks."""
    texts = page.text_rows
    taken = chosen[texts]
    rows = chosen.copy()
    for at in np.flatnonzero(taken[:-1] & taken[1:]).tolist():
        rows[texts[at] : texts[at + 1]] = True
    return rows
