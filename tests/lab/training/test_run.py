"""Which pages a model is trained on, and which ones tell its worth."""

from collections.abc import Sequence
from typing import Any

import pytest

from newsclean.lab.folds import FOLDS, fold_of
from newsclean.lab.training import run
from newsclean.lab.training.examples import Example
from newsclean.lab.training.fit import Settings, fit
from newsclean.methods.hybrid.network import Network

from .synthetic import by_first, example

QUICK = Settings(width=2, epochs=1)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The sites of each training that has been done so far."""
    seen: list[set[str]] = []

    def watched(pages: Sequence[Example], settings: Settings, kinds: Any) -> Network:
        seen.append({page.gold.site for page in pages})
        return fit(pages, settings, kinds)

    monkeypatch.setattr(run, "fit", watched)
    return seen


@pytest.fixture
def trained_on(
    monkeypatch: pytest.MonkeyPatch, seen: list[set[str]]
) -> dict[str, tuple[set[str], int]]:
    """For each model the sites on which it was trained, and how many pages it was measured on."""
    pages = [example(seed, by_first) for seed in range(30)]
    monkeypatch.setattr(run, "_work", (pages, QUICK, []), raising=False)
    return {
        name: (seen[-1], len(scores))
        for name, _, scores in map(run._fit, [*map(str, range(FOLDS)), run.USE])
    }


SITES = {f"site{seed}" for seed in range(30)}


def test_the_model_of_a_fold_has_seen_all_sites_but_those_of_the_fold(
    trained_on: dict[str, tuple[set[str], int]],
) -> None:
    for fold in range(FOLDS):
        own = {site for site in SITES if fold_of(site) == fold}
        assert own
        assert trained_on[str(fold)] == (SITES - own, len(own))


def test_the_model_for_use_has_seen_all_sites_and_has_no_figure(
    trained_on: dict[str, tuple[set[str], int]],
) -> None:
    assert trained_on[run.USE] == (SITES, 0)


def test_pages_that_are_no_articles_are_trained_on_and_have_no_figure(
    monkeypatch: pytest.MonkeyPatch, seen: list[set[str]]
) -> None:
    articles = [example(seed, by_first) for seed in range(10)]
    others = [example(seed, by_first, "firms", "service") for seed in range(10, 20)]
    monkeypatch.setattr(run, "_work", ([*articles, *others], QUICK, []), raising=False)
    scored = [scores for *_, scores in map(run._fit, map(str, range(FOLDS)))]
    assert set.union(*seen) == {f"site{seed}" for seed in range(20)}
    assert [name for scores in scored for name, _ in scores] == ["rain"] * 10


def test_features_that_are_left_out_are_not_used() -> None:
    pages = [example(seed, by_first) for seed in range(12)]
    trained = run.train(pages, QUICK, left_out=["feature 1"], only_folds=True)
    assert set(trained.models) == set(map(str, range(FOLDS)))
    for model in trained.models.values():
        assert model.feature_names == ["feature 0", "feature 2", "feature 3"]
        assert len(model.network.first[0]) == 3
    assert pages[0].features.shape[1] == 4  # and the next one can use all of them
