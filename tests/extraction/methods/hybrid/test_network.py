"""The network, the vocabulary and the files of models."""

import time
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from newsclean import extract
from newsclean.extraction.methods.hybrid import network
from newsclean.extraction.methods.hybrid.features import FEATURE_GROUPS
from newsclean.extraction.methods.hybrid.network import (
    CLIP,
    MAX_WEIGHT,
    MIN_WORDS,
    ROUNDS,
    Model,
    ModelError,
    Network,
    Vocabulary,
    read_model,
    write_model,
)
from newsclean.extraction.methods.registry import method_named

from .networks import model_that_takes, random_network

Floats = NDArray[np.float64]
Branches = list[tuple[NDArray[np.int64], NDArray[np.int64]]]


def naive(weights: Network, values: Floats, words: Floats, branches: Branches) -> Floats:
    """The same by its definition, a block at a time."""
    n = len(values)
    weight = [min(word, MAX_WEIGHT) for word in words.tolist()]
    hidden = []
    for row in values:
        scaled = [
            min(max((value - mean) * scale, -CLIP), CLIP)
            for value, mean, scale in zip(row, weights.mean, weights.scale, strict=True)
        ]
        hidden.append(np.maximum(scaled @ weights.first[0].astype(float) + weights.first[1], 0))

    def mean_of(blocks: range) -> Floats:
        total = sum((weight[block] * hidden[block] for block in blocks), np.zeros_like(hidden[0]))
        result: Floats = total / sum(weight[block] for block in blocks)
        return result

    for (reach, apart), (context_weights, page, bias) in zip(ROUNDS, weights.rounds, strict=True):
        after = []
        for block in range(n):
            parts = []
            for step in range(-reach, reach + 1):
                other = block + step * apart
                parts.append(hidden[other] if 0 <= other < n else np.zeros_like(hidden[0]))
            parts += [mean_of(range(low[block], high[block])) for low, high in branches]
            message = np.concatenate(parts) @ context_weights.astype(float)
            message = message + mean_of(range(n)) @ page.astype(float) + bias
            after.append(hidden[block] + np.maximum(message, 0))
        hidden = after
    logits = [float(state @ weights.last[0].astype(float) + weights.last[1][0]) for state in hidden]
    probability: Floats = 1 / (1 + np.exp(-np.clip(np.array(logits), -30, 30)))
    return probability


def some_page(seed: int, n: int) -> tuple[NDArray[np.float32], Floats, Branches]:
    random = np.random.default_rng(seed)
    values = (random.normal(size=(n, 4)) * 3).astype(np.float32)
    words = random.integers(1, 400, n).astype(float)
    place = np.arange(n)
    low = np.maximum(place - random.integers(0, 3, n), 0)
    high = np.minimum(place + 1 + random.integers(0, 3, n), n)
    return values, words, [(low, high), (np.zeros(n, dtype=np.int64), np.full(n, n))]


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_it_computes_what_its_definition_says(seed: int, n: int) -> None:
    some = random_network(seed)
    values, words, branches = some_page(seed, n)
    expected = naive(some, values.astype(float), words, branches)
    assert some(values, words, branches) == pytest.approx(expected, abs=2e-4)


def test_a_page_of_many_blocks_is_computed_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = random_network(2)
    page = some_page(2, 40)
    whole = computed(*page)
    monkeypatch.setattr(network, "PIECE", 60)
    assert computed(*page) == pytest.approx(whole, abs=1e-5)


def test_a_block_depends_on_blocks_far_away() -> None:
    some = random_network(5)
    values, words, branches = some_page(5, 30)
    before = some(values, words, branches)
    values[29] += 2
    assert some(values, words, branches)[0] != before[0]


def test_extreme_features_gives_a_probability_all_the_same() -> None:
    values, words, branches = some_page(1, 6)
    values[2], values[3] = 1e30, -1e30
    probability = random_network(1)(values, words, branches)
    assert np.isfinite(probability).all()
    assert ((probability >= 0) & (probability <= 1)).all()


VOCABULARY = Vocabulary({"said": 3.0, "subscribe": -3.0})
OFFER, STORY = "Subscribe to it now, today", "It rains, he said on Monday"
FOREIGN = "Det regner her i dag"


def adjusted(probability: float, text: str, words: int = 9) -> float:
    return float(VOCABULARY.adjusted(np.array([probability]), np.array([float(words)]), [text])[0])


def test_words_decide_where_the_network_is_in_doubt() -> None:
    assert adjusted(0.55, OFFER) < 0.5 < adjusted(0.45, STORY)


@pytest.mark.parametrize("sure", [0.0, 0.1, 0.9, 1.0])
def test_where_the_network_is_sure_words_change_nothing(sure: float) -> None:
    assert adjusted(sure, OFFER) == adjusted(sure, STORY) == sure


def test_words_that_are_not_known_change_nothing() -> None:
    assert adjusted(0.55, FOREIGN) == pytest.approx(0.55)


def test_a_few_words_say_too_little() -> None:
    assert adjusted(0.55, OFFER, MIN_WORDS - 1) == 0.55


def test_a_word_counts_once_and_in_any_case() -> None:
    assert VOCABULARY("SUBSCRIBE and subscribe") == VOCABULARY("subscribe and")


