"""`newsclean train --ablate`: what each group of features, each collection is worth."""

from pathlib import Path
from typing import Any

import pytest

from newsclean.lab.folds import FOLDS
from newsclean.lab.training import run as training
from newsclean.lab.training.fit import fit
from newsclean.methods.hybrid.features import FEATURE_GROUPS
from newsclean.methods.hybrid.network import Network
from tests.cli.pages import run

from .training_corpora import QUICK, InProcess, write_corpus

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"), collections=("rain", "snow"))


def test_ablation_has_a_row_for_each_group_of_features_and_writes_nothing(
    capsys: Capture, tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("--epochs", 1, "--width", 2, "--collections", "rain", "--ablate", "--folds", 2)
    done = run(capsys, "train", corpus, *options)
    assert done.code == 0
    table = done.out[done.out.index("word F1") :]
    for row in ("everything", *(f"without {group}" for group in FEATURE_GROUPS)):
        assert table.count(row) == 1, row
    assert list(tmp_path.iterdir()) == []


def test_ablation_leaves_out_the_groups_that_are_named_each_collection_and_each_made_page(
    capsys: Capture, corpus: Path
) -> None:
    options = ("--epochs", 1, "--width", 2, "--ablate", "replies", "--folds", 1)
    made = ("--augment", "no names, old tags", "--augmented", 6)
    done = run(capsys, "train", corpus, *options, *made)
    assert done.code == 0
    table = done.out[done.out.index("word F1") :].replace("\n", " ")
    left_out = ("replies", "rain", "snow", "augmented: no names", "augmented: old tags")
    assert table.count("without") == len(left_out)
    assert "seconds of training" in table
    done = run(capsys, "train", corpus, "--ablate", "thunder")
    assert (done.code, "'thunder'" in done.err) == (2, True)
    done = run(capsys, "train", corpus, "--ablate", "--folds", FOLDS + 1)
    assert (done.code, f"there are {FOLDS}" in done.err) == (2, True)


def test_an_ablation_that_was_stopped_goes_on_where_it_was(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus: Path
) -> None:
    fits: list[int] = []

    def stopped(*given: Any) -> Network:
        if len(fits) == 3:
            raise KeyboardInterrupt
        fits.append(1)
        return fit(*given)

    def counted(*given: Any) -> Network:
        fits.append(1)
        return fit(*given)

    monkeypatch.setattr(training, "ProcessPoolExecutor", InProcess)
    monkeypatch.setattr(training, "fit", stopped)
    options = ("--ablate", "replies", "--folds", 1, "--cache", tmp_path / "cache")
    assert run(capsys, "train", corpus, *QUICK, *options).code != 0
    monkeypatch.setattr(training, "fit", counted)
    done = run(capsys, "train", corpus, *QUICK, *options)
    assert done.code == 0
    assert len(fits) == 4  # everything, without replies, without rain; without snow
