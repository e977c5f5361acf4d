"""No page is judged by a model that has seen its publisher."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from newsclean.extraction.methods.hybrid.network import SHIPPED, read_model
from newsclean.lab import folds
from newsclean.lab.evaluate import systems as systems_module
from newsclean.lab.evaluate.corpus import Gold, read_page
from newsclean.lab.evaluate.page_explanation import explain_page
from newsclean.lab.evaluate.page_scores import Task, score_page
from newsclean.lab.evaluate.systems import Count, System
from newsclean.lab.folds import (
    FOLDS,
    FOLDS_FILE,
    fold_of,
    has_fold_models,
    mark_of,
    method_for,
    not_cross_validated,
    publisher,
    unseen_model,
)
from tests.extraction.methods.hybrid.networks import model_that_takes

from .models import replace_models

SEEN, UNSEEN = "times.com", "gazette.com"
IN_PARAGRAPH = "It has rained for nine days, and the river is as high as it ever was. " * 2
IN_CELL = "Shares fell by a tenth on Monday, the largest loss that anybody remembers. " * 2


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model for use takes paragraphs, those of the folds take cells."""
    replace_models(monkeypatch, tmp_path, model_that_takes("in p"), "in cell", SEEN)


def fingerprint_of_fold(fold: int) -> str:
    return read_model(folds.FOLDS_FILE, str(fold)).fingerprint


@pytest.mark.parametrize(
    "sites",
    [
        ("rain", "rain.co.uk_news", "www.rain.com", "rain-2005", "uk-Rain"),
        ("eveningsun.com_blog1", "eveningsun.com_blog2", "us-EveningSun"),
        ("one.example.org", "another.example.org", "example.com"),
        ("anzeiger", "de-Anzeiger", "anzeiger.de", "anzeiger_2019"),
        ("observer", "uk-observer", "observer.co.uk", "Observer-2011"),
        ("courier", "ind-Courier", "in-Courier", "courier.co.in", "ind-Courier-2005"),
    ],
)
def test_sites_of_one_publisher_are_kept_together(sites: tuple[str, ...]) -> None:
    assert len({publisher(site) for site in sites}) == 1
    assert len({fold_of(site) for site in sites}) == 1
    assert len({mark_of(site) for site in sites}) == 1


def test_a_host_keeps_what_only_looks_like_a_country() -> None:
    assert publisher("my-courier.org") != publisher("courier.org")


def test_different_publishers_are_told_apart() -> None:
    assert len({mark_of(site) for site in ("rain", "anzeiger.de", "observer", "2005", "")}) == 5


@given(st.text())
def test_any_name_has_a_fold(site: str) -> None:
    assert fold_of(site) in range(FOLDS)


def test_a_seen_site_has_the_model_of_the_fold_that_was_trained_without_it() -> None:
    assert len({fingerprint_of_fold(fold) for fold in range(FOLDS)}) == FOLDS
    for site in (SEEN, "times-2005"):
        model = unseen_model(site)
        assert model is not None
        assert model.fingerprint == fingerprint_of_fold(fold_of(SEEN))
        assert method_for("hybrid", site).model == model.fingerprint


def test_an_unseen_site_may_be_judged_by_the_model_for_use() -> None:
    assert unseen_model(UNSEEN) is None
    assert method_for("hybrid", UNSEEN).model == read_model().fingerprint


def test_a_method_without_a_model_is_the_same_for_all_sites() -> None:
    assert method_for("stadynot+coreex", SEEN) == method_for("stadynot+coreex", UNSEEN)
    assert method_for("stadynot+coreex", SEEN).model is None


def test_without_models_of_folds_the_model_for_use_judges_and_the_reader_is_told() -> None:
    assert not_cross_validated([SEEN, UNSEEN]) is None
    folds.FOLDS_FILE.unlink()
    assert not has_fold_models()
    assert unseen_model(SEEN) is None
    assert method_for("hybrid", SEEN).model == read_model().fingerprint
    assert "trained on the sites of 1 of these 2 pages" in (
        not_cross_validated([SEEN, UNSEEN]) or ""
    )


def test_the_repository_has_a_model_for_each_fold_beside_the_shipped_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    assert folds.FOLDS_FILE == FOLDS_FILE
    use = read_model()
    assert use.path == SHIPPED
    for fold in range(FOLDS):
        model = read_model(FOLDS_FILE, str(fold))
        assert model.feature_names == use.feature_names
        assert model.vocabulary.weights.keys() == use.vocabulary.weights.keys()
        assert model.card["sites"] == use.card["sites"]
    with np.load(SHIPPED) as file:
        assert not [name for name in file.files if name[0].isdigit()]


@pytest.mark.parametrize(
    ("site", "text"), [(SEEN, IN_CELL), (UNSEEN, IN_PARAGRAPH)], ids=["seen", "unseen"]
)
@pytest.mark.parametrize("neighbors", [None, "all"])
def test_evaluation_uses_the_model_that_has_not_seen_the_site(
    tmp_path: Path, site: str, text: str, neighbors: Count | None
) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<p>{IN_PARAGRAPH}</p><table><tr><td>{IN_CELL}</td></tr></table>")
    gold = Gold(collection="rain", id="page", site=site, text=text, path=path, line=1)
    task = Task(gold, (), (System("hybrid", neighbors=neighbors),))
    (score,) = score_page(task).scores
    assert score.error is None
    assert score.words.f1 == 1


def test_pages_of_a_site_share_what_its_model_made_of_their_neighbors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    golds = []
    for town in ("Oslo", "Bergen", "Moss"):
        path = tmp_path / f"{town}.html"
        text = f"In {town} {IN_CELL}Nobody in {town} had seen it coming, and few will say so."
        path.write_text(f"<p>{IN_PARAGRAPH}</p><table><tr><td>{text}</td></tr></table>")
        golds.append(Gold("rain", town, SEEN, text, path, 1))
    reads: list[Path] = []

    def watched(path: Path) -> bytes:
        reads.append(path)
        return read_page(path)

    monkeypatch.setattr(systems_module, "read_page", watched)
    for gold in golds:
        others = tuple(other for other in golds if other is not gold)
        (score,) = score_page(Task(gold, others, (System("hybrid", neighbors="all"),))).scores
        assert (score.error, score.found, score.words.f1) == (None, 2, 1)
    assert sorted(reads) == sorted(gold.path for gold in golds)


def test_an_explained_page_was_judged_by_the_model_that_has_not_seen_its_site(
    tmp_path: Path,
) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<p>{IN_PARAGRAPH}</p><table><tr><td>{IN_CELL}</td></tr></table>")
    for site, text in ((SEEN, IN_CELL), (UNSEEN, IN_PARAGRAPH)):
        printed = StringIO()
        console = Console(file=printed, width=200)
        explain_page(console, Gold("rain", "page", site, text, path, 1), (), System("hybrid"))
        assert "words       P 1.000  R 1.000  F1 1.000" in printed.getvalue()
