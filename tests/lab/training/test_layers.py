"""The gradients of the loss, and batches of pages."""

import numpy as np
import pytest

from newsclean.extraction.methods.hybrid.network import CLIP
from newsclean.lab.training.block_examples import Example
from newsclean.lab.training.fit import Settings, batch_of, network_of
from newsclean.lab.training.layers import EARLY, Batch, initial_weights, loss_and_gradients
from newsclean.lab.training.optimizers import Weights

from .synthetic import FEATURES, LEVELS, by_first, example

WIDTH = 5


def weights_away_from_kinks(seed: int) -> Weights:
    """Weights with which half of the hidden values are well above 0 and the others well below."""
    random = np.random.default_rng(seed)
    weights = initial_weights(FEATURES, LEVELS, WIDTH, random)
    for name in weights:
        if name.startswith(("first", "context", "page")):
            weights[name] = weights[name] * np.float32(0.2)
        if name.startswith(("first_bias", "bias")):
            weights[name] = np.array([3, -3, 3, -3, 3], dtype=np.float32)
    return {name: weight.astype(np.float64) for name, weight in weights.items()}


def batch(*pages: Example, weights: tuple[tuple[str, float], ...] = ()) -> Batch:
    settings = Settings(feature_dropout=0, collection_weights=weights)
    random = np.random.default_rng(0)
    targets = [page.is_article.astype(np.float32) for page in pages]
    given = [(page, page.features, target) for page, target in zip(pages, targets, strict=True)]
    return batch_of(given, settings, [], random)


def keep_all(pages: Batch) -> list[np.typing.NDArray[np.float32]]:
    return [np.repeat(pages.real[:, None], WIDTH, axis=1)] * 3


PAGES = [example(seed, by_first) for seed in range(3)]


@pytest.mark.parametrize("by_page", [0.0, 1.0])
@pytest.mark.parametrize("name", list(weights_away_from_kinks(0)))
def test_gradients_are_what_a_small_step_measures(name: str, by_page: float) -> None:
    weights = weights_away_from_kinks(3)
    pages = batch(*PAGES, weights=(("rain", 2.0),))
    random = np.random.default_rng(4)
    shape = len(pages.values), WIDTH
    masks = [pages.real[:, None] * random.choice([0, 1.25], shape, p=[0.2, 0.8]) for _ in range(3)]
    _, gradients = loss_and_gradients(weights, pages, masks, by_page)
    whole = weights[name]
    for _ in range(3):
        step = random.normal(size=whole.shape)
        step *= 1e-2 / np.sqrt((step**2).sum())
        there, back = (
            loss_and_gradients({**weights, name: whole + sign * step}, pages, masks, by_page)[0]
            for sign in (1, -1)
        )
        expected = float((gradients[name] * step).sum())
        assert (there - back) / 2 == pytest.approx(expected, rel=0.02, abs=2e-6)


def test_the_gradients_are_not_all_nothing() -> None:
    pages = batch(*PAGES)
    _, gradients = loss_and_gradients(weights_away_from_kinks(3), pages, keep_all(pages), 1.0)
    assert {name for name, gradient in gradients.items() if not gradient.any()} == set()
    assert not gradients["first_bias"][1::2].any()  # the hidden values that are 0


def test_several_pages_at_once_are_what_they_are_one_by_one() -> None:
    weights = {name: w.astype(np.float32) for name, w in weights_away_from_kinks(5).items()}
    together = batch(*PAGES)
    loss, gradients = loss_and_gradients(weights, together, keep_all(together), 1.0)
    alone = []
    for page in PAGES:
        one = batch(page)
        alone.append(loss_and_gradients(weights, one, keep_all(one), 1.0))
    assert loss == pytest.approx(np.mean([loss for loss, _ in alone]), rel=1e-4)
    for name, gradient in gradients.items():
        mean = np.mean([each[name] for _, each in alone], axis=0)
        assert gradient == pytest.approx(mean, rel=1e-3, abs=1e-5), name


def test_training_computes_what_the_network_will() -> None:
    weights = initial_weights(FEATURES, LEVELS, WIDTH, np.random.default_rng(8))
    weights["early"][:] = 0
    (page,) = PAGES[:1]
    values = np.clip(page.features, -CLIP, CLIP)
    one = batch(page)
    loss, _ = loss_and_gradients(weights, one, keep_all(one), 0.0)
    same = np.zeros(FEATURES, np.float32), np.ones(FEATURES, np.float32)
    probability = network_of(weights, *same)(values, page.words, page.ranges)
    right = np.where(page.is_article, probability, 1 - probability)
    importance = one.importance[one.real > 0]
    expected = -(np.log(right) * importance).sum() + EARLY * np.log(2) * importance.sum()
    assert loss == pytest.approx(expected, rel=1e-4)


def test_a_block_that_is_right_either_way_has_no_say() -> None:
    page = example(7, by_first)
    page.optional = np.ones_like(page.optional)
    one = batch(page)
    loss, gradients = loss_and_gradients(weights_away_from_kinks(1), one, keep_all(one), 0.0)
    assert loss == 0
    assert not any(gradient.any() for gradient in gradients.values())


def test_pages_of_a_collection_count_as_much_as_the_settings_say() -> None:
    one, twice = batch(PAGES[0]), batch(PAGES[0], weights=(("rain", 2.0),))
    weights = weights_away_from_kinks(1)
    single, _ = loss_and_gradients(weights, one, keep_all(one), 1.0)
    double, _ = loss_and_gradients(weights, twice, keep_all(twice), 1.0)
    assert double == pytest.approx(2 * single)
