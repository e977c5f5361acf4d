"""The network, block by block."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from newsclean.extraction.methods.hybrid import network
from newsclean.extraction.methods.hybrid.network import CLIP, MAX_WEIGHT, ROUNDS, Network

from .networks import random_network

Floats = NDArray[np.float64]
Branches = list[tuple[NDArray[np.int64], NDArray[np.int64]]]


def naive(weights: Network, values: Floats, words: Floats, branches: Branches) -> Floats:
    """The same by its definition, a block at a time."""
    n = len(values)
    weight = [min(word, MAX_WEIGHT) for word in words.tolist()]
    hidden = []
    for row in values:
        scaled = [
            min(max((value - mean) * scale, -CLIP), CLIP)
            for value, mean, scale in zip(row, weights.mean, weights.scale, strict=True)
        ]
        hidden.append(np.maximum(scaled @ weights.first[0].astype(float) + weights.first[1], 0))

    def mean_of(blocks: range) -> Floats:
        total = sum((weight[block] * hidden[block] for block in blocks), np.zeros_like(hidden[0]))
        result: Floats = total / sum(weight[block] for block in blocks)
        return result

    for (reach, apart), (context_weights, page, bias) in zip(ROUNDS, weights.rounds, strict=True):
        after = []
        for block in range(n):
            parts = []
            for step in range(-reach, reach + 1):
                other = block + step * apart
                parts.append(hidden[other] if 0 <= other < n else np.zeros_like(hidden[0]))
            parts += [mean_of(range(low[block], high[block])) for low, high in branches]
            message = np.concatenate(parts) @ context_weights.astype(float)
            message = message + mean_of(range(n)) @ page.astype(float) + bias
            after.append(hidden[block] + np.maximum(message, 0))
        hidden = after
    logits = [float(state @ weights.last[0].astype(float) + weights.last[1][0]) for state in hidden]
    probability: Floats = 1 / (1 + np.exp(-np.clip(np.array(logits), -30, 30)))
    return probability


def some_page(seed: int, n: int) -> tuple[NDArray[np.float32], Floats, Branches]:
    random = np.random.default_rng(seed)
    values = (random.normal(size=(n, 4)) * 3).astype(np.float32)
    words = random.integers(1, 400, n).astype(float)
    place = np.arange(n)
    low = np.maximum(place - random.integers(0, 3, n), 0)
    high = np.minimum(place + 1 + random.integers(0, 3, n), n)
    return values, words, [(low, high), (np.zeros(n, dtype=np.int64), np.full(n, n))]


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_it_computes_what_its_definition_says(seed: int, n: int) -> None:
    some = random_network(seed)
    values, words, branches = some_page(seed, n)
    expected = naive(some, values.astype(float), words, branches)
    assert some(values, words, branches) == pytest.approx(expected, abs=2e-4)


def test_a_page_of_many_blocks_is_computed_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = random_network(2)
    page = some_page(2, 40)
    whole = computed(*page)
    monkeypatch.setattr(network, "PIECE", 60)
    assert computed(*page) == pytest.approx(whole, abs=1e-5)


def test_a_block_depends_on_blocks_far_away() -> None:
    some = random_network(5)
    values, words, branches = some_page(5, 30)
    before = some(values, words, branches)
    values[29] += 2
    assert some(values, words, branches)[0] != before[0]


def test_extreme_features_gives_a_probability_all_the_same() -> None:
    values, words, branches = some_page(1, 6)
    values[2], values[3] = 1e30, -1e30
    probability = random_network(1)(values, words, branches)
    assert np.isfinite(probability).all()
    assert ((probability >= 0) & (probability <= 1)).all()
