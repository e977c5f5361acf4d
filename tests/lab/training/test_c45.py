"""C4.5 as Quinlan describes it: the slides' worked example, the book's numbers, and laws."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean.extraction.is_article.trees import Case, tree_from_json
from newsclean.lab.training.article_training import tree_to_json
from newsclean.lab.training.c45 import (
    Cases,
    best_split,
    grow,
    info,
    learn,
    parts_of,
    predicted_errors,
    prune,
    split_on,
    upper_limit,
)

#: The slides: value of the highest scoring subsequence, tag of the main content node.
SLIDES: list[Case] = [
    {"mss": 15, "tag": "body"},
    {"mss": 65, "tag": "body"},
    {"mss": 70, "tag": "div"},
    {"mss": 80, "tag": "div"},
    {"mss": 50, "tag": "iframe"},
]
CLASSES = ["no", "yes", "yes", "yes", "no"]


@pytest.fixture
def slides() -> Cases:
    return Cases.of(SLIDES, CLASSES)


def test_the_slides_info_is_0_97(slides: Cases) -> None:
    assert round(info(slides.counts), 2) == 0.97


def test_the_slides_threshold_is_57_5_and_gains_0_97(slides: Cases) -> None:
    split = split_on(slides, "mss")
    assert split is not None
    assert split.threshold == 57.5
    assert round(split.gain, 2) == 0.97


def test_the_slides_tag_gains_0_57(slides: Cases) -> None:
    split = split_on(slides, "tag")
    assert split is not None
    assert split.threshold is None
    assert round(split.gain, 2) == 0.57


def test_the_slides_tree_asks_for_the_subsequence_alone(slides: Cases) -> None:
    tree = learn(slides)
    assert (tree.root.attribute, tree.root.threshold) == ("mss", 57.5)
    assert {name: branch.counts for name, branch in tree.root.branches.items()} == {
        "<=": (2, 0),
        ">": (0, 3),
    }
    assert [tree.classify(case) for case in SLIDES] == CLASSES


def test_a_nominal_attribute_has_a_branch_for_each_value() -> None:
    rows: list[Case] = [{"tag": tag} for tag in ("div", "div", "p", "p", "li", "li")]
    tree = learn(Cases.of(rows, ["a", "a", "b", "b", "c", "c"]))
    assert list(tree.root.branches) == ["div", "li", "p"]
    assert tree.classify({"tag": "li"}) == "c"


def test_the_gain_ratio_does_not_fall_for_an_attribute_that_names_each_case() -> None:
    rows: list[Case] = [{"name": f"n{n}", "size": n // 6} for n in range(12)]
    split = best_split(Cases.of(rows, ["a"] * 6 + ["b"] * 6), min_cases=1)
    assert split is not None
    assert split.attribute == "size"


def test_a_missing_value_goes_down_every_branch_by_its_share() -> None:
    rows: list[Case] = [{"x": 1}, {"x": 1}, {"x": 1}, {"x": 9}, {"x": None}]
    cases = Cases.of(rows, ["a", "a", "a", "b", "b"])
    split = split_on(cases, "x", min_cases=1)
    assert split is not None
    low, high = parts_of(cases, split).values()
    assert low.weight.tolist() == [1, 1, 1, 0.75]
    assert high.weight.tolist() == [1, 0.25]


def test_the_gain_counts_only_the_share_of_known_values() -> None:
    rows: list[Case] = [{"x": 1}, {"x": 1}, {"x": 9}, {"x": 9}]
    labels = ["a", "a", "b", "b"]
    full = split_on(Cases.of(rows, labels), "x")
    half = split_on(Cases.of([*rows, *({"x": None} for _ in rows)], labels * 2), "x")
    assert full is not None
    assert half is not None
    assert half.gain == pytest.approx(full.gain / 2)
    assert half.split_info > full.split_info  # missing values are a branch of their own there


def test_an_attribute_that_no_case_has_is_not_asked_for_however_much_the_cases_weigh() -> None:
    rows: list[Case] = [{"x": None, "y": n} for n in range(4)]
    cases = Cases.of(rows, ["a", "a", "b", "b"])
    heavy = replace(cases, weight=np.full(4, 5.0))
    assert split_on(heavy, "x") is None
    assert learn(heavy).root.attribute == "y"


def test_a_case_without_the_value_gets_the_mean_of_the_branches(slides: Cases) -> None:
    tree = learn(slides)
    assert tree.distribution({"mss": None}) == pytest.approx((0.4, 0.6))
    assert tree.distribution({}) == pytest.approx((0.4, 0.6))


def test_the_books_upper_limits() -> None:
    assert [round(upper_limit(0, total), 3) for total in (6, 9, 1)] == [0.206, 0.143, 0.75]
    assert upper_limit(1, 16) == pytest.approx(0.157, abs=0.003)


def test_a_split_that_promises_more_errors_is_pruned() -> None:
    """The book's example: three leaves with 3.3 errors to expect give way to one with 2.5."""
    values = ["no"] * 6 + ["undecided"] * 9 + ["yes"]
    rows: list[Case] = [{"vote": value} for value in values]
    cases = Cases.of(rows, ["democrat"] * 15 + ["republican"])
    tree = grow(cases, min_cases=1)
    assert len(tree.branches) == 3
    assert predicted_errors(tree) == pytest.approx(3.273, abs=0.01)
    assert prune(tree, cases).branches == {}


