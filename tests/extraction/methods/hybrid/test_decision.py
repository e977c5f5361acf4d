"""From the network's word, and the neighbors', to the article."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean import Article, Extractor, Neighborhood, extract
from newsclean.extraction.methods.hybrid.decision import MIN_FOR_SLOTS, MIN_WORDS, decide
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page

from .networks import SCRIPTED, decided, model_that_takes, scripted_neighborhood, scripted_page
from .stories import FOOTER, MENU, TEASER, TOWNS, chosen, paragraph, story, url


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


def neighbors(*pages: tuple[str, Page]) -> Neighborhood:
    hood = scripted_neighborhood()
    for name, page in pages:
        hood.learn(page, name)
    return hood


def neighbor(town: str, probability: list[float], **different: str) -> tuple[str, Page]:
    return url(town), scripted_page(story(town, **different), probability)


def test_what_two_neighbors_repeat_is_no_part_of_the_article() -> None:
    page = scripted_page(story("Oslo"), [0.9, 0.9, 0.9, 0.99])
    sure = [0.9, 0.9, 0.9, 0.99]
    one = neighbors(neighbor("Moss", sure))
    two = neighbors(neighbor("Moss", sure), neighbor("Hamar", sure))
    assert FOOTER in chosen(page, decided(page, one, url("Oslo")))
    decision = decided(page, two, url("Oslo"))
    assert FOOTER not in chosen(page, decision)
    assert decision.static.tolist() == [False, False, False, True]
    evidence = two.evidence_on(page, url("Oslo"))
    article = Extractor(SCRIPTED)(page, evidence).article()
    assert article.extraction["static_nodes"] == 1
    assert article.extraction["static_chars"] == len(FOOTER)


def test_what_one_of_many_neighbors_repeats_stays_where_the_network_is_sure() -> None:
    hood = neighbors(
        neighbor("Moss", [0.9, 0.9, 0.9, 0.99]),
        *(
            neighbor(town, [0.9, 0.9, 0.9, 0.99], footer=f"Seen in {town}")
            for town in ("Hamar", "Bergen")
        ),
    )
    page = scripted_page(story("Oslo"), [0.9, 0.9, 0.9, 0.99])
    assert FOOTER in chosen(page, decided(page, hood, url("Oslo")))


def test_a_page_of_which_all_is_repeated_is_judged_by_itself() -> None:
    hood = scripted_neighborhood()
    for name in ("a", "b", "c"):
        extra = "".join(f"<p>{name} has its own words number {n} here</p>" for n in range(9))
        hood.learn(scripted_page(story("Oslo") + extra, [0.1] * 13), url(name))
    page = scripted_page(story("Oslo"), [0.9, 0.9, 0.9, 0.1])
    decision = decided(page, hood, url("Oslo"))
    assert decision.static.all()
    assert decision.strategy == "lowered"
    assert chosen(page, decision) == [paragraph("Oslo", number) for number in range(3)]


def around(count: int, body: str = "body", taken: float = 0.9) -> Neighborhood:
    """Neighbors whose footers differ."""
    towns = ("Moss", "Hamar", "Bergen", "Narvik")[:count]
    return neighbors(
        *(
            neighbor(town, [taken] * 3 + [0.1], body=body, footer=f"Seen in {town}")
            for town in towns
        )
    )


DOUBTFUL = [0.9, 0.9, 0.4, 0.1]


def test_a_slot_that_held_the_article_elsewhere_moves_a_doubtful_block_in() -> None:
    page = scripted_page(story("Oslo"), DOUBTFUL)
    decision = decided(page, around(MIN_FOR_SLOTS), url("Oslo"))
    assert len(chosen(page, decision)) == 3
    assert (decision.slot > 0).tolist() == [True, True, True, False]
    assert (decision.slot < 0).tolist() == [False, False, False, True]
    assert len(chosen(page, decided(page))) == 2


def test_a_slot_that_held_no_article_elsewhere_moves_a_doubtful_block_out() -> None:
    page = scripted_page(story("Oslo"), [0.9, 0.9, 0.9, 0.6])
    assert FOOTER in chosen(page, decided(page))
    decision = decided(page, around(MIN_FOR_SLOTS), url("Oslo"))
    assert FOOTER not in chosen(page, decision)


def test_a_slot_does_not_overrule_a_network_that_is_sure() -> None:
    page = scripted_page(story("Oslo"), [0.99, 0.99, 0.05, 0.95])
    decision = decided(page, around(4), url("Oslo"))
    assert decision.chosen.tolist() == [True, True, False, True]


def test_too_few_neighbors_have_no_say_on_slots() -> None:
    page = scripted_page(story("Oslo"), DOUBTFUL)
    decision = decided(page, around(MIN_FOR_SLOTS - 1), url("Oslo"))
    assert not decision.slot.any()
    assert decision.chosen.tolist() == decided(page).chosen.tolist()


def test_neighbors_that_disagree_have_no_say_on_slots() -> None:
    hood = neighbors(
        *(
            neighbor(town, [taken] * 3 + [0.5 + taken], footer=f"Seen in {town}")
            for town, taken in zip(TOWNS[1:], (0.9, 0.9, 0.1, 0.1), strict=True)
        )
    )
    page = scripted_page(story("Bergen"), DOUBTFUL)
    assert not decided(page, hood, url("Bergen")).slot[:3].any()


def test_neighbors_of_another_template_change_nothing() -> None:
    hood = scripted_neighborhood()
    for town in ("Moss", "Hamar", "Narvik", "Bergen"):
        html = f"<section><blockquote>{paragraph(town)}</blockquote><h6>Menu</h6></section>"
        hood.learn(scripted_page(html, [0.1, 0.9]), url(town))
    page = scripted_page(story("Oslo"), DOUBTFUL)
    alone, beside = decided(page), decided(page, hood, url("Oslo"))
    assert beside.probability == pytest.approx(alone.probability)
    assert beside.chosen.tolist() == alone.chosen.tolist()
    assert beside.strategy == alone.strategy


# Repeated on a neighbor


@pytest.mark.parametrize(("sure", "taken"), [(0.9, False), (0.99, True)])
def test_a_text_of_a_single_neighbor_is_taken_only_if_the_network_is_sure(
    sure: float, taken: bool
) -> None:
    hood = Neighborhood("stadynot+coreex")
    hood.learn(story("Oslo", footer=TEASER), url("Oslo"))
    page = scripted_page(story("Moss", footer=TEASER), [0.9, 0.9, 0.9, sure], url("Moss"))
    decision = decided(page, hood)
    assert (TEASER in chosen(page, decision)) == taken
    assert paragraph("Moss") in chosen(page, decision)


@pytest.mark.parametrize(("sure", "taken"), [(0.9, False), (0.99, True)])
def test_a_text_with_a_label_of_the_site_is_taken_only_if_the_network_is_sure(
    sure: float, taken: bool
) -> None:
    def related(town: str) -> str:
        return f"<b>Related stories</b> {' '.join(paragraph(town, n) for n in range(10, 14))}"

    hood = Neighborhood("stadynot+coreex")
    for town in TOWNS[1:]:
        hood.learn(story(town, footer=related(town)), url(town))
    html = story("Bergen", footer=related("Bergen"))
    page = scripted_page(html, [0.9, 0.9, 0.9, sure], url("Bergen"))
    assert bool(decided(page, hood).chosen[-1]) == taken


def test_a_few_words_that_a_neighbor_has_are_chance() -> None:
    hood = Neighborhood("stadynot+coreex")
    hood.learn(story("Oslo", footer="He laughed."), url("Oslo"))
    page = scripted_page(story("Moss", footer="He laughed."), [0.9] * 4, url("Moss"))
    assert "He laughed." in chosen(page, decided(page, hood))


# Far behind
