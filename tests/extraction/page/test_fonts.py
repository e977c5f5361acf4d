"""Font sizes and colours from a page's own markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.extraction.methods.mss import Fonts
from newsclean.extraction.page import Page


def looks(html: str) -> tuple[list[int], list[int]]:
    page = Page.from_html(html)
    fonts = Fonts(page)
    return fonts.size[page.text_rows].tolist(), fonts.color[page.text_rows].tolist()


@pytest.mark.parametrize(
    ("html", "size"),
    [
        ("<p>x", 16),
        ("<h1>x", 32),
        ("<h2><small>x", 20),
        ("<font size=5>x", 24),
        ("<font size=+1>x", 18),
        ("<font size=-9>x", 10),
        ("<font size=huge>x", 16),
        ('<p style="font-size:12px">x', 12),
        ('<p style="FONT-SIZE: 12PT; color: red">x', 16),
        ('<p style="font-size:2em"><span style="font-size:50%">x', 16),
        ('<p style="font-size:2em"><span style="font-size:1rem">x', 16),
        ('<p style="font: bold 13px/1.4 Arial, sans-serif">x', 13),
        ('<p style="font-size: x-large !important">x', 24),
        ('<p style="font-size: var(--big)">x', 16),
        ('<p style="font-size: calc(1px + 2vw)">x', 1),
        ('<p style="font-size:99999999999999px">x', 16),
        ('<p style="font-size:px">x', 16),
        ('<p style="max-font-size:12px">x', 16),
        ("<h1 style='font-size:16px'>x", 16),
    ],
)
def test_the_size_is_what_a_browser_shows(html: str, size: int) -> None:
    assert looks(html)[0] == [size]


def test_colours_are_told_apart_and_spellings_are_not() -> None:
    _, colors = looks(
        '<p>a<p style="color:#000">b<p style="color: rgb(0, 0, 0)">c<p><font color=BLACK>d</font>'
        '<p style="color:#c00">e<p style="color:#CC0000">f<p style="color:rgb(204,0,0)">g'
        '<p style="background-color:#c00">h<p style="color:inherit">i'
    )
    assert colors == [0, 0, 0, 0, 1, 1, 1, 0, 0]


def test_what_stands_further_down_wins_and_ends_with_its_element() -> None:
    assert looks('<div style="color:red;font-size:20px">a<b style="color:blue">b</b>c</div>d') == (
        [20, 20, 20, 16],
        [1, 2, 1, 0],
    )


@given(st.text(max_size=60))
def test_any_style_can_be_read(style: str) -> None:
    page = Page.from_html("<p>x<font>y</font></p>")
    for element in page.root.iter("p", "font"):
        element.set("style", "".join(c for c in f"font-size:{style}" if c.isprintable()))
        element.set("size", "".join(c for c in style if c.isprintable()))
    Fonts(page)
