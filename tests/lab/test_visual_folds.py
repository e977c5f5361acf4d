"""No page is judged by a network of `visual` that has seen its publisher, or the reader is told."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from newsclean.extraction.methods.visual.classifier import (
    FEATURES,
    Network,
    read_network,
    write_networks,
)
from newsclean.lab import folds
from newsclean.lab.evaluate.systems import System, cross_validation_warning
from newsclean.lab.folds import fold_of, mark_of, unseen_network

SEEN, UNSEEN = "times.com", "gazette.com"


def network(mean: float) -> Network:
    """One that says nothing, known by its mean."""
    sizes = (len(FEATURES), 2, 2, 3)
    layers = tuple((np.zeros(pair), np.zeros(pair[1])) for pair in pairwise(sizes))
    return Network(np.full(len(FEATURES), mean), np.ones(len(FEATURES)), layers)


@pytest.fixture(autouse=True)
def networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = {"sites": [mark_of(SEEN)]}
    write_networks(tmp_path / "network.npz", {"": network(9)}, card)
    write_networks(tmp_path / "visual_folds.npz", {str(k): network(k) for k in range(5)}, card)
    use = read_network(tmp_path / "network.npz")
    read = read_network
    monkeypatch.setattr(folds, "NETWORKS_FILE", tmp_path / "visual_folds.npz")
    monkeypatch.setattr(folds, "read_network", lambda *given: read(*given) if given else use)


def test_a_seen_site_is_judged_by_the_network_of_its_fold() -> None:
    assert unseen_network(SEEN).mean[0] == fold_of(SEEN)
    assert unseen_network(UNSEEN).mean[0] == 9


def test_with_networks_of_the_folds_there_is_nothing_to_warn_of() -> None:
    assert cross_validation_warning([System("visual")], [SEEN]) is None


def test_without_them_the_reader_is_told_of_visual_and_of_chains_with_it() -> None:
    folds.NETWORKS_FILE.unlink()
    systems = [System("visual"), System("stadynot+visual:paper"), System("coreex")]
    warning = cross_validation_warning(systems, [SEEN, UNSEEN]) or ""
    assert warning.startswith("visual, stadynot+visual:paper: not cross-validated")
    assert "the network was trained on the sites of 1 of these 2 pages" in warning
    assert "visual_folds.npz" in warning
    assert cross_validation_warning([System("coreex")], [SEEN]) is None
    assert unseen_network(SEEN).mean[0] == 9


def test_networks_of_another_training_do_not_count(tmp_path: Path) -> None:
    write_networks(tmp_path / "other.npz", {"0": network(0)}, {"sites": []})
    (tmp_path / "other.npz").replace(folds.NETWORKS_FILE)
    read_network.cache_clear()
    assert "not cross-validated" in (cross_validation_warning([System("visual")], [SEEN]) or "")
