"""On which blocks of another page corrections change what the method has chosen."""

import numpy as np

from newsclean import Page
from newsclean.extraction.corrections import Correction, Flips, Slot
from newsclean.extraction.corrections.site_corrections import Rule

WORDS = "It has rained for nine days and nobody knows when the rain will come to an end."
PROMO, STORY = "html body div.promo p", "html body div.story p"


def page(promo: str = "promo", last: str = "Read it in our paper") -> Page:
    body = "".join(f"<p>{WORDS}</p>" for _ in range(3))
    return Page.from_html(
        f"<body><div class=story>{body}</div><div class={promo}><p>{last}</p></div></body>"
    )


def correction(*slots: Slot, number: int = 1, shown: float | None = 1.0) -> Correction:
    url = f"https://example.org/{number}"
    return Correction(url, "2026-03-14", "hybrid", slots, shown_share=shown)


def wrong(path: str = PROMO, log_odds: float | None = 1.0, *, taken: bool = True) -> Slot:
    return Slot(path, taken=taken, wrong=1, log_odds=log_odds)


def flips(
    *corrections: Correction,
    on: Page | None = None,
    taken: tuple[bool, ...] = (True,) * 4,
    log_odds: tuple[float, ...] | None = (3.0, 3.0, 3.0, 1.0),
) -> Flips:
    odds = None if log_odds is None else np.array(log_odds)
    return Rule(corrections).flips(on or page(), np.array(taken), odds)


def test_a_block_in_a_corrected_slot_changes_sides() -> None:
    found = flips(correction(wrong()))
    assert (found.added, found.removed) == ((), (3,))
    assert set(found.by) == {3}


def test_a_block_that_the_method_left_out_comes_in() -> None:
    found = flips(correction(wrong(taken=False)), taken=(True, True, True, False))
    assert (found.added, found.removed) == ((3,), ())


def test_a_correction_of_taken_blocks_says_nothing_of_those_left_out() -> None:
    assert not flips(correction(wrong()), taken=(True, True, True, False))


def test_a_page_without_the_slot_stays_as_it_is() -> None:
    assert not flips(correction(wrong("html body aside.promo li")))


def test_the_finest_signature_that_is_known_decides() -> None:
    right = Slot("html body div.story div.promo p", taken=True, right=1)
    elsewhere = wrong("html body main div.story div.promo p")
    on = Page.from_html(f"<div class=story><p>{WORDS}</p><p>{WORDS}</p><div class=promo><p>Hi")
    odds = (1.0, 1.0, 1.0)
    assert flips(correction(elsewhere), on=on, taken=(True,) * 3, log_odds=odds).removed == (2,)
    assert not flips(correction(elsewhere, right), on=on, taken=(True,) * 3, log_odds=odds)


def test_with_one_page_two_thirds_of_the_slot_must_have_been_wrong() -> None:
    def slot(wrong: int, right: int) -> Correction:
        return correction(Slot(PROMO, taken=True, wrong=wrong, right=right, log_odds=1.0))

    assert flips(slot(2, 1))
    assert not flips(slot(3, 2))


def test_with_two_pages_more_than_half_of_the_slot_must_have_been_wrong() -> None:
    one = correction(Slot(PROMO, taken=True, wrong=2, right=1, log_odds=1.0))
    assert flips(one, correction(Slot(PROMO, taken=True, wrong=1, right=1), number=2))
    assert not flips(one, correction(Slot(PROMO, taken=True, wrong=0, right=1), number=2))


def test_a_block_of_which_the_method_is_much_surer_stays() -> None:
    assert flips(correction(wrong(log_odds=1.0)), log_odds=(3.0, 3.0, 3.0, 2.0))
    assert not flips(correction(wrong(log_odds=1.0)), log_odds=(3.0, 3.0, 3.0, 2.1))
    left_out = correction(wrong(log_odds=-1.0, taken=False))
    assert flips(left_out, taken=(True, True, True, False), log_odds=(3.0, 3.0, 3.0, -2.0))
    assert not flips(left_out, taken=(True, True, True, False), log_odds=(3.0, 3.0, 3.0, -2.1))


def test_a_method_without_log_odds_has_no_such_limit() -> None:
    assert flips(correction(wrong(log_odds=None)), log_odds=None).removed == (3,)


def test_an_article_of_fewer_than_twenty_words_is_never_left() -> None:
    on = Page.from_html("<div class=story><p>It rains again.</p></div><div class=promo><p>" + WORDS)
    assert not flips(correction(wrong()), on=on, taken=(True, True), log_odds=(3.0, 1.0))


def test_what_would_change_far_more_than_it_was_shown_to_is_held_back_and_named() -> None:
    on = page(last=" ".join([WORDS] * 4))
    small = correction(wrong(), shown=0.05)
    found = flips(small, on=on)
    assert not found
    assert list(found.held_back) == [small.id]
    assert found.held_back[small.id] == 4 * len(WORDS.split())
    assert flips(correction(wrong(), shown=0.5), on=on).removed == (3,)


def test_a_correction_whose_slot_the_page_has_is_met_even_if_it_moves_nothing() -> None:
    one = correction(wrong(log_odds=1.0), Slot(PROMO, taken=True, right=5))
    assert flips(one).met == {one.id}
    assert flips(one, on=page("teaser")).met == set()
