"""From the network's word, and the neighbors', to the article."""

import gc
import weakref

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from newsclean import Article, Extractor, Neighborhood, extract
from newsclean.extraction.methods import method_named
from newsclean.extraction.methods.hybrid import decide
from newsclean.extraction.methods.hybrid.decision import MIN_WORDS
from newsclean.extraction.page import Page

from .networks import SCRIPTED, decided, model_that_takes, scripted_page
from .stories import MENU, TOWNS, chosen, paragraph, story, url


def test_blocks_are_chosen_from_one_half_on() -> None:
    page = scripted_page(story("Oslo"), [0.5, 0.9, 0.49, 0.1])
    decision = decided(page)
    assert chosen(page, decision) == [paragraph("Oslo", 0), paragraph("Oslo", 1)]
    assert decision.strategy == "network"


def test_a_page_ends_with_its_last_user() -> None:
    """A crawl would keep all pages of a while in memory if they waited for the collector."""
    hood = Neighborhood()
    gc.disable()
    try:
        for town in TOWNS[:2]:
            page = Page.from_html(story(town), url(town))
            hood.learn(page)
            method_named("hybrid").choose(page, hood.evidence_on(page))
            seen = weakref.ref(page)
            del page
            assert seen() is None
    finally:
        gc.enable()


# Never nothing


def test_where_all_are_doubtful_the_threshold_is_lowered() -> None:
    page = scripted_page(story("Oslo"), [0.4, 0.3, 0.25, 0.1])
    decision = decided(page)
    assert chosen(page, decision) == [paragraph("Oslo", number) for number in range(3)]
    assert decision.strategy == "lowered"


def test_an_absurdly_small_choice_is_no_article() -> None:
    page = scripted_page(f"<h2>Rain</h2>{story('Oslo')}", [0.9, 0.48, 0.48, 0.48, 0.0])
    decision = decided(page)
    assert decision.strategy == "lowered"
    assert chosen(page, decision) == ["Rain", *(paragraph("Oslo", number) for number in range(3))]


def test_where_the_network_has_no_idea_coreex_chooses() -> None:
    html = f"<h2>Rain</h2><ul>{MENU}</ul>{story('Oslo', footer='©')}"
    page = scripted_page(html, [0.4, *[0.0] * 12])
    decision = decided(page)
    assert decision.strategy == "coreex"
    assert paragraph("Oslo", 1) in chosen(page, decision)
    assert not any("Section" in text for text in chosen(page, decision))


def test_where_nobody_finds_an_article_the_longest_block_is_it() -> None:
    longest = "Section nine of the Times, which is longer than the others are"
    html = f"<ul>{MENU}<li><a href=/9>{longest}</a></li></ul>"
    page = scripted_page(html, [0.0] * 9)
    decision = decided(page)
    assert (decision.strategy, chosen(page, decision)) == ("longest", [longest])


def test_a_page_without_text_has_nothing() -> None:
    for html in ("<img src=/a.jpg>", "<title>Rain</title>"):
        page = Page.from_html(html)
        decision = decided(page)
        assert (decision.strategy, chosen(page, decision)) == ("nothing", [])


def test_a_short_page_is_an_article_all_the_same() -> None:
    page = scripted_page("<p>It rains.</p><p>©</p>", [0.9, 0.1])
    decision = decided(page)
    assert (decision.strategy, chosen(page, decision)) == ("network", ["It rains."])


@given(
    st.lists(st.tuples(st.integers(1, 40), st.floats(0, 1)), min_size=1, max_size=8),
    st.booleans(),
)
def test_a_page_with_text_always_has_an_article(
    blocks: list[tuple[int, float]], linked: bool
) -> None:
    tag = "<p><a href=/x>{}</a></p>" if linked else "<p>{}</p>"
    html = "".join(tag.format(f"word{n} " * words) for n, (words, _) in enumerate(blocks))
    page = scripted_page(html, [probability for _, probability in blocks])
    for hood in (None, Neighborhood("stadynot+coreex")):
        decision = decided(page, hood)
        assert decision.chosen.any()
        assert decision.strategy in ("network", "lowered", "coreex", "longest")
        words = decision.scores.context.words
        enough = min(MIN_WORDS, words.sum() / 2)
        assert words[decision.chosen].sum() >= enough or decision.strategy == "longest"


