"""MSS against its slides, and on pages of today."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import newsclean
from newsclean.extraction.methods import mss
from newsclean.extraction.methods.chain import Choice, Evidence
from newsclean.extraction.methods.mss import Stretch, best_subsequence, maximal_subsequences
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page
from tests.browser.drawn import drawn

LINK = '<a href="/x">some other story that is told elsewhere</a>'
MENU = "<ul>" + f"<li>{LINK}</li>" * 6 + "</ul>"
SENTENCE = "It rained all day long in the hills above the town, and the river rose by a metre. "
ARTICLE = f"<p>{SENTENCE * 2}</p><p>Then {LINK} came. {SENTENCE}</p><p>{SENTENCE}</p>"

#: The tree of the slides: segments of 5, 27 and 33 characters.
SLIDES = """
<html><body>
  <h4>Note:</h4>
  <div>A paragraph <a href="/x">with a link</a> in it
    <p>some <em><b>emphatic words</b></em> here.<br> More words</p>
  </div>
</body></html>
"""


def everything(page: Page) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.ones(len(page), dtype=bool)


def measured(html: str) -> tuple[mss.Shares, list[float]]:
    page = Page.from_html(html)
    shares = mss.measure(page, mss.group(page), everything(page))
    return shares, mss.values(shares).tolist()


def segments(html: str, parameters: mss.Parameters = mss.PAPER) -> list[list[str]]:
    page = Page.from_html(html)
    of_text = mss.group(page, parameters).of_text
    texts = [page.text[row].strip() for row in page.text_rows.tolist()]
    return [
        [text for text, own in zip(texts, of_text, strict=True) if own == number]
        for number in range(len(mss.group(page, parameters)))
    ]


def chosen_text(html: str, parameters: mss.Parameters = mss.PAPER) -> str:
    page = Page.from_html(html)
    rows, _ = mss.choose(page, everything(page), parameters)
    return " ".join(page.text[row].strip() for row in page.text_rows[rows[page.text_rows]])


def test_the_slides_text_leaves_make_three_segments() -> None:
    assert segments(SLIDES) == [
        ["Note:"],
        ["A paragraph", "with a link", "in it"],
        ["some", "emphatic words", "here.", "More words"],
    ]


def test_the_slides_segments_score_5_27_and_33() -> None:
    shares, values = measured(SLIDES)
    assert values == [5, 27, 33]
    assert shares.size.tolist() == [1, 1, 1]
    assert shares.color.tolist() == [1, 1, 1]
    assert shares.link.tolist() == pytest.approx([0, 11 / 27, 0])


def test_the_slides_article_is_all_of_it_and_scores_65() -> None:
    page = Page.from_html(SLIDES)
    rows, score = mss.choose(page, everything(page))
    assert score == 65
    assert rows[page.text_rows].all()


def test_text_before_and_after_a_paragraph_are_two_segments() -> None:
    assert segments("<div>one<p>two</p>three</div>") == [["one"], ["two"], ["three"]]


def test_single_tags_do_not_part_a_segment() -> None:
    assert segments("<div>one<br><br>two<img src=x>three<hr>four</div>") == [
        ["one", "two", "three", "four"]
    ]


def test_an_empty_line_parts_segments_where_they_are_lines() -> None:
    lines = replace(mss.PAPER, lines=True)
    assert segments("<div>one<br><br>two<br>three</div>", lines) == [["one"], ["two", "three"]]


def test_segments_under_deep_inline_tags_are_found() -> None:
    deep = "<span>" * 100 + "deep" + "</span>" * 100
    assert segments(f"<p>one {deep} two</p><p>three</p>") == [["one", "deep", "two"], ["three"]]


def test_a_segment_with_more_link_than_text_loses_its_length() -> None:
    _, values = measured('<p>abcde<a href="/x">fghij</a></p><p>abcde<a href="/x">fghijk</a></p>')
    assert values == [10, -11]  # 5 / 10 is not above c3


def test_a_segment_in_another_size_loses_its_length() -> None:
    body = "<p>0123456789012345678901234567890123456789</p>"
    _, values = measured(f"<h2>Heading</h2>{body}")
    assert values == [-7, 40]
    _, values = measured(f'<p><font size="5">abc</font>defghij</p>{body}')
    assert values == [10, 40]  # 7 / 10 is c1
    _, values = measured(f'<p><span style="font-size:30px">abcd</span>efghij</p>{body}')
    assert values == [-10, 40]


def test_a_segment_in_another_colour_loses_its_length() -> None:
    body = "<p>0123456789012345678901234567890123456789</p>"
    _, values = measured(f'<p style="color: #c00">Sponsored</p>{body}')
    assert values == [-9, 40]
    _, values = measured(f'<p><font color="red">abcdefgh</font>ij</p>{body}')
    assert values == [10, 40]  # 2 / 10 is c2


def test_the_most_common_size_is_the_pages_and_not_the_segments() -> None:
    big = f'<div style="font-size:20px">{ARTICLE}</div>'
    assert "Small print" not in chosen_text(f"{big}<p>Small print.</p>")


def test_the_article_is_chosen_and_the_menus_around_it_are_not() -> None:
    for parameters in (mss.PAPER, mss.TUNED):
        text = chosen_text(f"<nav>{MENU}</nav>{ARTICLE}{MENU}<p>(c) Herald</p>", parameters)
        assert text.startswith("It rained")
        assert text.count("some other story") == 1
        assert "Herald" not in text


def test_links_in_the_midst_of_the_article_are_left_out_if_asked() -> None:
    html = f"<p>{SENTENCE * 3}</p><div>{LINK}</div><p>{SENTENCE * 3}</p>"
    assert "some other story" in chosen_text(html)
    assert "some other story" not in chosen_text(html, replace(mss.PAPER, drop_links=True))


def test_of_two_equal_stretches_the_first_is_chosen() -> None:
    html = f"<p>{SENTENCE}</p>{MENU}<p>{SENTENCE.replace('hills', 'moors')}</p>"
    assert "hills" in chosen_text(html)
    assert "moors" not in chosen_text(html)


def test_the_second_part_of_an_article_is_chosen_if_it_scores_nearly_as_much() -> None:
    html = f"<p>{SENTENCE * 3}</p>{MENU}<p>{SENTENCE * 2}</p>{MENU}<p>Small print.</p>"
    assert chosen_text(html).count("It rained") == 3
    text = chosen_text(html, replace(mss.PAPER, also=0.5))
    assert text.count("It rained") == 5
    assert "some other story" not in text
    assert "Small print" not in text


def test_a_paragraph_without_spaces_weighs_what_its_words_weigh() -> None:
    page = Page.from_html("<p>东京发布新规定东京</p>")
    by_words = replace(mss.PAPER, by_words=True)
    _, score = mss.choose(page, everything(page), by_words)
    assert score == 5 * mss.WORD  # nine characters


def test_many_short_segments_are_no_article_where_each_has_a_cost() -> None:
    table = "<table>" + "<tr><td>Hills</td><td>12 mm</td></tr>" * 60 + "</table>"
    html = f"{table}{MENU}{ARTICLE}"
    assert "12 mm" in chosen_text(html)
    assert chosen_text(html, replace(mss.PAPER, cost=40)).startswith("It rained")


def test_what_an_earlier_method_has_marked_is_noise() -> None:
    page = Page.from_html(f"<div>{SENTENCE * 9}</div>{MENU}{ARTICLE}")
    marked = page.below(page.rows(frozenset({"div"})))
    before = Choice.everything(page).without("static", marked)
    for name in ("mss:paper", "mss"):
        (step,) = method_named(name).steps
        after = step.run(page, Evidence(), before)
        assert not (after.rows & marked).any()
        assert (after.rows & page.is_text).any()
        assert after.noise == before.noise


def test_marked_words_within_a_chosen_segment_are_left_out() -> None:
    page = Page.from_html(f"<p>{SENTENCE}<b>Read on!</b></p>")
    marked = page.below(page.rows(frozenset({"b"})))
    rows, _ = mss.choose(page, ~marked)
    assert [page.text[row].strip() for row in page.text_rows[rows[page.text_rows]]] == [
        SENTENCE.strip()
    ]


def test_pictures_between_the_chosen_texts_are_chosen() -> None:
    page = Page.from_html(f"<img src=0>{ARTICLE}<img src=1>{ARTICLE}<img src=2>")
    rows, _ = mss.choose(page, everything(page))
    assert rows[page.rows(frozenset({"img"}))].tolist() == [False, True, False]


@pytest.mark.parametrize("parameters", [mss.PAPER, mss.TUNED])
@pytest.mark.parametrize(
    "html", ["<p></p>", "<html>", "<img src=x>", "<script>x</script>", MENU, "<b></b>"]
)
def test_a_page_without_running_text_has_no_article(html: str, parameters: mss.Parameters) -> None:
    page = Page.from_html(html)
    rows, score = mss.choose(page, everything(page), parameters)
    assert not rows.any()
    assert score == 0


def test_a_page_that_is_all_marked_has_no_article() -> None:
    page = Page.from_html(ARTICLE)
    rows, score = mss.choose(page, ~everything(page))
    assert not rows.any()
    assert score == 0


def test_one_word_is_chosen_if_it_is_all_there_is() -> None:
    assert chosen_text("word") == "word"


def test_without_links_all_the_text_is_chosen() -> None:
    paragraphs = f"<p>{SENTENCE}</p>" * 3
    for parameters in (mss.PAPER, mss.TUNED):
        assert chosen_text(paragraphs, parameters).count("It rained") == 3


def test_text_that_only_a_stylesheet_makes_small_is_left_out_of_a_page_that_was_rendered() -> None:
    notice = "All rights to these pages are reserved, and none of them may be printed again. " * 2
    html = f"<body>{ARTICLE}<section>{notice}</section>"
    read = newsclean.extract(html, method="mss:paper").body
    seen = newsclean.extract(
        html, method="mss:paper", snapshot=drawn(html, sizes={"section": 10.0})
    ).body
    assert notice.strip() in read
    assert "reserved" not in seen
    assert seen.count("It rained all day long") == 4


#: Few different values, so that ties and zeros are common.
scores = st.lists(st.integers(-4, 4), max_size=14)


def stretches(sequence: list[int]) -> list[tuple[int, int]]:
    size = len(sequence)
    return [(a, b) for a in range(size) for b in range(a + 1, size + 1)]


def by_brute_force(sequence: list[int]) -> list[Stretch]:
    """Ruzzo and Tompa, proposition 1: every proper subsequence scores less, and no proper
    supersequence has that property. The empty subsequence scores 0."""
    found = stretches(sequence)
    total = {(a, b): sum(sequence[a:b]) for a, b in found}
    tight = [
        (a, b)
        for a, b in found
        if total[a, b] > 0
        and all(
            total[c, d] < total[a, b]
            for c in range(a, b)
            for d in range(c + 1, b + 1)
            if (c, d) != (a, b)
        )
    ]
    return [
        Stretch(a, b, total[a, b])
        for a, b in tight
        if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in tight)
    ]


@given(scores)
def test_it_finds_what_brute_force_finds(sequence: list[int]) -> None:
    assert maximal_subsequences(sequence) == by_brute_force(sequence)


@given(scores)
def test_the_best_one_has_the_highest_sum_of_all_stretches(sequence: list[int]) -> None:
    best = max((stretch.score for stretch in maximal_subsequences(sequence)), default=0)
    highest = max((sum(sequence[a:b]) for a, b in stretches(sequence)), default=0)
    assert best == max(highest, 0)


@given(scores)
def test_the_best_one_alone_is_the_first_of_the_best_of_all(sequence: list[int]) -> None:
    every = maximal_subsequences(sequence)
    first = max(every, key=lambda stretch: stretch.score, default=Stretch(0, 0, 0))
    assert best_subsequence(np.array(sequence, dtype=float)) == first


@given(st.lists(st.integers(-1000, 1000), max_size=200))
def test_they_stand_in_order_do_not_overlap_and_hold_every_positive_score(
    sequence: list[int],
) -> None:
    found = maximal_subsequences(sequence)
    covered = [place for stretch in found for place in range(stretch.start, stretch.stop)]
    assert covered == sorted(set(covered))
    assert {place for place, score in enumerate(sequence) if score > 0} <= set(covered)
    assert all(stretch.score == sum(sequence[stretch.start : stretch.stop]) for stretch in found)


@given(scores)
def test_read_backwards_they_are_the_same_stretches(sequence: list[int]) -> None:
    size = len(sequence)
    backwards = maximal_subsequences(sequence[::-1])
    turned = [Stretch(size - stop, size - start, score) for start, stop, score in backwards[::-1]]
    assert maximal_subsequences(sequence) == turned


def test_the_slides_example_is_one_subsequence() -> None:
    assert maximal_subsequences([5, 27, 33]) == [Stretch(0, 3, 65)]


def test_the_example_of_ruzzo_and_tompa() -> None:
    found = maximal_subsequences([4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5])
    assert found == [Stretch(0, 1, 4), Stretch(2, 3, 3), Stretch(4, 11, 7)]


def test_two_that_a_loss_of_their_own_size_parts_stay_two() -> None:
    assert maximal_subsequences([2, -2, 2]) == [Stretch(0, 1, 2), Stretch(2, 3, 2)]


@pytest.mark.parametrize("sequence", [[], [0], [-1, -2], [0, 0, -3]])
def test_without_a_positive_score_there_is_none(sequence: list[int]) -> None:
    assert maximal_subsequences(sequence) == []


class Counted(int):
    """A number that counts how often it, or a sum of it, is compared."""

    compared = 0

    def __add__(self, other: int) -> Self:
        return type(self)(int(self) + int(other))

    __radd__ = __add__

    def __ge__(self, other: Any) -> bool:
        Counted.compared += 1
        return int(self) >= int(other)

    def __le__(self, other: Any) -> bool:
        Counted.compared += 1
        return int(self) <= int(other)


@pytest.mark.parametrize(
    "sequence",
    [
        [1] * 20_000,
        [1, -1] * 10_000,
        [2, -1] * 10_000,
        [1, -2] * 10_000,
        [*range(10_000, 0, -1), *[-1, 2] * 5_000],
        # falling and then rising: each search passes many candidates
        [1, -3] * 5_000 + [3, -1] * 5_000,
    ],
)
def test_the_comparisons_are_a_few_for_each_score_however_long_the_sequence(
    sequence: list[int],
) -> None:
    Counted.compared = 0
    found = maximal_subsequences(map(Counted, sequence))
    assert found == maximal_subsequences(sequence)
    assert 0 < Counted.compared <= 5 * len(sequence)  # a quadratic search makes millions
