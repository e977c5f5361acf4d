"""Which pages a person is asked about."""

import numpy as np

from newsclean import Extractor
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.extractor import Extraction
from newsclean.extraction.teaching import LabelledPage, suggest
from tests.extraction.corrections.pages import page

TOWNS = ("Oslo", "Moss", "Hamar", "Bergen", "Narvik")


def pages() -> list[Extraction]:
    return [Extractor("coreex")(page(town)) for town in TOWNS]


def disagreeing(
    found: list[Extraction], *numbers: int
) -> list[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """What another method takes: the same, but for the promo box on some pages."""
    masks = []
    for number, each in enumerate(found):
        mask = each.body.text[each.page.blocks.row].copy()
        if number in numbers:
            mask[5] = ~mask[5]
        masks.append(mask)
    return masks


def test_a_page_on_which_methods_disagree_is_suggested() -> None:
    found = pages()
    (one,) = suggest(found, others=disagreeing(found, 2))
    assert (one.number, one.url) == (2, "https://example.org/Hamar")
    assert one.slots == ("html body div.story div.promo p",)


def test_pages_with_the_same_doubts_are_suggested_once() -> None:
    found = pages()
    assert len(suggest(found, others=disagreeing(found, 0, 1, 2, 3, 4))) == 1


def test_nothing_is_suggested_where_nothing_is_in_doubt() -> None:
    found = pages()
    assert suggest(found, others=disagreeing(found)) == []


def test_slots_that_are_corrected_already_are_not_asked_about_again() -> None:
    found = pages()
    corrections = Corrections("example.org").with_(LabelledPage(found[0], exclude={5}).correction())
    assert suggest(found, corrections, disagreeing(found, 1, 2)) == []
