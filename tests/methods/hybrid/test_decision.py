"""From the network's word, and the neighbors', to the article."""

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean import Neighborhood, extract
from newsclean.methods import method_named
from newsclean.methods.hybrid import decide, judge, unseen_by_network
from newsclean.methods.hybrid.decision import FEWEST_FOR_SLOTS, FEWEST_WORDS, Decision
from newsclean.methods.hybrid.network import Model
from newsclean.page import Page

from .networks import judged_page, model_file, network_that_takes

TOWNS = ("Bergen", "Oslo", "Moss", "Narvik", "Hamar")
FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."
MENU = "".join(f"<li><a href=/{n}>Section {n} of the Times</a></li>" for n in range(8))


def url(town: str) -> str:
    return f"https://example.org/{town}"


def paragraph(town: str, number: int = 1) -> str:
    return f"It has rained in {town} for {number} days, and the river of {town} is as high as ever."


def story(town: str, body: str = "body", footer: str = FOOTER) -> str:
    texts = "".join(f"<p>{paragraph(town, number)}</p>" for number in range(3))
    return f"<div class={body}>{texts}</div><p class=foot>{footer}</p>"


def chosen(page: Page, decision: Decision) -> list[str]:
    return [text for text, taken in zip(page.blocks.text, decision.chosen, strict=True) if taken]


def test_blocks_are_chosen_from_one_half_on() -> None:
    page = judged_page(story("Oslo"), [0.5, 0.9, 0.49, 0.1])
    decision = decide(page, None)
    assert chosen(page, decision) == [paragraph("Oslo", 0), paragraph("Oslo", 1)]
    assert decision.way == "network"


def test_a_page_ends_with_its_last_user() -> None:
    """A crawl would keep all pages of a while in memory if they waited for the collector."""
    hood = Neighborhood()
    gc.disable()
    try:
        for town in TOWNS[:2]:
            page = Page.from_html(story(town), url(town))
            hood.learn(page)
            method_named("hybrid").choose(page, hood.ask(page))
            seen = weakref.ref(page)
            del page
            assert seen() is None
    finally:
        gc.enable()


# Never nothing


def test_where_all_are_doubtful_the_threshold_is_lowered() -> None:
    page = judged_page(story("Oslo"), [0.4, 0.3, 0.25, 0.1])
    decision = decide(page, None)
    assert chosen(page, decision) == [paragraph("Oslo", number) for number in range(3)]
    assert decision.way == "lowered"


def test_an_absurdly_small_choice_is_no_article() -> None:
    page = judged_page(f"<h2>Rain</h2>{story('Oslo')}", [0.9, 0.48, 0.48, 0.48, 0.0])
    decision = decide(page, None)
    assert decision.way == "lowered"
    assert chosen(page, decision) == ["Rain", *(paragraph("Oslo", number) for number in range(3))]


def test_where_the_network_has_no_idea_coreex_chooses() -> None:
    html = f"<h2>Rain</h2><ul>{MENU}</ul>{story('Oslo', footer='©')}"
    page = judged_page(html, [0.4, *[0.0] * 12])
    decision = decide(page, None)
    assert decision.way == "coreex"
    assert paragraph("Oslo", 1) in chosen(page, decision)
    assert not any("Section" in text for text in chosen(page, decision))


def test_where_nobody_finds_an_article_the_longest_block_is_it() -> None:
    longest = "Section nine of the Times, which is longer than the others are"
    html = f"<ul>{MENU}<li><a href=/9>{longest}</a></li></ul>"
    page = judged_page(html, [0.0] * 9)
    decision = decide(page, None)
    assert (decision.way, chosen(page, decision)) == ("longest", [longest])


def test_a_page_without_text_has_nothing() -> None:
    for html in ("<img src=/a.jpg>", "<title>Rain</title>"):
        page = Page.from_html(html)
        decision = decide(page, None)
        assert (decision.way, chosen(page, decision)) == ("nothing", [])


