"""`newsclean train hybrid`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.decision import score_blocks
from newsclean.extraction.methods.hybrid.features import block_features
from newsclean.extraction.methods.hybrid.network import Network, read_model
from newsclean.extraction.page import Page
from newsclean.lab.folds import FOLDS, fold_of, mark_of
from newsclean.lab.training import hybrid_training as training
from newsclean.lab.training.fit import fit
from tests.cli.pages import run

from .training_corpora import QUICK, SITES, InProcess, page, write_corpus

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert len({fold_of(site) for site in SITES}) > 2
    return write_corpus(tmp_path_factory.mktemp("corpus"), collections=("rain", "snow"))


def test_it_writes_models_that_load_and_score(
    capsys: Capture, tmp_path: Path, corpus: Path
) -> None:
    path = tmp_path / "model.npz"
    done = run(capsys, "train", "hybrid", corpus, *QUICK, "--out", path)
    assert (done.code, done.err) == (0, "")
    folds = tmp_path / "folds.npz"
    assert f"written to {path}, the models of the folds to {folds}" in done.out.replace("\n", "")
    other = Page.from_html(page("mirror", 3)[0])
    names, _ = block_features(BlockContext(other))
    models = [read_model(path), *(read_model(folds, str(fold)) for fold in range(FOLDS))]
    of_their_own = {fold_of(site) for site in SITES}  # without a site, a fold is like all pages
    assert len({model.fingerprint for model in models}) == len(of_their_own) + 1
    for model in models:
        assert model.feature_names == names
        probability = score_blocks(other, model).network_probability
        assert len(probability) == len(other.blocks)
        assert ((probability > 0) & (probability < 1)).all()


def test_the_card_tells_the_pages_the_settings_and_the_figures(
    capsys: Capture, tmp_path: Path, corpus: Path
) -> None:
    path = tmp_path / "model.npz"
    done = run(capsys, "train", "hybrid", corpus, *QUICK, "--seed", 7, "--out", path)
    card = read_model(path).card
    assert card["pages"] == {"rain": 12, "snow": 12}
    assert card["settings"]["epochs"] == 2
    assert card["settings"]["seed"] == 7
    assert set(card["f1"]) == {"rain", "snow"}
    assert all(0 <= figure <= 1 for figure in card["f1"].values())
    assert all(f"{figure:.4f}" in done.out for figure in card["f1"].values())
    assert set(card["sites"]) == {mark_of(site) for site in SITES}
    assert not any(site in json.dumps(card) for site in SITES)


def test_pages_of_kinds_that_teach_the_same_are_trained_on(capsys: Capture, tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "corpus")
    gold = folder / "rain" / "gold.jsonl"
    lines = [json.loads(line) for line in gold.read_text("utf-8").splitlines()]
    for line, kind in zip(lines, ("service", "listing"), strict=False):
        line["kind"] = kind
    gold.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    path = tmp_path / "model.npz"
    assert run(capsys, "train", "hybrid", folder, *QUICK, "--out", path).code == 0
    assert read_model(path).card["pages"] == {"rain": 11}


def test_the_same_seed_writes_the_same_file(capsys: Capture, tmp_path: Path, corpus: Path) -> None:
    for name, seed, jobs in (("a", 1, 1), ("b", 1, 2), ("c", 2, 1)):
        options = ("--seed", seed, "--jobs", jobs, "--collections", "rain")
        files = ("--out", tmp_path / f"{name}.npz", "--folds-out", tmp_path / f"{name}-folds.npz")
        assert run(capsys, "train", "hybrid", corpus, *QUICK, *options, *files).code == 0
    a, b, c = (read_model(tmp_path / f"{name}.npz").network for name in "abc")
    assert np.array_equal(a.first[0], b.first[0])
    assert not np.array_equal(a.first[0], c.first[0])
    for end in (".npz", "-folds.npz"):
        assert (tmp_path / f"a{end}").read_bytes() == (tmp_path / f"b{end}").read_bytes()


def test_a_sample_is_trained_on_if_asked_for(capsys: Capture, tmp_path: Path, corpus: Path) -> None:
    path = tmp_path / "model.npz"
    run(capsys, "train", "hybrid", corpus, *QUICK, "--sample", 9, "--out", path)
    assert read_model(path).card["pages"] == {"rain": 9, "snow": 9}


def test_the_weights_of_collections_are_given_by_name(
    capsys: Capture, tmp_path: Path, corpus: Path
) -> None:
    path = tmp_path / "model.npz"
    options = ("--weights", "rain=0.5, snow=0", "--out", path)
    assert run(capsys, "train", "hybrid", corpus, *QUICK, *options).code == 0
    card = read_model(path).card
    assert {"rain": 0.5, "snow": 0.0}.items() <= dict(
        card["settings"]["collection_weights"]
    ).items()
    assert card["pages"] == {"rain": 12}
    for wrong, named in (("sleet=1", "'sleet'"), ("rain", "'rain'"), ("rain=-1", "'rain=-1'")):
        done = run(capsys, "train", "hybrid", corpus, *QUICK, "--weights", wrong)
        assert (done.code, named in done.err) == (2, True)


def test_a_model_distilled_from_others_is_another_one_and_says_so(
    capsys: Capture, tmp_path: Path, corpus: Path
) -> None:
    path, alone = tmp_path / "model.npz", tmp_path / "alone.npz"
    assert run(capsys, "train", "hybrid", corpus, *QUICK, "--distill", 2, "--out", path).code == 0
    assert run(capsys, "train", "hybrid", corpus, *QUICK, "--out", alone).code == 0
    assert read_model(path).card["settings"]["teachers"] == 2
    assert read_model(path).fingerprint != read_model(alone).fingerprint


def test_more_corpora_are_trained_on_by_the_same_command(
    capsys: Capture, tmp_path: Path, corpus: Path
) -> None:
    more = write_corpus(tmp_path / "more", collections=("hail",))
    path = tmp_path / "model.npz"
    assert run(capsys, "train", "hybrid", corpus, more, *QUICK, "--out", path).code == 0
    assert read_model(path).card["pages"] == {"rain": 12, "snow": 12, "hail": 12}
    again = write_corpus(tmp_path / "again", collections=("snow",))
    done = run(capsys, "train", "hybrid", corpus, again, *QUICK, "--out", path)
    assert (done.code, "'snow'" in done.err) == (2, True)


def test_a_training_goes_on_from_the_models_of_an_earlier_one(
    capsys: Capture, tmp_path: Path, corpus: Path
) -> None:
    first, folds, second = (tmp_path / name for name in ("first.npz", "folds.npz", "second.npz"))
    options = ("--leave-out", "wording", "--out", first, "--folds-out", folds)
    assert run(capsys, "train", "hybrid", corpus, *QUICK, *options).code == 0
    more = write_corpus(tmp_path / "more", collections=("hail",))
    start = ("--continue", first, folds, "--share", 0.5, "--epochs", 1, "--out", second)
    out = ("--folds-out", tmp_path / "second-folds.npz")
    assert run(capsys, "train", "hybrid", corpus, more, *start, *out).code == 0
    before, after = read_model(first), read_model(second)
    assert after.fingerprint != before.fingerprint
    assert after.feature_names == before.feature_names
    assert after.vocabulary.weights == before.vocabulary.weights
    assert after.card["continues"]["model"] == before.fingerprint
    assert after.card["settings"]["share"] == 0.5
    assert "hail" in after.card["pages"]
    done = run(capsys, "train", "hybrid", corpus, "--continue", first, out[1])
    assert (done.code, "two trainings" in done.err) == (2, True)
    done = run(capsys, "train", "hybrid", corpus, "--continue", first, folds, "--width", 4)
    assert (done.code, "--continue" in done.err) == (2, True)
    done = run(capsys, "train", "hybrid", corpus, "--share", 0.5)
    assert (done.code, "--share needs --continue" in done.err) == (2, True)


@pytest.mark.parametrize("share", ["0", "1.5", "nan", "half"])
def test_a_share_that_is_none_is_refused(capsys: Capture, corpus: Path, share: str) -> None:
    done = run(capsys, "train", "hybrid", corpus, "--share", share)
    assert (done.code, "--share" in done.err) == (2, True)


def test_a_collection_that_is_left_out_is_measured_and_not_trained_on(
    capsys: Capture, tmp_path: Path
) -> None:
    folder = write_corpus(tmp_path / "corpus")
    more = write_corpus(tmp_path / "more", ("mirror", "star"), ("hail",))
    path = tmp_path / "model.npz"
    done = run(capsys, "train", "hybrid", folder, more, *QUICK, "--without", "hail", "--out", path)
    assert done.code == 0
    card = read_model(path).card
    assert card["pages"] == {"rain": 12}
    assert set(card["f1"]) == {"rain", "hail"}
    assert set(card["sites"]) == {mark_of(site) for site in SITES}
    alone = tmp_path / "alone.npz"
    run(capsys, "train", "hybrid", folder, *QUICK, "--out", alone)
    assert read_model(alone).fingerprint == read_model(path).fingerprint
    done = run(capsys, "train", "hybrid", folder, *QUICK, "--without", "sleet")
    assert (done.code, "'sleet'" in done.err) == (2, True)


def test_a_group_of_features_that_is_left_out_is_not_trained_on(
    capsys: Capture, tmp_path: Path, corpus: Path
) -> None:
    path = tmp_path / "model.npz"
    options = ("--leave-out", "replies, second article", "--out", path)
    assert run(capsys, "train", "hybrid", corpus, *QUICK, *options).code == 0
    groups = training.features_by_group()
    left_out = {*groups.pop("replies"), *groups.pop("second article")}
    used = [name for names in groups.values() for name in names]
    assert left_out
    assert read_model(path).feature_names == used
    done = run(capsys, "train", "hybrid", corpus, *QUICK, "--leave-out", "thunder")
    assert (done.code, "'thunder'" in done.err) == (2, True)


def test_a_training_that_was_stopped_goes_on_where_it_was(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus: Path
) -> None:
    fits: list[int] = []

    def stopped(*given: Any) -> Network:
        if len(fits) == 2:
            raise KeyboardInterrupt
        fits.append(1)
        return fit(*given)

    monkeypatch.setattr(training, "ProcessPoolExecutor", InProcess)
    monkeypatch.setattr(training, "fit", stopped)
    command = (
        "train",
        "hybrid",
        corpus,
        *QUICK,
        "--cache",
        tmp_path / "cache",
        "--out",
        tmp_path / "a.npz",
    )
    assert run(capsys, *command).code != 0
    assert len(fits) == 2

    def counted(*given: Any) -> Network:
        fits.append(1)
        return fit(*given)

    monkeypatch.setattr(training, "fit", counted)
    assert run(capsys, *command).code == 0
    folds = {fold_of(site) for site in SITES}  # without a site, a fold is like all pages
    assert len(fits) == len(folds) + 1  # two of them before it was stopped
    assert run(capsys, "train", "hybrid", corpus, *QUICK, "--out", tmp_path / "b.npz").code == 0
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
