"""Why each block was taken or left."""

from pathlib import Path

import pytest

from newsclean import Neighborhood
from newsclean.methods.hybrid import explain
from newsclean.methods.hybrid.network import Model
from newsclean.page import Page

from .networks import model_file, network_that_takes

LONG = "It has rained for nine days, and the river there is now as high as it ever was before."
FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."


@pytest.fixture(autouse=True)
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    takes = network_that_takes("in p")
    file = model_file(tmp_path / "model.npz", takes, takes, [])
    monkeypatch.setattr(Model, "shipped", lambda: file)


def story(town: str) -> str:
    return f"<div>Menu of {town}</div><p>In {town}: {LONG}</p><p>{FOOTER}"


def test_a_reason_names_the_evidence_that_moved_the_network() -> None:
    menu, text, _ = explain(Page.from_html(story("Oslo")))
    assert (menu.chosen, text.chosen) == (False, True)
    assert [kind for kind, _ in text.moved] == ["shallow"]  # which tags are around a block
    assert text.moved[0][1] > 0
    assert menu.moved == ()
    assert "shallow +" in str(text)


def test_a_reason_names_the_words_of_a_doubtful_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsure = network_that_takes("in p", sure=0.1)
    file = model_file(tmp_path / "words.npz", unsure, unsure, [], {"subscribe": -9.0})
    monkeypatch.setattr(Model, "shipped", lambda: file)
    text, offer = explain(Page.from_html(f"<p>{LONG}</p><p>Please subscribe to all of our news."))
    assert (text.chosen, offer.chosen) == (True, False)
    assert dict(offer.moved)["words"] < 0
    assert "words" not in dict(text.moved)


def test_a_reason_tells_what_the_neighbors_repeat() -> None:
    hood = Neighborhood()
    for town in ("Moss", "Hamar"):
        hood.learn(story(town), f"https://example.org/{town}")
    page = Page.from_html(story("Oslo"))
    _, text, footer = explain(page, hood.ask(page, "https://example.org/Oslo"))
    assert text.chosen
    assert text.neighbors == ""
    assert not footer.chosen
    assert "2 of 2 neighbors" in str(footer)


def test_a_page_without_text_needs_no_reasons() -> None:
    assert explain(Page.from_html("<img src=/a.jpg>")) == []