def extracted(page: Page) -> Article:
    return Extractor(SCRIPTED)(page).article()


def test_the_extraction_says_which_strategy_found_the_article() -> None:
    sure = scripted_page(story("Oslo"), [0.9, 0.9, 0.9, 0.1])
    doubtful = scripted_page(story("Oslo"), [0.4, 0.4, 0.4, 0.1])
    assert extracted(sure).extraction["strategy"] == "network"
    assert extracted(doubtful).extraction["strategy"] == "lowered"
    assert extract("<img src=/a.jpg>", method="hybrid").extraction["strategy"] == "nothing"
    assert "strategy" not in extract(sure, method="coreex").extraction


def test_what_the_network_did_not_choose_comes_without_the_headline_all_the_same() -> None:
    html = f"<title>Rain in Oslo</title><h1>Rain in Oslo</h1>{story('Oslo')}"
    article = extracted(scripted_page(html, [0.4, 0.4, 0.4, 0.4, 0.1]))
    assert article.extraction["strategy"] == "lowered"
    assert article.body.split("\n\n") == [paragraph("Oslo", number) for number in range(3)]
    assert article.headline == "Rain in Oslo"


# With a model


PARAGRAPHS = model_that_takes("in p")
LONG = "It has rained for nine days, and the river there is now as high as it ever was before."
BOTH = f"<p>{LONG} In a paragraph.</p><table><tr><td>{LONG} In a cell.</table>"


def test_the_article_is_what_the_network_takes() -> None:
    article = extract(BOTH, model=PARAGRAPHS)
    assert article.body == f"{LONG} In a paragraph."
    assert 0.9 < article.extraction["score"] <= 1
    assert article.extraction["strategy"] == "network"


def test_in_a_chain_it_chooses_from_what_is_left() -> None:
    links = "".join(f"<li><p><a href=/{n}>Another story number {n}</a></p>" for n in range(9))
    page = Page.from_html(f"<ul>{links}</ul>{BOTH}")
    alone = method_named("hybrid", PARAGRAPHS).choose(page).rows
    chained = method_named("stadynot+hybrid", PARAGRAPHS).choose(page).rows
    assert (alone & page.is_text).sum() == 10
    assert (chained & page.is_text).sum() == 1


def test_in_a_chain_with_the_papers_keys_what_neighbors_repeat_is_dropped_too() -> None:
    hood = Neighborhood("stadynot:paper+hybrid", model=PARAGRAPHS)
    for town in ("Moss", "Hamar", "Narvik"):
        hood.learn(f"<ul><li>In<br><br>{town}</ul>{story(town)}", url(town))
    html = f"<ul><li>In<br><br>Oslo</ul>{story('Oslo')}"
    article = extract(
        html,
        url("Oslo"),
        neighborhood=hood,
        method="stadynot:paper+hybrid",
        model=PARAGRAPHS,
    )
    assert article.body.split("\n\n") == [paragraph("Oslo", number) for number in range(3)]


def test_learning_order_does_not_matter() -> None:
    pages = [(url(town), story(town)) for town in TOWNS]
    page = Page.from_html(story("Tromsø"))
    decisions = []
    for order in (pages, pages[::-1]):
        hood = Neighborhood(model=PARAGRAPHS)
        for name, html in order:
            hood.learn(html, name)
        evidence = hood.evidence_on(page, url("Tromsø"))
        assert evidence.scores is not None
        decisions.append(decide(page, evidence.scores, evidence.neighbors))
    first, second = decisions
    assert np.array_equal(first.probability, second.probability)
    assert first.static.tolist() == [False, False, False, True]
