"""What nobody sees is not in the text; what a framework shows later is."""

import pytest

import newsclean
from newsclean.extraction.body import rows
from newsclean.extraction.page import Page

from .test_pictures import PARAGRAPH, article


@pytest.mark.parametrize(
    "markup",
    [
        "<span class=visually-hidden>{}</span>",
        "<span class='link sr-only'>{}</span>",
        "<span style='display: none'>{}</span>",
        "<span hidden>{}</span>",
        "<style>p .gone{{color:red}} .gone{{display:none}}</style><span class=gone>{}</span>",
    ],
)
def test_hidden_text_is_left_out_of_text_and_html(markup: str) -> None:
    paragraph = PARAGRAPH.replace("mayor", f"mayor{markup.format(', opens new tab')}")
    found = article(paragraph)
    assert "said that it may go on" in found.body
    assert "new tab" not in found.body
    assert "new tab" not in found.body_html


def test_what_css_hides_in_print_only_is_shown() -> None:
    style = "<style>@media print{.x{display:none}}</style>"
    found = article(PARAGRAPH.replace("mayor", "<span class=x>harbour master</span>"), head=style)
    assert "harbour master" in found.body


@pytest.mark.parametrize("wrapper", ["<div hidden>", "<div style='display:none'>"])
def test_an_article_that_is_hidden_as_a_whole_is_read(wrapper: str) -> None:
    page = f"<title>Rain</title><h1>Rain</h1>{wrapper}{PARAGRAPH * 3}</div>"
    assert newsclean.extract(page).body.count("It has rained") == 3


def test_what_is_remembered_of_style_sheets_has_a_bound() -> None:
    rows._names_by_sheet.clear()
    many = ",".join(f".n{number}" for number in range(rows._MAX_REMEMBERED + 1))
    sheets = [f".gone{number}{{display:none}}" for number in range(rows._MAX_SHEETS + 5)]
    for css in (f"{many}{{display:none}}", *sheets):
        rows._hidden_names(Page.from_html(f"<style>{css}</style><p>Rain"))
    assert len(rows._names_by_sheet) <= rows._MAX_SHEETS
    assert all(len(names) == 1 for names in rows._names_by_sheet.values())
