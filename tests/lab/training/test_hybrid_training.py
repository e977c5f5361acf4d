"""Which pages a model is trained on, and which ones tell its worth."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from newsclean.extraction.methods.hybrid.network import Network
from newsclean.lab.folds import FOLDS, fold_of
from newsclean.lab.training import hybrid_training as run
from newsclean.lab.training.block_examples import Example
from newsclean.lab.training.fit import Settings, fit

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
    monkeypatch.setattr(run, "_work", (pages, QUICK, [], None), raising=False)
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
    monkeypatch.setattr(run, "_work", ([*articles, *others], QUICK, [], None), raising=False)
    scored = [scores for _, _, scores in map(run._fit, map(str, range(FOLDS)))]
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


def test_the_mean_prediction_of_the_distilled_networks_is_half_of_the_target() -> None:
    pages = [example(seed, by_first) for seed in range(12)]
    settings = replace(QUICK, teachers=2)
    targets = run.soft_targets(pages, settings, None)
    said = [run.fitted(pages, own, None) for own in settings.of_teachers()]
    for page, target in zip(pages, targets, strict=True):
        both = [network(page.features, page.words, page.ranges) for network in said]
        assert target == pytest.approx((page.is_article + np.mean(both, axis=0)) / 2)


def test_every_second_network_has_not_seen_the_collections_apart_and_is_not_asked_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = [example(seed, by_first) for seed in range(8)]
    apart = [example(seed, by_first, "dragnet") for seed in range(8, 16)]
    asked: list[list[str]] = []

    def one(known: Sequence[Example], settings: Settings, columns: Any) -> Any:
        asked.append([])

        def network(features: Any, words: Any, ranges: Any, to: list[str] = asked[-1]) -> Any:
            to += [page.gold.collection for page in (*pages, *apart) if page.words is words]
            return np.zeros(len(features), dtype=np.float32)

        return network

    monkeypatch.setattr(run, "fit", one)
    run.soft_targets([*pages, *apart], replace(QUICK, teachers=2), None)
    assert [sorted(set(names)) for names in asked] == [["dragnet", "rain"], ["rain"]]