def test_a_short_page_is_an_article_all_the_same() -> None:
    page = judged_page("<p>It rains.</p><p>©</p>", [0.9, 0.1])
    decision = decide(page, None)
    assert (decision.way, chosen(page, decision)) == ("network", ["It rains."])


@given(
    st.lists(st.tuples(st.integers(1, 40), st.floats(0, 1)), min_size=1, max_size=8),
    st.booleans(),
)
def test_a_page_with_text_always_has_an_article(
    blocks: list[tuple[int, float]], linked: bool
) -> None:
    tag = "<p><a href=/x>{}</a></p>" if linked else "<p>{}</p>"
    html = "".join(tag.format(f"word{n} " * words) for n, (words, _) in enumerate(blocks))
    page = judged_page(html, [probability for _, probability in blocks])
    for known in (None, Neighborhood(profile=False).ask(page)):
        decision = decide(page, known)
        assert decision.chosen.any()
        assert decision.way in ("network", "lowered", "coreex", "longest")
        words = decision.judged.at.words
        enough = min(FEWEST_WORDS, words.sum() / 2)
        assert words[decision.chosen].sum() >= enough or decision.way == "longest"


def test_the_extraction_says_which_way_was_taken() -> None:
    sure = judged_page(story("Oslo"), [0.9, 0.9, 0.9, 0.1])
    doubtful = judged_page(story("Oslo"), [0.4, 0.4, 0.4, 0.1])
    assert extract(sure, method="hybrid").extraction["way"] == "network"
    assert extract(doubtful, method="hybrid").extraction["way"] == "lowered"
    assert extract("<img src=/a.jpg>", method="hybrid").extraction["way"] == "nothing"
    assert "way" not in extract(sure, method="coreex").extraction


def test_what_the_network_did_not_choose_comes_without_the_headline_all_the_same() -> None:
    html = f"<title>Rain in Oslo</title><h1>Rain in Oslo</h1>{story('Oslo')}"
    article = extract(judged_page(html, [0.4, 0.4, 0.4, 0.4, 0.1]), method="hybrid")
    assert article.extraction["way"] == "lowered"
    assert article.body.split("\n\n") == [paragraph("Oslo", number) for number in range(3)]
    assert article.headline == "Rain in Oslo"


# What neighbors say


def neighbors(*pages: tuple[str, Page]) -> Neighborhood:
    hood = Neighborhood()
    for name, page in pages:
        hood.learn(page, name)
    return hood


def told(town: str, probability: list[float], **different: str) -> tuple[str, Page]:
    return url(town), judged_page(story(town, **different), probability)


def test_what_two_neighbors_repeat_is_no_part_of_the_article() -> None:
    page = judged_page(story("Oslo"), [0.9, 0.9, 0.9, 0.99])
    sure = [0.9, 0.9, 0.9, 0.99]
    one = neighbors(told("Moss", sure))
    two = neighbors(told("Moss", sure), told("Hamar", sure))
    assert FOOTER in chosen(page, decide(page, one.ask(page, url("Oslo"))))
    decision = decide(page, two.ask(page, url("Oslo")))
    assert FOOTER not in chosen(page, decision)
    assert decision.static.tolist() == [False, False, False, True]
    article = extract(page, url("Oslo"), neighborhood=two, method="hybrid")
    assert article.extraction["static_nodes"] == 1
    assert article.extraction["static_chars"] == len(FOOTER)


def test_what_one_of_many_neighbors_repeats_stays_where_the_network_is_sure() -> None:
    hood = neighbors(
        told("Moss", [0.9, 0.9, 0.9, 0.99]),
        *(
            told(town, [0.9, 0.9, 0.9, 0.99], footer=f"Seen in {town}")
            for town in ("Hamar", "Bergen")
        ),
    )
    page = judged_page(story("Oslo"), [0.9, 0.9, 0.9, 0.99])
    assert FOOTER in chosen(page, decide(page, hood.ask(page, url("Oslo"))))


