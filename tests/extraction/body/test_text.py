"""Plain text: paragraphs apart, words whole, in the page's own order."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean import extract
from newsclean.extraction.body import render_text

from .soups import everything, hostile, numbers, soups, text_of, with_words


def test_one_blank_line_stands_between_paragraphs() -> None:
    assert text_of("<p>One</p>\n\n<p>two</p><div>three</div>") == "One\n\ntwo\n\nthree"


def test_words_of_different_boxes_are_not_glued() -> None:
    assert text_of("<div>One<span>two</span><div>three</div>four</div>").split() == (
        ["Onetwo", "three", "four"]
    )


def test_inline_tags_do_not_tear_words_apart() -> None:
    assert text_of("<p><b>R</b>ain<i>s</i>, <a href=/x>he</a>re</p>") == "Rains, here"


def test_a_line_break_is_a_line_feed_and_two_part_paragraphs() -> None:
    assert text_of("<p>One <br> two<br/>three<br><br>four") == "One\ntwo\nthree\n\nfour"


def test_a_row_of_a_table_is_a_line_with_tabs() -> None:
    html = "<p>Rain</p><table><tr><th>Town<th>Days<tr><td>Bergen<td>9</table><p>More"
    assert text_of(html) == "Rain\n\nTown\tDays\nBergen\t9\n\nMore"


def test_two_tables_that_follow_each_other_stay_two() -> None:
    table = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
    assert text_of(table * 2) == "a\tb\nc\td\n\na\tb\nc\td"


def test_cells_of_a_layout_table_are_paragraphs() -> None:
    assert text_of("<table><tr><td>One<td>two</table>") == "One\n\ntwo"


def test_words_around_what_was_left_out_are_not_glued() -> None:
    page, choice = everything("<p>one<b> skipped </b>two</p>")
    chosen = choice.rows & ~page.below(page.rows(frozenset({"b"})))
    assert render_text(page, chosen) == "one two"


def test_entities_and_odd_spaces_come_out_as_a_reader_sees_them() -> None:
    assert text_of("<p>R&amp;D&nbsp;&nbsp;costs\t&euro;5 &lt;b&gt;") == "R&D costs €5 <b>"


def test_invisible_characters_are_left_out() -> None:
    html = "<p>Rain&shy;coat\u200bs \u2060 here\ufeff\ufdd0\uffff</p><p>\u200b</p><p>End"
    assert text_of(html) == "Raincoats here\n\nEnd"


def test_the_invisible_that_a_script_needs_is_kept() -> None:
    for word in ("می\u200cخواهم", "क्\u200dष", "👩\u200d🚀", "ភាសា\u200bខ្មែរ", "שלום\u200f!"):
        assert text_of(f"<p>{word}") == word


def test_a_page_without_text_is_an_empty_string() -> None:
    assert text_of("<img src=/x.jpg><script>f()</script>") == ""


def is_subsequence(part: list[int], whole: list[int]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


@settings(max_examples=60, deadline=None)
@given(soups, st.sampled_from(["coreex", "coreex:paper", "stadynot", "stadynot+coreex"]))
def test_the_words_of_a_body_are_some_of_the_pages_words_in_order(
    tags: list[str], method: str
) -> None:
    html = "<p>w1000 w1001 w1002</p>" + with_words(tags)
    assert is_subsequence(numbers(extract(html, method=method).body), numbers_in_source(html))


def numbers_in_source(html: str) -> list[int]:
    return numbers(html.replace("<", " <").replace(">", "> "))


@settings(max_examples=60)
@given(soups, st.data())
def test_the_text_is_just_what_was_chosen(tags: list[str], data: st.DataObject) -> None:
    page, choice = everything(with_words(tags))
    left_out = data.draw(st.sets(st.sampled_from(range(len(page))), max_size=5))
    chosen = choice.rows & ~page.below(np.array(sorted(left_out), dtype=np.int64))
    words = [page.text[row] for row in page.text_rows[chosen[page.text_rows]]]
    text = render_text(page, chosen)
    assert numbers(text) == numbers(" ".join(words))
    assert "\n\n\n" not in text
    assert text == text.strip()


@settings(max_examples=60, deadline=None)
@given(hostile)
def test_no_page_however_hostile_is_an_error(html: str) -> None:
    article = extract(f"<p>words</p>{html}", url="https://example.org/x")
    assert isinstance(article.body, str)
