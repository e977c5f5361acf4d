"""One click teaches a place: the page where the method is surest of it is labelled as well."""

from pathlib import Path

import pytest

from newsclean import Extractor
from newsclean.corrections import Corrections
from newsclean.serve.kept import FolderPages
from newsclean.serve.lessons import lessons
from newsclean.serve.library import Library, ShownPage
from newsclean.teaching import label, preview

from .served import PROMO, SITE, TOWNS, WORDS, story

BOX = PROMO.format(town="Oslo")[:20]
NOTHING = Corrections(SITE)


@pytest.fixture
def pages(tmp_path: Path) -> list[ShownPage]:
    """Pages of a site; on that of Bergen the box has no link, and is as long as a paragraph."""
    for town in TOWNS:
        end = "of them. " + WORDS.format(town="Voss") * 2
        if town != "Bergen":
            end = "of its readers <a href=/letter>answer it in the same week</a>."
        html = story(town).replace("of its readers answer.", end)
        (tmp_path / f"{town}.html").write_text(html, "utf-8")
    return Library(FolderPages(tmp_path, SITE), Extractor(), tmp_path / "sites").pages(SITE)


def named(page: ShownPage, words: str) -> int:
    texts = page.extraction.page.blocks.text
    return next(number for number, text in enumerate(texts) if text.startswith(words))


def of(pages: list[ShownPage], town: str) -> ShownPage:
    return next(page for page in pages if page.kept.name == f"{town}.html")


def test_the_surest_page_is_labelled_as_well_and_all_pages_follow(pages: list[ShownPage]) -> None:
    oslo = of(pages, "Oslo")
    block = named(oslo, BOX)
    correction = label(oslo.extraction, exclude=[block])
    made = lessons(correction, [block], "Oslo.html", pages, NOTHING)
    assert [each.page.rpartition("/")[2] for each in made] == ["Oslo.html", "Bergen.html"]
    first, second = (each.contradictions[0].log_odds for each in made)
    assert first is not None
    assert second is not None
    assert second > first
    both = preview([page.extraction for page in pages], NOTHING, NOTHING.with_(*made))
    assert len(both.changed) == len(TOWNS)


def test_who_clicks_on_the_surest_page_teaches_that_one_alone(pages: list[ShownPage]) -> None:
    bergen = of(pages, "Bergen")
    block = named(bergen, BOX)
    correction = label(bergen.extraction, exclude=[block])
    assert lessons(correction, [block], "Bergen.html", pages, NOTHING) == [correction]


def test_a_paragraph_among_paragraphs_is_not_said_of_other_pages(pages: list[ShownPage]) -> None:
    oslo = of(pages, "Oslo")
    block = named(oslo, "The river in Oslo")
    correction = label(oslo.extraction, exclude=[block])
    assert correction.contradictions
    assert lessons(correction, [block], "Oslo.html", pages, NOTHING) == [correction]
