"""What the neighbors change in what the network says of a page."""

import pytest

from newsclean import Extractor, Neighborhood
from newsclean.extraction.methods.hybrid.decision import MIN_FOR_SLOTS
from newsclean.extraction.page import Page

from .networks import SCRIPTED, decided, scripted_neighborhood, scripted_page
from .stories import FOOTER, TEASER, TOWNS, chosen, paragraph, story, url


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
