"""Fitting the network to examples."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from newsclean.extraction.methods.hybrid.network import Network
from newsclean.lab.training.fit import Settings, continued_targets, fit, mean_network
from newsclean.lab.training.hybrid_training import dropout_columns, features_by_group
from newsclean.lab.training.layers import initial_weights
from newsclean.lab.training.optimizers import AdamW

from .synthetic import by_block_before, by_first, example

QUICK = Settings(
    width=8, epochs=20, batch_size=4, learning_rate=2e-2, dropout=0.0, feature_dropout=0.0
)


def right(network: Network, seeds: range, rule: Callable[..., object]) -> float:
    """The share of the blocks on which the network is right."""
    found = []
    for seed in seeds:
        page = example(seed, rule)  # type: ignore[arg-type]
        answer = network(page.features, page.words, page.ranges) >= 0.5
        found.append(answer == page.is_article)
    return float(np.concatenate(found).mean())


@pytest.mark.parametrize("rule", [by_first, by_block_before])
def test_it_learns_what_decides_on_pages_that_it_has_not_seen(rule: Callable[..., object]) -> None:
    pages = [example(seed, rule) for seed in range(60)]  # type: ignore[arg-type]
    untrained = fit(pages, replace(QUICK, epochs=1, learning_rate=0.0), [])
    network = fit(pages, QUICK, [])
    assert right(network, range(100, 130), rule) > 0.93
    assert right(untrained, range(100, 130), rule) < 0.8


def same(one: Network, other: Network) -> bool:
    pairs = zip(one.rounds, other.rounds, strict=True)
    return all(
        np.array_equal(a, b)
        for a, b in [
            *zip(one.first, other.first, strict=True),
            *zip(one.last, other.last, strict=True),
            *(pair for rounds in pairs for pair in zip(*rounds, strict=True)),
        ]
    )


def test_a_seed_gives_one_network_and_another_seed_another() -> None:
    pages = [example(seed, by_first) for seed in range(9)]
    settings = Settings(width=4, epochs=2, batch_size=3)
    assert same(fit(pages, settings, [[0], [1, 2]]), fit(pages, settings, [[0], [1, 2]]))
    assert not same(fit(pages, settings, []), fit(pages, replace(settings, seed=2), []))


def test_a_group_of_features_that_is_always_left_out_is_not_learned_from() -> None:
    pages = [example(seed, by_first) for seed in range(30)]
    deaf = fit(pages, replace(QUICK, epochs=5, feature_dropout=1.0), [[0]])
    assert right(deaf, range(100, 120), by_first) < 0.8


def test_pages_that_are_no_articles_teach_as_much_as_they_count() -> None:
    def not_the_first(features: np.ndarray) -> np.ndarray:
        return ~by_first(features)

    pages = [example(seed, by_first) for seed in range(30)]
    against = [example(seed, not_the_first, kind="service") for seed in range(30, 90)]
    alone = fit([*pages, *against], replace(QUICK, kind_weights=()), [])
    outvoted = fit([*pages, *against], replace(QUICK, kind_weights=(("service", 1.0),)), [])
    assert right(alone, range(100, 120), by_first) > 0.9
    assert right(outvoted, range(100, 120), by_first) < 0.5


def test_what_a_collection_of_another_convention_teaches_of_it_stays_with_that_collection() -> None:
    def either(features: np.ndarray) -> np.ndarray:
        """The other convention: blocks of a second kind are part of the text, too."""
        return by_first(features) | (features[:, 3] > 0)

    pages = [example(seed, by_first) for seed in range(40)]
    others = [example(seed, either, "snow") for seed in range(40, 120)]
    apart = fit([*pages, *others], replace(QUICK, conventions=("snow",)), [])
    mixed = fit([*pages, *others], replace(QUICK, conventions=()), [])
    assert len(apart.first[0]) == len(mixed.first[0]) == pages[0].features.shape[1]
    assert right(apart, range(200, 230), by_first) > right(mixed, range(200, 230), by_first) + 0.1


def test_each_epoch_is_reported() -> None:
    epochs: list[int] = []
    pages = [example(seed, by_first) for seed in range(5)]
    fit(pages, replace(QUICK, epochs=3), [], lambda: epochs.append(1))
    assert len(epochs) == 3


def test_the_learning_rate_rises_then_falls_to_nothing() -> None:
    optimizer = AdamW(
        initial_weights(2, 1, 2, np.random.default_rng(0)), Settings(warm_up=0.2), steps=50
    )
    rates = []
    for done in range(51):
        optimizer.done = done
        rates.append(optimizer.learning_rate())
    top = int(np.argmax(rates))
    assert 0 < top < 25
    assert rates[:top] == sorted(rates[:top])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert rates[top] == pytest.approx(Settings().learning_rate)
    assert rates[-1] == pytest.approx(0)


def test_the_groups_that_are_left_out_at_times_are_columns_of_features_that_are_used() -> None:
    features = [name for names in features_by_group().values() for name in names]
    groups = dropout_columns(features)
    columns = [column for group in groups for column in group]
    assert len(columns) == len(set(columns))
    left_out = {features[column] for column in columns}
    assert {"in JSON-LD body", "mss", "tree", "content any", "words 1", "headline"} <= left_out
    assert "words" not in left_out


def test_training_goes_on_from_a_network() -> None:
    pages = [example(seed, by_first) for seed in range(60)]
    before = fit(pages, QUICK, [])
    settings = replace(QUICK, epochs=1, learning_rate=0.0)
    assert same(fit(pages, settings, [], start=before), before)
    after = fit(pages, replace(QUICK, epochs=1, learning_rate=1e-4), [], start=before)
    assert not same(after, before)
    assert right(after, range(100, 130), by_first) > 0.93


def test_continued_networks_are_averaged_and_the_earlier_one_keeps_its_part() -> None:
    pages = [example(seed, by_first) for seed in range(60)]
    before, one, two = (fit(pages, replace(QUICK, epochs=1, seed=seed), []) for seed in (1, 2, 3))
    one, two = (replace(network, mean=before.mean, scale=before.scale) for network in (one, two))
    mixed = mean_network([one, two], before, 0.75)
    assert mixed.first[0] == pytest.approx(
        0.375 * (one.first[0] + two.first[0]) + 0.25 * before.first[0], abs=1e-6
    )
    assert same(mean_network([one, one], before, 1.0), one)


def test_a_new_collection_teaches_running_text_and_leaves_headings_as_they_were() -> None:
    def nothing(features: np.ndarray) -> np.ndarray:
        return np.zeros(len(features), dtype=bool)

    network = fit([example(seed, by_first) for seed in range(60)], QUICK, [])
    new, known = (example(70, nothing, collection) for collection in ("daniel", "rain"))
    new.beside[:3] = True
    said = network(new.features, new.words, new.ranges)
    of_new, of_known = continued_targets([new, known], Settings(), network)
    assert of_new == pytest.approx([*said[:3], *[0.0] * (len(said) - 3)])
    assert of_known == pytest.approx(said / 2)
