"""Boosted trees and the models that they make."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean.articles import SURELY_NOT
from newsclean.articles.judgement import REASON_OF
from newsclean.articles.model import Model, models_from_json, shipped
from newsclean.articles.trees import Case
from newsclean.articles.voting import node_vote, reasons
from newsclean.lab.trees.boosting import boost
from newsclean.lab.trees.cases import Cases
from newsclean.lab.trees.labelled import Labelled, Wanted, read_labelled
from newsclean.lab.trees.saving import models_to_json
from newsclean.lab.trees.training import (
    PAGE_TREES,
    cross_validate,
    highest_threshold,
    link_examples,
    page_examples,
    train_pages,
)

from .corpora import write_corpus


def ring(count: int = 300) -> tuple[list[Case], list[str]]:
    """Cases that no single threshold tells apart."""
    rng = np.random.default_rng(2)
    points = rng.uniform(-1, 1, (count, 2))
    rows: list[Case] = [{"x": float(x), "y": float(y)} for x, y in points]
    return rows, ["in" if x * x + y * y < 0.5 else "out" for x, y in points]


def test_trees_together_know_more_than_one() -> None:
    rows, labels = ring()
    cases = Cases.of(rows[:200], labels[:200])

    def right(trees: int) -> int:
        ensemble = boost(cases, trees=trees, max_depth=2, min_cases=2, attributes=1)
        said = ["in" if ensemble.probability(row) >= 0.5 else "out" for row in rows[200:]]
        return sum(map(str.__eq__, said, labels[200:]))

    assert right(40) > right(1) + 5
    assert right(40) > 85


def test_more_than_two_classes_are_refused() -> None:
    with pytest.raises(ValueError, match="two classes"):
        boost(Cases.of([{"x": n} for n in range(3)], ["a", "b", "c"]))


@settings(max_examples=30)
@given(st.dictionaries(st.sampled_from(["x", "y"]), st.none() | st.floats(-2, 2)))
def test_every_case_has_a_probability_and_the_reasons_add_up_to_the_vote(case: Case) -> None:
    rows, labels = ring(80)
    ensemble = boost(Cases.of(rows, labels), trees=5, max_depth=3, min_cases=2, attributes=1)
    assert 0 < ensemble.probability(case) < 1
    for tree, vote in zip(ensemble.trees, ensemble.votes(case), strict=True):
        moved = sum(reason.change for reason in reasons(tree, case, ensemble.rate))
        assert node_vote(tree.root, ensemble.rate) + moved == pytest.approx(vote)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Labelled]:
    folder = write_corpus(tmp_path_factory.mktemp("corpus"))
    return read_labelled(folder, Wanted(page=True, menu=True))


def test_a_model_is_measured_on_publishers_that_it_has_not_seen(pages: list[Labelled]) -> None:
    examples = page_examples(pages, folds=3)
    probability = cross_validate(examples, {**PAGE_TREES, "trees": 5})
    model = train_pages(examples, probability)
    assert model.trained_on == {"mixed article": 12, "mixed other": 12, "news article": 12}
    assert model.cross_validated["mixed F1"] == 1.0
    assert model.cross_validated["news recall"] == 1.0
    again = train_pages(examples, cross_validate(examples, {**PAGE_TREES, "trees": 5}))
    assert again == model


def test_links_of_menus_are_sections(pages: list[Labelled]) -> None:
    examples = link_examples(pages, folds=3)
    assert examples.sizes == {
        "menus other": 24,
        "mixed article": 12,
        "mixed other": 12,
        "news article": 12,
    }
    menus = [
        row
        for row, name in zip(examples.rows, examples.collections, strict=True)
        if name == "menus"
    ]
    assert {row["path segments"] for row in menus} == {1}


def test_the_threshold_is_the_highest_that_loses_no_more_than_allowed() -> None:
    news, others = np.array([0.1] + [0.25] * 99), np.array([0.2] * 50)
    assert highest_threshold([news], 0.99) == 0.25
    assert highest_threshold([news, others], 0.99) == 0.2
    assert highest_threshold([np.array([0.9])], 1.0) == 0.5  # and never higher
    assert highest_threshold([news], 1.0) == 0.1
    assert highest_threshold([np.array([0.0])], 1.0) == 0.01


def test_models_are_saved_and_read_again() -> None:
    rows, labels = ring(60)
    model = Model(boost(Cases.of(rows, labels), trees=2), 0.25, {"a": 1}, {"F1": 0.9}, 7)
    again = models_from_json(models_to_json({"pages": model}))["pages"]
    assert (again.threshold, again.trained_on, again.cross_validated, again.seed) == (
        0.25,
        {"a": 1},
        {"F1": 0.9},
        7,
    )
    for row in rows:
        assert again.ensemble.probability(row) == pytest.approx(
            model.ensemble.probability(row), abs=0.01
        )
    for text in ("[]", "{}", '{"pages": {}}'):
        if text == "{}":
            assert models_from_json(text) == {}
        else:
            with pytest.raises(ValueError, match="not a model file"):
                models_from_json(text)


def test_the_shipped_models_say_what_they_were_trained_on_and_how_good_they_are() -> None:
    models = shipped()
    assert set(models) == {"pages", "links"}
    pages = models["pages"]
    assert pages.cross_validated["wcxb F1"] >= 0.92
    for name in ("big9", "fundus", "fundus-eval"):
        assert pages.cross_validated[f"{name} recall"] >= 0.99
    assert sum(pages.trained_on.values()) > 1000
    assert models["links"].threshold == SURELY_NOT


def test_every_attribute_of_the_shipped_trees_has_a_reason() -> None:
    def attributes(data: object) -> set[str]:
        if isinstance(data, list):
            return set().union(*map(attributes, data))
        if isinstance(data, dict):
            own = {data["attribute"]} if "attribute" in data else set()
            return own.union(*map(attributes, data.values()))
        return set()

    data = json.loads(models_to_json(shipped()))
    assert attributes(data["pages"]["trees"]) <= set(REASON_OF)
    assert len(attributes(data["pages"]["trees"])) > 10


def test_the_shipped_model_is_small() -> None:
    import newsclean.articles

    path = Path(newsclean.articles.__file__ or "").parent / "model.json"
    assert path.stat().st_size < 600_000