def test_a_page_of_which_all_is_repeated_is_judged_by_itself() -> None:
    hood = Neighborhood()
    for name in ("a", "b", "c"):
        extra = "".join(f"<p>{name} has its own words number {n} here</p>" for n in range(9))
        hood.learn(judged_page(story("Oslo") + extra, [0.1] * 13), url(name))
    page = judged_page(story("Oslo"), [0.9, 0.9, 0.9, 0.1])
    decision = decide(page, hood.ask(page, url("Oslo")))
    assert decision.static.all()
    assert decision.way == "lowered"
    assert chosen(page, decision) == [paragraph("Oslo", number) for number in range(3)]


def around(count: int, body: str = "body", taken: float = 0.9) -> Neighborhood:
    """Neighbors whose footers differ."""
    towns = ("Moss", "Hamar", "Bergen", "Narvik")[:count]
    return neighbors(
        *(told(town, [taken] * 3 + [0.1], body=body, footer=f"Seen in {town}") for town in towns)
    )


DOUBTFUL = [0.9, 0.9, 0.4, 0.1]


def test_a_slot_that_held_the_article_elsewhere_moves_a_doubtful_block_in() -> None:
    page = judged_page(story("Oslo"), DOUBTFUL)
    decision = decide(page, around(FEWEST_FOR_SLOTS).ask(page, url("Oslo")))
    assert len(chosen(page, decision)) == 3
    assert (decision.slot > 0).tolist() == [True, True, True, False]
    assert (decision.slot < 0).tolist() == [False, False, False, True]
    assert len(chosen(page, decide(page, None))) == 2


def test_a_slot_that_held_no_article_elsewhere_moves_a_doubtful_block_out() -> None:
    page = judged_page(story("Oslo"), [0.9, 0.9, 0.9, 0.6])
    assert FOOTER in chosen(page, decide(page, None))
    decision = decide(page, around(FEWEST_FOR_SLOTS).ask(page, url("Oslo")))
    assert FOOTER not in chosen(page, decision)


def test_a_slot_does_not_overrule_a_network_that_is_sure() -> None:
    page = judged_page(story("Oslo"), [0.99, 0.99, 0.05, 0.95])
    decision = decide(page, around(4).ask(page, url("Oslo")))
    assert decision.chosen.tolist() == [True, True, False, True]


def test_too_few_neighbors_have_no_say_on_slots() -> None:
    page = judged_page(story("Oslo"), DOUBTFUL)
    decision = decide(page, around(FEWEST_FOR_SLOTS - 1).ask(page, url("Oslo")))
    assert not decision.slot.any()
    assert decision.chosen.tolist() == decide(page, None).chosen.tolist()


def test_neighbors_that_disagree_have_no_say_on_slots() -> None:
    hood = neighbors(
        *(
            told(town, [taken] * 3 + [0.5 + taken], footer=f"Seen in {town}")
            for town, taken in zip(TOWNS[1:], (0.9, 0.9, 0.1, 0.1), strict=True)
        )
    )
    page = judged_page(story("Bergen"), DOUBTFUL)
    assert not decide(page, hood.ask(page, url("Bergen"))).slot[:3].any()


def test_neighbors_of_another_template_change_nothing() -> None:
    hood = Neighborhood()
    for town in ("Moss", "Hamar", "Narvik", "Bergen"):
        html = f"<section><blockquote>{paragraph(town)}</blockquote><h6>Menu</h6></section>"
        hood.learn(judged_page(html, [0.1, 0.9]), url(town))
    page = judged_page(story("Oslo"), DOUBTFUL)
    alone, beside = decide(page, None), decide(page, hood.ask(page, url("Oslo")))
    assert beside.probability == pytest.approx(alone.probability)
    assert beside.chosen.tolist() == alone.chosen.tolist()
    assert beside.way == alone.way


# Repeated on a neighbor


TEASER = "Snow is on its way, and the town has bought as much salt as it could find."


