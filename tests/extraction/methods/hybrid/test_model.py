"""Model files: what is written comes back, and what is none is refused."""

import time
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from newsclean import extract
from newsclean.extraction.methods import method_named
from newsclean.extraction.methods.hybrid import Model, ModelError, read_model, write_model
from newsclean.extraction.methods.hybrid.features import FEATURE_GROUPS
from newsclean.extraction.methods.hybrid.network import Vocabulary

from .networks import model_that_takes, random_network

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
