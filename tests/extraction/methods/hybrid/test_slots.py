"""Which slots of a site's template hold the article."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from newsclean import Neighborhood
from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page
from newsclean.extraction.page import slots as template_slots

from .networks import (
    SCRIPTED,
    model_that_takes,
    scripted_neighborhood,
    scripted_page,
    scripted_scores,
)

TOWNS = ("Bergen", "Oslo", "Moss", "Narvik")


def story(town: str, body: str = "body", paragraphs: int = 1) -> str:
    text = f"<p>It has rained in {town} for nine days, and the river of {town} is high."
    return (
        f"<div class=menu>Home of {town}</div>"
        f"<div class={body}>{text * paragraphs}</div>"
        f"<div class=side>More on {town} and other towns near it"
    )


def slots(html: str) -> list[int]:
    found: list[int] = BlockContext(Page.from_html(html)).slots.tolist()
    return found


def url(town: str) -> str:
    return f"https://example.org/{town}"


def learned(*towns: str) -> Neighborhood:
    hood = scripted_neighborhood()
    for town in towns:
        hood.learn(scripted_page(story(town), [0.1, 0.9, 0.2]), url(town))
    return hood


def verdicts(hood: Neighborhood, html: str, name: str) -> list[list[float]]:
    page = Page.from_html(html)
    neighbors = hood.evidence_on(page, name, method=SCRIPTED).neighbors
    assert neighbors is not None
    found: list[list[float]] = template_slots.neighbor_predictions(
        BlockContext(page).slots, neighbors.slots
    ).tolist()
    return found


def test_pages_of_one_template_have_the_same_slots() -> None:
    assert slots(story("Oslo")) == slots(story("Moss"))
    assert len(set(slots(story("Oslo")))) == 3


def test_paragraphs_beside_each_other_stand_in_one_slot() -> None:
    menu, first, *more, side = slots(story("Oslo", paragraphs=4))
    assert more == [first] * 3
    assert [menu, first, side] == slots(story("Oslo"))


def test_another_class_on_the_way_is_another_slot() -> None:
    assert slots(story("Oslo"))[1] != slots(story("Oslo", "text"))[1]


def test_words_in_bold_do_not_change_the_slot() -> None:
    assert slots("<div><p><b>Oslo</b>: it rains") == slots("<div><p>It rains in <i>Moss</i>")


def test_neighbors_tell_which_slots_held_their_article() -> None:
    hood = learned("Bergen", "Oslo", "Moss")
    assert verdicts(hood, story("Narvik"), url("Narvik")) == [[0, 3], [3, 0], [0, 3]]


def test_verdicts_come_back_from_a_memory_as_they_were() -> None:
    hood = scripted_neighborhood()
    for town in TOWNS[:3]:
        page = scripted_page(story(town), [0.1, 0.9, 0.2])
        hood.restore(url(town), SCRIPTED.keys(page, scripted_scores(page)).remembered)
    assert verdicts(hood, story("Narvik"), url("Narvik")) == [[0, 3], [3, 0], [0, 3]]


def test_a_slot_that_no_neighbor_has_was_asked_nowhere() -> None:
    hood = learned("Bergen", "Oslo")
    assert verdicts(hood, story("Narvik", "text"), url("Narvik")) == [[0, 2], [0, 0], [0, 2]]


def test_a_page_has_no_say_on_itself() -> None:
    hood = learned("Bergen", "Oslo", "Moss")
    assert verdicts(hood, story("Moss"), url("Moss")) == [[0, 2], [2, 0], [0, 2]]


def test_a_copy_under_another_url_has_no_say_either() -> None:
    hood = learned("Bergen", "Oslo", "Moss")
    hood.learn(scripted_page(story("Narvik"), [0.1, 0.9, 0.2]), url("Narvik") + "?print")
    assert verdicts(hood, story("Narvik"), url("Narvik")) == [[0, 3], [3, 0], [0, 3]]


def test_a_page_that_is_forgotten_takes_its_verdicts_with_it() -> None:
    hood = learned("Bergen", "Oslo", "Moss")
    hood.remove(url("Oslo"))
    assert verdicts(hood, story("Narvik"), url("Narvik")) == [[0, 2], [2, 0], [0, 2]]


def test_a_neighborhood_of_a_method_without_a_network_remembers_texts_alone() -> None:
    hood = Neighborhood("stadynot+coreex")
    for town in TOWNS[:3]:
        hood.learn(story(town), url(town))
    assert verdicts(hood, story("Narvik"), url("Narvik")) == [[0, 0]] * 3


def test_a_slot_held_the_article_if_most_of_its_words_did() -> None:
    slot = np.array([7, 7, 7, 8], dtype=np.uint64)
    words = np.array([30, 5, 5, 9], dtype=float)
    keys = template_slots.prediction_keys(slot, words, np.array([True, False, False, False]), 0)
    assert set(keys.tolist()) == {7 ^ int(template_slots.ARTICLE), 8 ^ int(template_slots.NOISE)}
    keys = template_slots.prediction_keys(slot, words, np.array([False, True, True, True]), 0)
    assert set(keys.tolist()) == {7 ^ int(template_slots.NOISE), 8 ^ int(template_slots.ARTICLE)}


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 50), st.booleans()), max_size=20))
def test_each_slot_of_a_page_gets_one_verdict(blocks: list[tuple[int, int, bool]]) -> None:
    slot, words, chosen = (np.array([block[k] for block in blocks]) for k in range(3))
    keys = template_slots.prediction_keys(
        slot.astype(np.uint64), words.astype(float), chosen.astype(bool), 0
    )
    names = set(slot.astype(int).tolist())
    assert len(keys) == len(set(keys.tolist())) == len(names)
    marks = {int(template_slots.ARTICLE), int(template_slots.NOISE)}
    assert all(len({int(key) ^ mark for mark in marks} & names) == 1 for key in keys)


def test_verdicts_of_two_models_do_not_mix() -> None:
    ours, theirs = model_that_takes("in p"), model_that_takes("in p", sure=9.0)
    hood = Neighborhood(model=ours)
    for town in TOWNS[:3]:
        hood.learn(story(town), url(town))
    page = Page.from_html(story("Narvik"))
    for model, total in ((ours, 9), (theirs, 0)):
        evidence = hood.evidence_on(page, url("Narvik"), method=method_named("hybrid", model))
        assert evidence.neighbors is not None
        assert evidence.neighbors.slots.sum() == total
        assert evidence.neighbors.count == 3
