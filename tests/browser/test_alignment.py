"""Texts of a snapshot and of a page, where their trees differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.browser.snapshot import NONE, Rendering, Snapshot, align, align_texts
from newsclean.extraction.page import Page, PageError

WORDS = st.lists(st.sampled_from(["Menu", "More", "Rain", "Snow", "Hail", "Fog"]), max_size=12)


def snapshot_of_texts(*texts: str, font_size: tuple[float, ...] = ()) -> Snapshot:
    """A root with nothing but these texts."""
    size = len(texts) + 1
    return Snapshot(
        url=None,
        screen=(1000, 1000),
        size=(1000, 1000),
        tag=["html", *["#text"] * len(texts)],
        parent=np.array([-1, *[0] * len(texts)]),
        end=np.array([size - 1, *range(1, size)]),
        box=np.ones((size, 4), dtype=np.float32),
        font_size=np.array([16.0, *(font_size or [16.0] * len(texts))], dtype=np.float32),
        font_weight=np.full(size, 400, dtype=np.float32),
        color=np.arange(size),
        inline=np.ones(size, dtype=bool),
        shown=np.ones(size, dtype=bool),
        text=dict(enumerate(texts, 1)),
        address={},
    )


def test_the_same_text_is_aligned_by_its_characters_whatever_the_nodes_are() -> None:
    page = Page.from_html("<p>It rains <b>a lot</b> here.")
    assert align(page, snapshot_of_texts("It rains a", "lot", "here.")).tolist() == [1, 1, 3]


def test_a_text_that_the_browser_does_not_have_gets_no_row() -> None:
    page = Page.from_html("<p>A long text of this page.<p>New<p>Another one of them.")
    found = align(page, snapshot_of_texts("A long text of this page.", "Another one of them."))
    assert found.tolist() == [1, NONE, 2]


def test_the_snapshot_of_another_page_is_refused() -> None:
    page = Page.from_html("<p>It rains in Bergen.")
    with pytest.raises(PageError, match="only 0%") as raised:
        align(page, snapshot_of_texts("It snows in Oslo."))
    assert raised.value.reason == "not-aligned"


def test_fonts_are_those_of_the_snapshot() -> None:
    page = Page.from_html("<h1>Rain</h1><p>It rains.")
    fonts = Rendering.of(page, snapshot_of_texts("Rain", "It rains.", font_size=(40.4, 12))).fonts(
        page
    )
    assert fonts.size[page.text_rows].tolist() == [40, 12]
    assert fonts.color[page.text_rows].tolist() == [1, 2]


@given(WORDS, WORDS)
def test_only_equal_texts_are_aligned_and_in_the_same_order(
    ours: list[str], theirs: list[str]
) -> None:
    places = align_texts(ours, theirs)
    found = [(k, place) for k, place in enumerate(places.tolist()) if place != NONE]
    assert all(ours[k] == theirs[place] for k, place in found)
    order = [place for _, place in found]
    assert order == sorted(set(order))


@given(WORDS)
def test_the_same_texts_are_aligned_one_by_one(texts: list[str]) -> None:
    assert align_texts(texts, texts).tolist() == list(range(len(texts)))
