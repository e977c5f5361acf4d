"""Small networks and models, and pages whose blocks have the scores that a test wants."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from newsclean import Neighborhood
from newsclean.extraction.methods.chain import Evidence, Method
from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.decision import BlockScores, Decision, decide
from newsclean.extraction.methods.hybrid.features import FEATURE_GROUPS, block_features
from newsclean.extraction.methods.hybrid.network import (
    ROUNDS,
    Model,
    Network,
    Vocabulary,
    read_model,
)
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page


def random_network(seed: int, features: int = 4, levels: int = 2, width: int = 3) -> Network:
    random = np.random.default_rng(seed)

    def some(*shape: int) -> Any:
        return random.normal(size=shape).astype(np.float32)

    return Network(
        mean=some(features),
        scale=np.abs(some(features)) + np.float32(0.5),
        first=(some(features, width), some(width)),
        rounds=tuple(
            (some(width * (2 * reach + 1 + levels), width) / 4, some(width, width), some(width))
            for reach, _ in ROUNDS
        ),
        last=(some(width), some(1)),
    )


def model_that_takes(
    feature: str,
    sure: float = 10.0,
    words: dict[str, float] | None = None,
    groups: Iterable[str] = FEATURE_GROUPS,
) -> Model:
    """A model of one hidden value that chooses the blocks for which a feature is 1."""
    context = BlockContext(Page.from_html("<p>It rains."))
    names, _ = block_features(context, groups)
    size, levels = len(names), len(context.ranges) - 1
    first = np.zeros((size, 1), dtype=np.float32)
    first[names.index(feature)] = 1
    nothing = np.zeros(1, dtype=np.float32)
    no_page = np.zeros((1, 1), dtype=np.float32)
    network = Network(
        mean=np.zeros(size, dtype=np.float32),
        scale=np.ones(size, dtype=np.float32),
        first=(first, nothing),
        rounds=tuple(
            (np.zeros((2 * reach + 1 + levels, 1), dtype=np.float32), no_page, nothing)
            for reach, _ in ROUNDS
        ),
        last=(np.array([2 * sure], dtype=np.float32), np.array([-sure], dtype=np.float32)),
    )
    return Model(names, network, Vocabulary(words or {}))


_scripted: WeakKeyDictionary[Page, Sequence[float]] = WeakKeyDictionary()


def scripted_page(html: str, probability: Sequence[float], url: str | None = None) -> Page:
    """A page whose blocks get these probabilities from `SCRIPTED`."""
    page = Page.from_html(html, url)
    assert len(page.blocks) == len(probability)
    _scripted[page] = probability
    return page


def scripted_scores(page: Page) -> BlockScores:
    probability = np.array(_scripted.get(page, np.zeros(len(page.blocks))), dtype=float)
    features = np.empty((0, 0), dtype=np.float32)
    return BlockScores(read_model(), BlockContext(page), features, probability, probability)


#: hybrid with the probabilities of the test in place of a network's
SCRIPTED: Method = replace(method_named("hybrid"), scorer=scripted_scores)


def scripted_neighborhood() -> Neighborhood:
    return Neighborhood(SCRIPTED)


def evidence_on(page: Page, hood: Neighborhood | None = None, name: str | None = None) -> Evidence:
    if hood is None:
        return Evidence(scripted_scores(page))
    return hood.evidence_on(page, name, method=SCRIPTED)


def decided(page: Page, hood: Neighborhood | None = None, name: str | None = None) -> Decision:
    """What hybrid decides with scripted scores and the neighbors, if any."""
    return decide(page, scripted_scores(page), evidence_on(page, hood, name).neighbors)
