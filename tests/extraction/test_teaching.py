"""From what a person says of a page to what is learned of its site."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from newsclean import Extractor
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.extractor import Extraction
from newsclean.extraction.page import Page
from newsclean.extraction.teaching import (
    LabelError,
    LabelledPage,
    Proposal,
    blocks_beginning,
    blocks_in_text,
    preview,
    teach,
)
from tests.apps.serve import served
from tests.extraction.corrections.pages import PROMO, SENTENCE, page

SITE = f"https://{served.SITE}"
BOX = served.PROMO.format(town="")[:20]
METHODS = ("hybrid", "coreex", "stadynot+coreex", "boilerpipe", "mss")


def extraction(
    town: str, method: str = "coreex", corrections: Corrections | None = None, promo: str = "promo"
) -> Extraction:
    return Extractor(method, corrections=corrections)(page(town, promo=promo))


def promo_block(found: Extraction) -> int:
    (block,) = blocks_beginning(found.page, "Read all of it")
    return block


def taught(method: str = "coreex") -> Corrections:
    found = extraction("Oslo", method)
    return Corrections("example.org").with_(
        LabelledPage(found, exclude={promo_block(found)}).correction()
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_promo_box_excluded_once_is_gone_on_the_other_pages(method: str) -> None:
    before, after = extraction("Moss", method), extraction("Moss", method, taught(method))
    assert PROMO.format("Moss") in before.text
    assert after.text == before.text.replace(PROMO.format("Moss"), "").replace("\n\n\n\n", "\n\n")
    assert PROMO.format("Moss") not in after.html
    assert SENTENCE.format("Moss") in after.html


def test_a_box_that_was_left_out_comes_in() -> None:
    removed = taught()
    found = extraction("Oslo", corrections=removed)
    again = removed.with_(LabelledPage(found, include={promo_block(found)}).correction())
    assert PROMO.format("Moss") in extraction("Moss", corrections=again).text


@pytest.mark.parametrize("method", METHODS)
def test_without_corrections_or_with_none_an_article_is_the_same_in_every_byte(method: str) -> None:
    plain = extraction("Moss", method).article()
    assert extraction("Moss", method, Corrections("example.org")).article() == plain
    unmet = Extractor(method, corrections=taught(method))(page("Moss", promo="advert"))
    assert unmet.article() == extraction("Moss", method, promo="advert").article()


def test_the_article_says_what_corrections_have_changed() -> None:
    corrections = taught()
    said = extraction("Moss", corrections=corrections).article().extraction["corrections"]
    (one,) = corrections
    assert said == {"removed_words": len(PROMO.split()), "ids": [one.id]}
    assert "corrections" not in extraction("Moss").article().extraction


def test_a_page_that_is_right_teaches_nothing() -> None:
    assert LabelledPage(extraction("Oslo")).correction().is_empty


def test_of_blocks_that_are_not_named_the_person_agrees_with_what_is_shown() -> None:
    corrections = taught()
    shown = extraction("Moss", corrections=corrections)
    again = LabelledPage(shown).correction()
    assert [slot.text for slot in again.contradictions] == [PROMO.format("Moss")[:60]]


def test_what_is_learned_is_the_slot_and_not_the_text() -> None:
    found = extraction("Oslo")
    (slot,) = LabelledPage(found, exclude={promo_block(found)}).correction().contradictions
    assert slot.path == "html body div.story div.promo p"
    assert (slot.taken, slot.wrong, slot.right, slot.log_odds) == (True, 1, 0, None)


def test_the_log_odds_of_the_surest_wrong_block_are_kept() -> None:
    found = extraction("Oslo", "hybrid")
    block = promo_block(found)
    (slot,) = LabelledPage(found, exclude={block}).correction().contradictions
    assert found.log_odds is not None
    assert slot.log_odds == pytest.approx(found.log_odds[block], abs=1e-4)


def test_headline_byline_and_date_come_from_the_slots_that_a_person_names() -> None:
    found = extraction("Oslo")
    named = LabelledPage(found, fields={"headline": 2, "byline": 1, "date": 1}).correction()
    after = extraction("Moss", corrections=Corrections("example.org").with_(named)).article()
    assert after.headline == f"0 {SENTENCE.format('Moss')}"
    assert after.authors == ["Ann Lee"]
    assert after.date_published == "2026-03-14"
    assert after.extraction["date_source"] == "correction"
    assert after.extraction["corrections"]["fields"] == ["byline", "date", "headline"]


def test_a_slot_without_a_name_or_date_changes_neither() -> None:
    found = extraction("Oslo")
    wrong = LabelledPage(found, fields={"byline": 3, "date": 3}).correction()
    plain = extraction("Moss").article()
    after = extraction("Moss", corrections=Corrections("example.org").with_(wrong)).article()
    assert (after.authors, after.date_published) == (plain.authors, plain.date_published)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"include": {99}}, "there is no block 99: the page has 7"),
        ({"exclude": {-1}}, "there is no block -1"),
        ({"include": {1}, "exclude": {1}}, "block 1 cannot be included and excluded"),
        ({"fields": {"price": 1}}, "no field is called 'price'; there are headline, byline, date"),
    ],
)
def test_labels_that_cannot_be_are_refused(labels: dict[str, object], message: str) -> None:
    with pytest.raises(LabelError, match=message):
        LabelledPage(extraction("Oslo"), **labels).correction()  # type: ignore[arg-type]


def test_the_text_of_an_article_says_which_blocks_are_its() -> None:
    found = page("Oslo")
    text = "\n\n".join(f"{n} {SENTENCE.format('Oslo')}" for n in range(3))
    chosen = blocks_in_text(found, f"{text}\n\n{SENTENCE.format('Oslo')}")
    assert np.flatnonzero(chosen).tolist() == [2, 3, 4, 6]


def test_a_teaser_with_the_words_of_the_article_is_not_a_part_of_it() -> None:
    found = page("Oslo", extra=f"<aside><p>0 {SENTENCE.format('Oslo')}</p></aside>")
    text = "\n\n".join(f"{n} {SENTENCE.format('Oslo')}" for n in range(3))
    chosen = blocks_in_text(found, text)
    assert chosen.tolist()[2:5] == [True, True, True]
    assert not chosen[-1]


def test_a_preview_says_what_would_change_page_by_page() -> None:
    pages = [extraction("Moss"), extraction("Hamar", promo="advert")]
    corrections = taught()
    shown = preview(pages, None, corrections)
    moss, hamar = shown.pages
    assert [(change.is_added, change.text) for change in moss.blocks] == [
        (False, PROMO.format("Moss"))
    ]
    assert (moss.added_words, moss.removed_words) == (0, len(PROMO.split()))
    assert moss.before - moss.after == moss.removed_words
    assert not hamar
    assert shown.changed == (moss,)
    assert not preview(pages, corrections, corrections).changed


def test_an_accepted_correction_remembers_what_it_was_shown_to_change() -> None:
    corrections = taught()
    (one,) = corrections
    shown = preview([extraction("Moss")], None, corrections)
    accepted = shown.shown_in(one)
    assert accepted == replace(one, shown_pages=1, shown_share=round(shown.share, 4))
    assert accepted.id == one.id


def test_a_preview_shows_what_would_be_held_back_if_nobody_had_seen_it() -> None:
    box = f"<div class=box><p>Box {' '.join([SENTENCE] * 8)}</p></div>"
    oslo, moss = (Extractor("coreex")(page(town, extra=box)) for town in ("Oslo", "Moss"))
    one = LabelledPage(oslo, exclude=blocks_beginning(oslo.page, "Box")).correction()
    corrections = Corrections("example.org").with_(one)
    assert replace(moss, corrections=corrections).flips.held_back
    shown = preview([moss], None, corrections)
    assert shown.share > 0.5
    accepted = corrections.with_(shown.shown_in(one))
    assert "Box" not in replace(moss, corrections=accepted).text


@pytest.fixture(scope="module")
def pages() -> dict[str, Extraction]:
    """Pages of a site, by town; the method is surest of the box on that of Bergen."""
    read = [Page.from_html(served.uneven_story(town), f"{SITE}/{town}") for town in served.TOWNS]
    return dict(zip(served.TOWNS, Extractor().extract_site(read), strict=True))


def proposal(pages: dict[str, Extraction], towns: Sequence[str], words: str) -> Proposal:
    labelled = [
        LabelledPage(pages[town], exclude=blocks_beginning(pages[town].page, words))
        for town in towns
    ]
    return teach(labelled, list(pages.values()), Corrections(served.SITE))


def test_the_surest_page_is_labelled_as_well_and_all_pages_follow(
    pages: dict[str, Extraction],
) -> None:
    found = proposal(pages, ["Oslo"], BOX)
    first, second = found.corrections
    assert [first.page, second.page] == [
        f"{SITE}/Oslo",
        f"{SITE}/Bergen",
    ]
    assert [each.page.url for each in found.also] == [second.page]
    odds = [each.contradictions[0].log_odds or 0.0 for each in found.corrections]
    assert odds[1] > odds[0] > 0
    assert len(found.preview.changed) == len(served.TOWNS)


def test_who_labels_the_surest_page_teaches_that_one_alone(pages: dict[str, Extraction]) -> None:
    for towns in (["Bergen"], ["Oslo", "Bergen"]):
        found = proposal(pages, towns, BOX)
        assert [each.page for each in found.corrections] == [f"{SITE}/{t}" for t in towns]
        assert not found.also


def test_two_labelled_pages_share_the_surest_one(pages: dict[str, Extraction]) -> None:
    found = proposal(pages, ["Oslo", "Moss"], BOX)
    assert [each.page.url for each in found.also] == [f"{SITE}/Bergen"]
    assert len(found.corrections) == 3


def test_a_paragraph_among_paragraphs_is_not_said_of_other_pages(
    pages: dict[str, Extraction],
) -> None:
    found = proposal(pages, ["Oslo"], "The river in Oslo")
    assert found.corrections[0].contradictions
    assert not found.also