def test_without_a_vocabulary_the_network_has_the_last_word() -> None:
    probability = np.array([0.55])
    assert (Vocabulary({}).adjusted(probability, np.array([9.0]), [OFFER]) == probability).all()


@given(st.floats(0, 1), st.text())
def test_what_comes_out_is_a_probability(probability: float, text: str) -> None:
    assert 0 <= adjusted(probability, text) <= 1


LONG = "It has rained for nine days, and the river there is now as high as it ever was before."
BOTH = f"<p>{LONG} In a paragraph.</p><table><tr><td>{LONG} In a cell.</table>"
CARD = {"sites": [3, 7], "pages": {"rain": 12}, "f1": {"rain": 0.97}}


def small(seed: int, weight: float) -> Model:
    names = [f"feature {number}" for number in range(4)]
    return Model(names, random_network(seed), Vocabulary({"rain": weight}))


def write(path: Path) -> Path:
    write_model(path, {"0": small(2, 0.25), "3": small(3, 0.5)}, CARD)
    return path


def test_models_come_back_from_a_file_as_they_were(tmp_path: Path) -> None:
    path = write(tmp_path / "folds.npz")
    for name, written in (("0", small(2, 0.25)), ("3", small(3, 0.5))):
        read = read_model(path, name)
        assert read.feature_names == written.feature_names
        assert read.vocabulary.weights == written.vocabulary.weights
        assert (read.network.mean == written.network.mean).all()
        assert (read.network.rounds[1][0] == written.network.rounds[1][0]).all()
        assert (read.card, read.path) == (CARD, path)


def test_models_of_different_weights_have_different_fingerprints(tmp_path: Path) -> None:
    path = write(tmp_path / "folds.npz")
    again = write(tmp_path / "again.npz")
    assert read_model(path, "0").fingerprint == read_model(again, "0").fingerprint
    assert read_model(path, "0").fingerprint != read_model(path, "3").fingerprint


def test_the_same_models_give_the_same_bytes_on_another_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = write(tmp_path / "today.npz").read_bytes()
    later = time.time() + 1e8
    monkeypatch.setattr(time, "time", lambda: later)
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(later))
    assert write(tmp_path / "later.npz").read_bytes() == today


def test_a_file_that_was_written_again_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    write_model(path, {"": model_that_takes("in p")}, {})
    assert extract(BOTH, model=path).body == f"{LONG} In a paragraph."
    write_model(path, {"": model_that_takes("in cell")}, {"note": "another size"})
    assert extract(BOTH, model=path).body == f"{LONG} In a cell."


@pytest.mark.parametrize("contents", [b"", b"not a model", b"PK\x03\x04 broken"])
def test_a_file_that_is_no_model_is_refused_by_its_name(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "page.npz"
    path.write_bytes(contents)
    with pytest.raises(ModelError, match=r"page\.npz is not a model of newsclean"):
        method_named("hybrid", path)


def test_an_archive_of_other_arrays_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", rain=np.zeros(3))
    with pytest.raises(ModelError, match=r"other\.npz is not a model of newsclean: it has no"):
        extract(BOTH, model=tmp_path / "other.npz")


def test_a_model_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.npz cannot be read: No such file"):
        extract(BOTH, model=str(tmp_path / "none.npz"))


def test_a_model_of_other_features_is_refused(tmp_path: Path) -> None:
    write_model(tmp_path / "old.npz", {"": small(1, 0.0)}, {})
    with pytest.raises(ModelError, match=r"old\.npz was trained on other features"):
        extract(BOTH, model=tmp_path / "old.npz")


def test_of_a_model_of_some_groups_the_others_are_not_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_that_takes("in p", groups=["shallow", "page", "tree"])
    write_model(tmp_path / "few.npz", {"": model}, {})
    extract(BOTH)  # features are named by asking each group once
    method_named("hybrid", tmp_path / "few.npz")
    for group in ("names", "replies"):
        monkeypatch.setitem(FEATURE_GROUPS, group, lambda context: pytest.fail("not asked for"))
    assert extract(BOTH, model=tmp_path / "few.npz").body == f"{LONG} In a paragraph."


def test_the_open_model_is_taken_by_its_name_and_has_seen_no_page_under_another_licence() -> None:
    free = read_model("open")
    restricted = {"big9", "cleanportal", "dragnet", "htmltotext"}
    assert restricted <= set(read_model().card["pages"])
    assert not restricted & set(free.card["pages"])
    assert method_named("hybrid", "open").model == free.fingerprint != read_model().fingerprint
    assert LONG in extract(BOTH, model="open").body


def test_a_file_that_is_named_as_a_model_is_can_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "open").open("wb") as file:
        write_model(file, {"": model_that_takes("in cell")}, {})  # type: ignore[arg-type]
    for path in ("./open", Path("open")):
        assert extract(BOTH, model=path).body == f"{LONG} In a cell."


@pytest.mark.parametrize("name", ["model.npz", "open.npz"])
def test_the_models_that_come_with_newsclean_are_small(name: str) -> None:
    assert files("newsclean.extraction.methods.hybrid").joinpath(name).stat().st_size < 300_000  # type: ignore[attr-defined]


def test_a_method_without_a_network_takes_no_model(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'coreex' uses no model"):
        extract(BOTH, method="coreex", model=tmp_path / "model.npz")