@pytest.mark.parametrize(("sure", "taken"), [(0.9, False), (0.99, True)])
def test_a_text_of_a_single_neighbor_is_taken_only_if_the_network_is_sure(
    sure: float, taken: bool
) -> None:
    hood = Neighborhood(profile=False)
    hood.learn(story("Oslo", footer=TEASER), url("Oslo"))
    page = judged_page(story("Moss", footer=TEASER), [0.9, 0.9, 0.9, sure], url("Moss"))
    decision = decide(page, hood.ask(page))
    assert (TEASER in chosen(page, decision)) == taken
    assert paragraph("Moss") in chosen(page, decision)


@pytest.mark.parametrize(("sure", "taken"), [(0.9, False), (0.99, True)])
def test_a_text_with_a_label_of_the_site_is_taken_only_if_the_network_is_sure(
    sure: float, taken: bool
) -> None:
    def related(town: str) -> str:
        return f"<b>Related stories</b> {' '.join(paragraph(town, n) for n in range(10, 14))}"

    hood = Neighborhood(profile=False)
    for town in TOWNS[1:]:
        hood.learn(story(town, footer=related(town)), url(town))
    html = story("Bergen", footer=related("Bergen"))
    page = judged_page(html, [0.9, 0.9, 0.9, sure], url("Bergen"))
    assert bool(decide(page, hood.ask(page)).chosen[-1]) == taken


def test_a_few_words_that_a_neighbor_has_are_chance() -> None:
    hood = Neighborhood(profile=False)
    hood.learn(story("Oslo", footer="He laughed."), url("Oslo"))
    page = judged_page(story("Moss", footer="He laughed."), [0.9] * 4, url("Moss"))
    assert "He laughed." in chosen(page, decide(page, hood.ask(page)))


# Far behind


@pytest.mark.parametrize(
    ("between", "sure", "taken"), [(14, 0.8, False), (14, 0.95, True), (5, 0.8, True)]
)
def test_a_doubtful_stretch_far_behind_the_article_is_left(
    between: int, sure: float, taken: bool
) -> None:
    texts = [paragraph("Oslo", number) for number in range(6)]
    links = "".join(f"<li><a href=/{number}>Other news {number}</a>" for number in range(between))
    html = "".join(f"<p>{text}</p>" for text in texts) + f"<ul>{links}</ul><p>{TEASER}</p>"
    page = judged_page(html, [*[0.9] * 6, *[0.1] * between, sure])
    assert chosen(page, decide(page, None)) == [*texts, *[TEASER] * taken]


def test_a_large_stretch_far_behind_stays() -> None:
    texts = [paragraph("Oslo", number) for number in range(6)]
    links = "".join(f"<li><a href=/{number}>Other news {number}</a>" for number in range(14))
    html = f"<p>{texts[0]}</p><ul>{links}</ul>" + "".join(f"<p>{text}</p>" for text in texts[1:])
    page = judged_page(html, [0.9, *[0.1] * 14, *[0.8] * 5])
    assert chosen(page, decide(page, None)) == texts


# Once


def test_an_article_that_stands_on_its_page_twice_is_taken_once() -> None:
    texts = [paragraph("Oslo", number) for number in range(3)]
    body = "".join(f"<p>{text}</p>" for text in texts) + "<p>Rain</p>"
    page = judged_page(f"<div class=wide>{body}</div><div class=narrow>{body}</div>", [0.9] * 8)
    assert chosen(page, decide(page, None)) == [*texts, "Rain"]


@pytest.mark.parametrize("again", [(2,), (1, 2, 1, 2, 1, 2, 1, 2)])
def test_what_an_article_repeats_stays(again: tuple[int, ...]) -> None:
    texts = [paragraph("Oslo", number) for number in (0, 1, 2, 3, 4, 5, *again)]
    page = judged_page("".join(f"<p>{text}</p>" for text in texts), [0.9] * len(texts))
    assert chosen(page, decide(page, None)) == texts


def test_short_texts_are_no_copies() -> None:
    texts = ["Rain", paragraph("Oslo"), *["Rain", "Snow", "Snow"] * 4]
    page = judged_page("".join(f"<p>{text}</p>" for text in texts), [0.9] * len(texts))
    assert chosen(page, decide(page, None)) == texts


