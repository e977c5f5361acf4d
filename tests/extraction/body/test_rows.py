"""What belongs to the body, and its plain text: paragraphs apart, words whole, in their order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean import extract
from newsclean.extraction.body.html import render_html
from newsclean.extraction.body.rows import render_text

from .soups import (
    Names,
    body,
    body_text,
    everything,
    hostile,
    numbers,
    soups,
    text_of,
    with_words,
)

LONG = "It has rained in Bergen for nine days now, and the river is as high as it ever was. " * 3
ARTICLE = f"<p>{LONG}</p><p>{LONG}</p>"
PARAGRAPHS = "\n\n".join([LONG.strip()] * 2)
RAIN = Names(headline="Rain in Bergen goes on", authors=["Ann Lee"])


@pytest.mark.parametrize(
    "head",
    [
        "<h1>Rain in Bergen goes on</h1>",
        "<div class=title>Rain in Bergen goes on</div>",
        "<div>Weather</div><h2>RAIN in Bergen goes on!</h2>",
        "<h1>Another headline than the head names</h1>",
        "<div>Rain in Bergen goes on</div><div>By Ann Lee</div><div>14 March 2026, 09:30</div>",
        "<p>Ann Lee, Bergen</p>",
        "<span>14.03.2026</span>",
    ],
)
def test_headline_kicker_byline_and_date_line_are_not_in_the_body(head: str) -> None:
    assert body_text(head + ARTICLE, RAIN) == PARAGRAPHS


def test_a_headline_in_the_middle_of_the_text_is_a_subheading() -> None:
    html = f"{ARTICLE}<h2>Rain in Bergen goes on</h2>{ARTICLE}"
    assert "Rain in Bergen goes on" in body_text(html, RAIN)


def test_a_long_paragraph_above_the_headline_is_not_lost() -> None:
    lead = "The town has seen no dry hour since the first of the month, and none is near."
    assert body_text(f"<p>{lead}</p><h2>{RAIN.headline}</h2>{ARTICLE}", RAIN).startswith(lead)


def test_a_paragraph_that_contains_the_authors_name_is_not_lost() -> None:
    paragraph = f"<p>It was in March that Ann Lee first heard of it. {LONG}</p>"
    assert "Ann Lee first heard" in body_text(f"<h1>Rain</h1>{paragraph}{ARTICLE}", RAIN)
    later = "<p>“It is wet,” says Ann Lee.</p>"
    assert "says Ann Lee" in body_text(f"<h1>Rain</h1>{ARTICLE}{later}", RAIN)


@pytest.mark.parametrize("author", ["AP", "Li", "Ann"])
def test_a_short_name_inside_another_word_signs_nothing(author: str) -> None:
    first = "Police in Japan have had to cancel the annual parade."
    text = body_text(f"<p>{first}</p>{ARTICLE}", Names(authors=[author]))
    assert text.startswith(first)


def test_names_are_found_where_words_are_not_spaced() -> None:
    html = f"<div>文山田太郎記者</div>{ARTICLE}"
    assert body_text(html, Names(authors=["山田太郎"])) == PARAGRAPHS


def test_a_year_in_a_long_paragraph_makes_no_date_line() -> None:
    first = "Not since the winter of 1998 has the town of Bergen had to close its schools."
    assert body_text(f"<p>{first}</p>{ARTICLE}", RAIN).startswith(first)


@pytest.mark.parametrize(
    "picture",
    [
        "<figure><img src=/r.jpg><figcaption>A wet street</figcaption></figure>",
        "<div><img src=/r.jpg><span>A wet street</span></div>",
        "<div><div><img src=/r.jpg></div><div><p>A wet street</p><p>Photo: Ole</p></div></div>",
    ],
)
def test_captions_are_in_the_html_and_not_in_the_text(picture: str) -> None:
    html = ARTICLE.replace("</p>", f"</p>{picture}", 1)
    assert body_text(html, RAIN) == PARAGRAPHS
    page, choice = everything(html)
    assert "A wet street" in render_html(page, body(page, choice).html)


def test_a_short_paragraph_with_a_picture_in_it_is_not_a_caption() -> None:
    html = f"{ARTICLE}<p><img src=/r.jpg>It rains again.</p>"
    assert body_text(html).endswith("It rains again.")


def test_a_paragraph_beside_a_picture_is_not_a_caption() -> None:
    html = f"<div><img src=/r.jpg>{ARTICLE}<p>It rains again.</p></div>"
    assert body_text(html).endswith("It rains again.")


@pytest.mark.parametrize("tag", ["figcaption", "h1"])
def test_a_tag_that_holds_nearly_all_text_keeps_it(tag: str) -> None:
    assert PARAGRAPHS in body_text(f"<{tag}>{ARTICLE}</{tag}><p>Share</p>")


@pytest.mark.parametrize("tag", ["figcaption", "h1"])
def test_many_tags_that_hold_all_text_keep_it(tag: str) -> None:
    assert len(body_text(f"<{tag}>{LONG}</{tag}>" * 5).split("\n\n")) == 5


def test_the_headline_is_the_one_that_the_page_shows_above_its_text() -> None:
    title = "<title>Rain in Bergen goes on - Example Times</title>"
    page, choice = everything(f"{title}<h1>Rain in Bergen goes on</h1>{ARTICLE}")
    assert body(page, choice).headline == "Rain in Bergen goes on"


def test_a_page_without_chosen_rows_has_an_empty_body() -> None:
    page, choice = everything(ARTICLE)
    empty = body(page, type(choice)(np.zeros(len(page), dtype=bool)), RAIN)
    assert not empty.text.any()
    assert empty.headline is None


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
