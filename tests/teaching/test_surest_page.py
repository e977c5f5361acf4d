"""One label teaches a place: the page on which the method is surest of it is labelled alike."""

from collections.abc import Sequence

import pytest

from newsclean import Extractor
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.extractor import Extraction
from newsclean.extraction.page import Page
from newsclean.teaching import LabelledPage, Taught, blocks_beginning, saved_extractions, teach
from tests.serve.served import PROMO, SITE, TOWNS, uneven_story

BOX = PROMO.format(town="")[:20]


@pytest.fixture(scope="module")
def pages() -> dict[str, Extraction]:
    """Pages of a site, by town; the method is surest of the box on that of Bergen."""
    read = [Page.from_html(uneven_story(town), f"https://{SITE}/{town}") for town in TOWNS]
    return dict(zip(TOWNS, saved_extractions(read, Extractor()), strict=True))


def taught(pages: dict[str, Extraction], towns: Sequence[str], words: str) -> Taught:
    labelled = [
        LabelledPage(pages[town], exclude=blocks_beginning(pages[town].page, words))
        for town in towns
    ]
    return teach(labelled, list(pages.values()), Corrections(SITE))


def test_the_surest_page_is_labelled_as_well_and_all_pages_follow(
    pages: dict[str, Extraction],
) -> None:
    found = taught(pages, ["Oslo"], BOX)
    first, second = found.corrections
    assert [first.page, second.page] == [f"https://{SITE}/Oslo", f"https://{SITE}/Bergen"]
    assert [each.page.url for each in found.also] == [second.page]
    odds = [each.contradictions[0].log_odds or 0.0 for each in found.corrections]
    assert odds[1] > odds[0] > 0
    assert len(found.preview.changed) == len(TOWNS)


def test_who_labels_the_surest_page_teaches_that_one_alone(pages: dict[str, Extraction]) -> None:
    for towns in (["Bergen"], ["Oslo", "Bergen"]):
        found = taught(pages, towns, BOX)
        assert [each.page for each in found.corrections] == [f"https://{SITE}/{t}" for t in towns]
        assert not found.also


def test_two_labelled_pages_share_the_surest_one(pages: dict[str, Extraction]) -> None:
    found = taught(pages, ["Oslo", "Moss"], BOX)
    assert [each.page.url for each in found.also] == [f"https://{SITE}/Bergen"]
    assert len(found.corrections) == 3


def test_a_paragraph_among_paragraphs_is_not_said_of_other_pages(
    pages: dict[str, Extraction],
) -> None:
    found = taught(pages, ["Oslo"], "The river in Oslo")
    assert found.corrections[0].contradictions
    assert not found.also