# Which network


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Model:
    """The network for use takes paragraphs, those of the folds take cells."""
    file = model_file(
        tmp_path / "model.npz", network_that_takes("in p"), network_that_takes("in cell"), []
    )
    monkeypatch.setattr(Model, "shipped", lambda: file)
    return file


LONG = "It has rained for nine days, and the river there is now as high as it ever was before."
BOTH = f"<p>{LONG} In a paragraph.</p><table><tr><td>{LONG} In a cell.</table>"


@pytest.mark.usefixtures("model")
def test_the_network_for_use_judges_unless_a_fold_is_named() -> None:
    page = Page.from_html(BOTH)
    assert (judge(page).probability > 0.5).tolist() == [True, False]
    with unseen_by_network(2):
        assert (judge(page).probability > 0.5).tolist() == [False, True]
        with unseen_by_network(None):
            assert (judge(page).probability > 0.5).tolist() == [True, False]
        assert (judge(page).probability > 0.5).tolist() == [False, True]
    assert (judge(page).probability > 0.5).tolist() == [True, False]


@pytest.mark.usefixtures("model")
def test_a_page_is_judged_once() -> None:
    page = Page.from_html(BOTH)
    assert judge(page) is judge(page)


@pytest.mark.usefixtures("model")
def test_the_article_is_what_the_network_takes() -> None:
    article = extract(BOTH, method="hybrid")
    assert article.body == f"{LONG} In a paragraph."
    assert 0.9 < article.extraction["score"] <= 1
    assert article.extraction["way"] == "network"


@pytest.mark.usefixtures("model")
def test_in_a_chain_it_chooses_from_what_is_left() -> None:
    links = "".join(f"<li><p><a href=/{n}>Another story number {n}</a></p>" for n in range(9))
    page = Page.from_html(f"<ul>{links}</ul>{BOTH}")
    alone = method_named("hybrid").choose(page).rows
    chained = method_named("stadynot+hybrid").choose(page).rows
    assert (alone & page.is_text).sum() == 10
    assert (chained & page.is_text).sum() == 1


@pytest.mark.usefixtures("model")
def test_in_a_chain_with_the_papers_keys_what_neighbors_repeat_is_dropped_too() -> None:
    hood = Neighborhood(keying="element")
    for town in ("Moss", "Hamar", "Narvik"):
        hood.learn(f"<ul><li>In<br><br>{town}</ul>{story(town)}", url(town))
    html = f"<ul><li>In<br><br>Oslo</ul>{story('Oslo')}"
    article = extract(html, url("Oslo"), neighborhood=hood, method="stadynot:paper+hybrid")
    assert article.body.split("\n\n") == [paragraph("Oslo", number) for number in range(3)]


@pytest.mark.usefixtures("model")
def test_learning_order_does_not_matter() -> None:
    pages = [(url(town), story(town)) for town in TOWNS]
    page = Page.from_html(story("Tromsø"))
    decisions = []
    for order in (pages, pages[::-1]):
        hood = Neighborhood()
        for name, html in order:
            hood.learn(html, name)
        decisions.append(decide(page, hood.ask(page, url("Tromsø"))))
    first, second = decisions
    assert np.array_equal(first.probability, second.probability)
    assert first.static.tolist() == [False, False, False, True]


def test_a_headline_that_was_chosen_with_the_text_is_left_out() -> None:
    title = "<title>Rain in Oslo | Example Times</title>"
    page = judged_page(f"{title}<h1>Rain in Oslo</h1>{story('Oslo')}", [0.9, 0.9, 0.9, 0.9, 0.1])
    assert chosen(page, decide(page, None)) == [paragraph("Oslo", n) for n in range(3)]
    page = judged_page(f"{title}<h1>Wind in Moss</h1>{story('Oslo')}", [0.9, 0.9, 0.9, 0.9, 0.1])
    assert chosen(page, decide(page, None))[0] == "Wind in Moss"
