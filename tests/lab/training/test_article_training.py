"""Boosted trees and the models that they make."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean.extraction.is_article import SURELY_NOT
from newsclean.extraction.is_article.prediction import REASON_OF
from newsclean.extraction.is_article.trees import Case, Model, models_from_json, node_vote, shipped
from newsclean.lab.evaluate.corpus import read_corpus
from newsclean.lab.training.article_training import (
    PAGE_TREES,
    Boosting,
    boost,
    cross_validate,
    highest_threshold,
    link_examples,
    models_to_json,
    news_threshold,
    page_examples,
    train_pages,
)
from newsclean.lab.training.c45 import Cases
from newsclean.lab.training.labelled_pages import KINDS, Labelled, folds_of, read_labelled

from ..article_corpora import write_corpus

SMALL = Boosting(trees=5, max_depth=3, min_cases=2.0, rate=0.35, attributes=1.0)


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
        ensemble = boost(cases, replace(SMALL, trees=trees, max_depth=2))
        said = ["in" if ensemble.probability(row) >= 0.5 else "out" for row in rows[200:]]
        return sum(map(str.__eq__, said, labels[200:]))

    assert right(40) > right(1) + 5
    assert right(40) > 85


def test_more_than_two_classes_are_refused() -> None:
    with pytest.raises(ValueError, match="two classes"):
        boost(Cases.of([{"x": n} for n in range(3)], ["a", "b", "c"]), SMALL)


@settings(max_examples=30)
@given(st.dictionaries(st.sampled_from(["x", "y"]), st.none() | st.floats(-2, 2)))
def test_every_case_has_a_probability_and_the_reasons_add_up_to_the_vote(case: Case) -> None:
    rows, labels = ring(80)
    ensemble = boost(Cases.of(rows, labels), SMALL)
    assert 0 < ensemble.probability(case) < 1
    before = sum(node_vote(tree.root, ensemble.rate) for tree in ensemble.trees)
    moved = sum(ensemble.changes(case).values())
    assert before + moved == pytest.approx(sum(ensemble.votes(case)))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Labelled]:
    folder = write_corpus(tmp_path_factory.mktemp("corpus"))
    return read_labelled(read_corpus(folder, kinds=KINDS).golds)


def test_a_model_is_measured_on_publishers_that_it_has_not_seen(pages: list[Labelled]) -> None:
    examples = page_examples(pages, folds=3)
    probability = cross_validate(examples, replace(PAGE_TREES, trees=5))
    model = train_pages(examples, probability)
    assert model.trained_on == {"mixed article": 12, "mixed other": 12, "news article": 12}
    assert model.cross_validated["mixed F1"] == 1.0
    assert model.cross_validated["news recall"] == 1.0
    again = train_pages(examples, cross_validate(examples, replace(PAGE_TREES, trees=5)))
    assert again == model


def test_news_counts_for_more_and_a_further_corpus_for_less(pages: list[Labelled]) -> None:
    of_first = page_examples(pages, folds=3)
    further = page_examples(pages, folds=3, further=frozenset({"news"}))
    assert set(of_first.weight[of_first.news]) == {5.0}
    assert set(of_first.weight[~of_first.news]) == {1.0}
    assert set(further.weight[further.news]) == {0.25}


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
    assert highest_threshold([np.array([0.9])], 1.0) == 0.6  # and never higher
    assert highest_threshold([news], 1.0) == 0.1
    assert highest_threshold([np.array([0.0])], 1.0) == 0.01


def test_each_language_keeps_its_articles_whatever_the_others_have() -> None:
    def threshold(polish: int) -> float:
        likely = np.array([0.95] * 5000 + [0.3] * polish)
        return news_threshold(likely, np.array(["en"] * 5000 + ["pl"] * polish))

    assert threshold(polish=40) == 0.3
    assert threshold(polish=20) == 0.6  # too few to tell, and never higher


def test_models_are_saved_and_read_again() -> None:
    rows, labels = ring(60)
    model = Model(
        boost(Cases.of(rows, labels), replace(SMALL, trees=2)), 0.25, {"a": 1}, {"F1": 0.9}, 7
    )
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
    import newsclean.extraction.is_article

    path = Path(newsclean.extraction.is_article.__file__ or "").parent / "model.json"
    assert path.stat().st_size < 600_000


def test_pages_of_one_publisher_are_never_on_both_sides() -> None:
    kinds = ("article", "forum")
    some = [Labelled("c", str(n), f"p{n % 7}", kinds[n % 2], None) for n in range(40)]
    fold = folds_of(some, 3, seed=1)
    for publisher in {one.publisher for one in some}:
        own = {number for one, number in zip(some, fold, strict=True) if one.publisher == publisher}
        assert len(own) == 1
    assert set(fold.tolist()) == {0, 1, 2}


def test_a_publisher_is_the_same_in_all_collections(tmp_path: Path) -> None:
    for collection, site in (("c", "daily.co.uk"), ("d", "gbr-Daily"), ("e", "daily-2005")):
        (tmp_path / collection / "pages").mkdir(parents=True)
        (tmp_path / collection / "pages" / "x.html").write_text("<p>Rain")
        line = f'{{"id": "x", "site": "{site}", "text": ""}}\n'
        (tmp_path / collection / "gold.jsonl").write_text(line)
    assert [one.publisher for one in read_labelled(read_corpus(tmp_path).golds)] == ["daily"] * 3
