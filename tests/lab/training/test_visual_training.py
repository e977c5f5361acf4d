"""Blocks with classes by the gold, what a network learns of them, and how that is measured."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from newsclean.extraction.methods.visual.classifier import (
    CLASSES,
    FEATURES,
    MAIN,
    MIXED,
    NOISE,
    read_network,
    sigmoid,
)
from newsclean.extraction.page import Page, PageError
from newsclean.lab.evaluate.corpus import Gold
from newsclean.lab.training.rendered_blocks import Example, example_of, has_own_styles, labels_of
from newsclean.lab.training.visual_training import (
    Confusion,
    Read,
    Settings,
    cross_validate,
    fit,
    gradients,
    initial_weights,
    save,
    train_and_measure,
)
from tests.browser.drawn import drawn

RAIN = "It has rained in Bergen for nine days, and the river is as high as it ever was."
MAYOR = "The mayor asks all people to stay at home until the water has gone back to the sea."
MENU = "".join(f"<a href=/{k}>Section {k} of the paper</a> " for k in range(6))
BLOCKS = 200
FAST = Settings(epochs=20, batch_size=64)


def gold(site: str = "times", text: str = f"{RAIN}\n\n{MAYOR}") -> Gold:
    return Gold("rain", f"{site}-1", site, text, Path("none"), 1, url=f"https://{site}.example/1")


def example(site: str = "times") -> Example:
    html = f"<body><div>{MENU}</div><p>{RAIN}</p><p>{MAYOR}</p><p><a href=/x>Subscribe</a></p>"
    one = gold(site)
    return example_of(one, html.encode(), drawn(html, one.url))


def test_a_block_has_the_class_of_its_text() -> None:
    assert example().label.tolist() == [NOISE, MAIN, MAIN, NOISE]
    assert example().shown == 1


def test_a_block_is_mixed_between_a_tenth_and_nine_tenths() -> None:
    shares = np.array([0.0, 0.1, 0.11, 0.5, 0.89, 0.9, 1.0])
    assert labels_of(shares).tolist() == [NOISE, NOISE, MIXED, MIXED, MIXED, MAIN, MAIN]


def test_a_snapshot_of_another_page_is_refused() -> None:
    other = drawn("<body><p>Shares fell by a tenth on Monday.</p>")
    with pytest.raises(PageError) as raised:
        example_of(gold(), f"<body><p>{RAIN}</p>".encode(), other)
    assert raised.value.reason == "not-aligned"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<style>" + "p { margin: 0 } " * 200 + "</style>", True),
        ("<style>p { margin: 0 }</style>", False),
        ("<style>" + "p { margin: 0 } " * 200 + "</style><link rel=stylesheet href=/a>", False),
        ("<style>@import 'a.css'; " + "p { margin: 0 } " * 200 + "</style>", False),
    ],
)
def test_a_page_has_its_own_styles_if_it_names_no_others(head: str, expected: bool) -> None:
    assert has_own_styles(Page.from_html(f"<head>{head}</head><p>{RAIN}")) is expected


def test_the_measures_are_those_of_the_paper_s_formulas() -> None:
    labels = np.array([0, 0, 0, 0, 1, 2, 2, 2, 2, 2])
    said = np.array([0, 0, 0, 2, 0, 2, 2, 2, 2, 1])
    confusion = Confusion.of(labels, said)
    assert confusion.accuracy == 0.7
    assert confusion.largest_class == 0.5
    main = confusion.of_class(MAIN)
    assert (main.accuracy, main.precision, main.recall, main.f_measure) == (0.8, 0.75, 0.75, 0.75)
    assert confusion.of_class(MIXED).f_measure == 0
    assert confusion.macro_f1 == pytest.approx((0.75 + 0 + 0.8) / 3)


def test_gradients_are_the_slopes_of_the_cross_entropy() -> None:
    random = np.random.default_rng(1)
    weights: dict[str, NDArray[np.floating[Any]]] = {
        name: values.astype(np.float64)
        for name, values in initial_weights((4, 3, 3, 3), random).items()
    }
    inputs, targets = random.normal(size=(5, 4)), np.eye(3)[[0, 1, 2, 0, 2]]

    def loss() -> float:
        values: NDArray[np.floating[Any]] = inputs
        for k in range(3):
            values = sigmoid(values @ weights[f"weights{k}"] + weights[f"bias{k}"])
        entropy = -(targets * np.log(values) + (1 - targets) * np.log(1 - values))
        return float(entropy.sum() / len(inputs))

    found = gradients(weights, inputs, targets)
    for name, values in weights.items():
        before = values.flat[0]
        values.flat[0] = before + 1e-5
        above = loss()
        values.flat[0] = before - 1e-5
        slope = (above - loss()) / 2e-5
        values.flat[0] = before
        assert found[name].flat[0] == pytest.approx(slope, abs=1e-6)


def separable(site: str, seed: int, blocks: int = BLOCKS) -> Example:
    """A page whose classes can be told by one feature: the number of links."""
    random = np.random.default_rng(seed)
    label = random.integers(0, 3, blocks)
    features = random.uniform(0, 100, (blocks, len(FEATURES)))
    features[:, FEATURES.index("Block_no_of_hyperlink")] = np.array([0, 6, 60])[label]
    share = np.array([1.0, 0.5, 0.0])[label]
    chars = np.full(blocks, 100.0)
    return Example(gold(site), [], features, share, label, chars, seed % 2 == 0, 1.0)


SITES = ("times", "gazette", "courier", "herald", "observer", "mirror", "globe", "anzeiger")


def test_a_network_learns_what_can_be_learned_and_each_time_the_same() -> None:
    examples = [separable(site, seed) for seed, site in enumerate(SITES)]
    validated = cross_validate(examples, FAST)
    right = [
        (said == one.label).mean()
        for said, one in zip(validated.predicted(), examples, strict=True)
    ]
    assert np.mean(right) > 0.97
    first, second = fit(examples, FAST), fit(examples, FAST)
    assert (first(examples[0].features) == second(examples[0].features)).all()


def test_what_was_trained_is_written_with_its_sites_and_figures(tmp_path: Path) -> None:
    read = Read([separable(site, seed) for seed, site in enumerate(SITES)])
    settings = Settings(epochs=1)
    result = train_and_measure(read, settings)
    assert result.figures["pages"] == len(SITES)
    assert result.figures["own_styles"]["pages"] == len(SITES) // 2
    assert sum(map(sum, result.figures["all"]["confusion"])) == BLOCKS * len(SITES)
    path, folds = tmp_path / "network.npz", tmp_path / "folds.npz"
    save(path, folds, read, result, settings)
    network = read_network(path)
    assert len(network.card["sites"]) == len(SITES)
    assert network.card == read_network(folds, "0").card
    features = read.examples[0].features
    assert network(features).shape == (BLOCKS, len(CLASSES))
