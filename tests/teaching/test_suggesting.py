"""Which pages a person is asked about."""

import numpy as np

from newsclean import Extractor
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.extractor import Extraction
from newsclean.memory import Memory, StoredPage
from newsclean.memory.pages import pack_page
from newsclean.teaching import kept_extractions, label, saved_extractions, suggest
from tests.extraction.corrections.pages import page, story

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
    corrections = Corrections("example.org").with_(label(found[0], exclude={5}))
    assert suggest(found, corrections, disagreeing(found, 1, 2)) == []


def test_kept_pages_of_a_site_can_be_taught() -> None:
    memory = Memory(keep_pages=5)
    for town in TOWNS:
        url = f"https://example.org/{town}"
        stored = StoredPage(url, "example.org", "news", "text/html", "", story(town).encode())
        packed = pack_page(stored)
        assert packed is not None
        number = memory.pages.add(packed)
        memory.kept.add(number, url)
    found = list(kept_extractions(memory, "example.org", Extractor("coreex")))
    assert [each.page.url for each in found] == [f"https://example.org/{t}" for t in TOWNS[::-1]]
    assert list(kept_extractions(memory, "example.com", Extractor("coreex"))) == []


def test_saved_pages_are_each_others_neighbors() -> None:
    first, _ = saved_extractions([page("Oslo"), page("Moss")], Extractor("coreex"))
    assert first.evidence.neighbors is not None
    assert first.evidence.neighbors.count == 1
