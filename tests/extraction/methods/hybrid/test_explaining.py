"""Why each block was taken or left."""

from newsclean import Neighborhood
from newsclean.extraction.methods.chain import Evidence, Method
from newsclean.extraction.methods.hybrid.explaining import Reason, explain
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page

from .networks import model_that_takes

LONG = "It has rained for nine days, and the river there is now as high as it ever was before."
FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."


PARAGRAPHS = method_named("hybrid", model_that_takes("in p"))


def explained(html: str, method: Method = PARAGRAPHS) -> list[Reason]:
    page = Page.from_html(html)
    return explain(page, Evidence(method.score_blocks(page)))


def story(town: str) -> str:
    return f"<div>Menu of {town}</div><p>In {town}: {LONG}</p><p>{FOOTER}"


def test_a_reason_names_the_features_that_moved_the_network() -> None:
    menu, text, _ = explained(story("Oslo"))
    assert (menu.chosen, text.chosen) == (False, True)
    assert [kind for kind, _ in text.moved] == ["shallow"]  # which tags are around a block
    assert text.moved[0][1] > 0
    assert menu.moved == ()
    assert "shallow +" in str(text)


def test_a_reason_names_the_words_of_a_doubtful_block() -> None:
    unsure = method_named("hybrid", model_that_takes("in p", 0.1, {"subscribe": -9.0}))
    text, offer = explained(f"<p>{LONG}</p><p>Please subscribe to all of our news.", unsure)
    assert (text.chosen, offer.chosen) == (True, False)
    assert dict(offer.moved)["words"] < 0
    assert "words" not in dict(text.moved)


def test_a_reason_tells_what_the_neighbors_repeat() -> None:
    hood = Neighborhood(PARAGRAPHS)
    for town in ("Moss", "Hamar"):
        hood.learn(story(town), f"https://example.org/{town}")
    page = Page.from_html(story("Oslo"))
    _, text, footer = explain(page, hood.evidence_on(page, "https://example.org/Oslo"))
    assert text.chosen
    assert text.neighbors == ""
    assert not footer.chosen
    assert "2 of 2 neighbors" in str(footer)


def test_a_page_without_text_needs_no_reasons() -> None:
    assert explained("<img src=/a.jpg>") == []
