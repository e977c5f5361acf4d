"""What a training keeps on disk."""

from pathlib import Path

import pytest

from newsclean.lab.training.cache import TrainingCache
from newsclean.lab.training.fit import fit
from newsclean.lab.training.settings import Settings
from newsclean.methods.hybrid.network import Network

from .synthetic import by_first, example

NAMES = [f"feature {number}" for number in range(4)]
PAGES = [example(seed, by_first) for seed in range(4)]


def test_the_time_of_teachers_is_not_the_time_of_the_network_they_teach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("newsclean.lab.training.cache.time.perf_counter", lambda: now[0])
    kept = TrainingCache(tmp_path)

    def teacher() -> Network:
        now[0] += 100
        return fit(PAGES, Settings(width=2, epochs=1), [])

    def taught() -> Network:
        assert kept.network(NAMES, ["teacher"], teacher)[1] == 100
        now[0] += 7
        return fit(PAGES, Settings(width=2, epochs=1), [])

    assert kept.network(NAMES, ["taught"], taught)[1] == 7
    assert kept.network(NAMES, ["taught"], teacher)[1] == 7  # and nothing is trained again
    assert now == [107]
