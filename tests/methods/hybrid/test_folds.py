"""No page is judged by a network that has seen its publisher."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.evaluate.corpus import Gold
from newsclean.evaluate.neighbors import Count
from newsclean.evaluate.scoring import Task, score_page
from newsclean.evaluate.systems import System
from newsclean.methods.hybrid.folds import FOLDS, fold_of, mark_of, publisher, unseen_fold
from newsclean.methods.hybrid.network import Model

from .networks import model_file, network_that_takes

SEEN, UNSEEN = "times.com", "gazette.com"
IN_PARAGRAPH = "It has rained for nine days, and the river is as high as it ever was. " * 2
IN_CELL = "Shares fell by a tenth on Monday, the largest loss that anybody remembers. " * 2


@pytest.fixture(autouse=True)
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network for use takes paragraphs, those of the folds take cells."""
    use, folds = network_that_takes("in p"), network_that_takes("in cell")
    file = model_file(tmp_path / "model.npz", use, folds, [mark_of(SEEN)])
    monkeypatch.setattr(Model, "shipped", lambda: file)


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


def test_a_seen_site_has_the_fold_that_was_trained_without_it() -> None:
    assert unseen_fold(SEEN) == fold_of(SEEN)
    assert unseen_fold("times-2005") == fold_of(SEEN)


def test_an_unseen_site_may_be_judged_by_the_network_for_use() -> None:
    assert unseen_fold(UNSEEN) is None


@pytest.mark.parametrize(
    ("site", "text"), [(SEEN, IN_CELL), (UNSEEN, IN_PARAGRAPH)], ids=["seen", "unseen"]
)
@pytest.mark.parametrize("neighbors", [None, "all"])
def test_evaluation_asks_the_network_that_has_not_seen_the_site(
    tmp_path: Path, site: str, text: str, neighbors: Count | None
) -> None:
    path = tmp_path / "page.html"
    path.write_text(f"<p>{IN_PARAGRAPH}</p><table><tr><td>{IN_CELL}</td></tr></table>")
    gold = Gold(collection="rain", id="page", site=site, text=text, path=path, line=1)
    task = Task(gold, (), {System("hybrid", neighbors=neighbors): ""}, "batch")
    (score,) = score_page(task).scores
    assert score.error is None
    assert score.words.f1 == 1