def test_noise_is_pruned_and_a_law_is_kept() -> None:
    rng = np.random.default_rng(1)
    rows: list[Case] = [{"x": float(x), "y": float(y)} for x, y in rng.random((300, 2))]
    labels = ["a" if (float(row["x"] or 0) > 0.5) ^ (rng.random() < 0.1) else "b" for row in rows]
    cases = Cases.of(rows, labels)
    full, pruned = learn(cases, confidence=None), learn(cases)
    assert pruned.root.size < full.root.size / 2
    assert pruned.root.attribute == "x"
    assert pruned.root.threshold == pytest.approx(0.5, abs=0.05)


def test_one_case_or_one_class_is_a_leaf() -> None:
    assert not learn(Cases.of([{"x": 1}], ["a"])).root.branches
    assert not learn(Cases.of([{"x": n} for n in range(9)], ["a"] * 9)).root.branches
    with pytest.raises(ValueError, match="at least one case"):
        learn(Cases.of([], [], ["a"]))


VALUES = st.fixed_dictionaries(
    {
        "number": st.none() | st.integers(-5, 5) | st.floats(-1e6, 1e6),
        "name": st.none() | st.sampled_from(["div", "p", "body"]),
    }
)
TABLES = st.lists(st.tuples(VALUES, st.sampled_from(["a", "b", "c"])), min_size=1, max_size=40)


def cases_of(table: list[tuple[Case, str]]) -> Cases:
    return Cases.of([row for row, _ in table], [label for _, label in table])


@settings(max_examples=60)
@given(TABLES, VALUES)
def test_every_case_gets_a_distribution_that_sums_to_one(
    table: list[tuple[Case, str]], case: Case
) -> None:
    for confidence in (None, 0.25):
        likely = learn(cases_of(table), confidence=confidence).distribution(case)
        assert sum(likely) == pytest.approx(1)
        assert all(0 <= share <= 1 + 1e-9 for share in likely)


@settings(max_examples=60)
@given(TABLES)
def test_pruning_never_makes_a_tree_larger_and_branches_keep_the_weight(
    table: list[tuple[Case, str]],
) -> None:
    cases = cases_of(table)
    root = grow(cases)
    assert prune(root, cases).size <= root.size
    if root.branches:
        assert sum(part.weight.sum() for part in parts_of(cases, root).values()) == pytest.approx(
            len(table)
        )


POINTS = st.tuples(st.integers(0, 99), st.integers(0, 3), st.sampled_from(["a", "b", "c"]))


@settings(max_examples=60)
@given(st.lists(POINTS, unique_by=lambda point: point[0], min_size=1, max_size=40))
def test_an_unpruned_tree_knows_its_own_cases_by_heart(points: list[tuple[int, int, str]]) -> None:
    """No two have the same x, so that a question that tells something is always left."""
    rows: list[Case] = [{"x": x, "y": y} for x, y, _ in points]
    labels = [label for _, _, label in points]
    tree = learn(Cases.of(rows, labels), min_cases=1, confidence=None)
    assert [tree.classify(row) for row in rows] == labels


def test_a_question_whose_answer_tells_nothing_is_not_asked() -> None:
    rows: list[Case] = [{"x": x, "y": y} for x in (0, 1) for y in (0, 1)]
    tree = learn(Cases.of(rows, ["a", "b", "b", "a"]), min_cases=1, confidence=None)
    assert not tree.root.branches  # an exclusive or: neither x nor y alone gains anything


@settings(max_examples=60)
@given(TABLES, VALUES)
def test_a_saved_tree_answers_as_before(table: list[tuple[Case, str]], case: Case) -> None:
    tree = learn(cases_of(table), confidence=None)
    again = tree_from_json(json.loads(json.dumps(tree_to_json(tree))))
    assert again.distribution(case) == pytest.approx(tree.distribution(case), abs=0.01)


def test_what_is_no_tree_is_refused() -> None:
    for data in (
        {},
        {"classes": ["a"], "root": {}},
        {"classes": ["a"], "root": {"counts": [1, 2]}},
    ):
        with pytest.raises(ValueError, match=r"not a decision tree|counts"):
            tree_from_json(data)
