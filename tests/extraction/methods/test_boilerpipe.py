"""Boilerpipe's article extractor against its paper."""

import time

import numpy as np
import pytest

from newsclean.extraction.methods import boilerpipe
from newsclean.extraction.methods.boilerpipe import is_end_mark
from newsclean.extraction.methods.chain import Choice, Evidence
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page
from newsclean.extraction.page.columns import Mask

LINKS = "<ul>" + "".join(f"<li><a href=/{n}>section {n}</a>" for n in range(8)) + "</ul>"


def words(count: int, word: str = "word") -> str:
    return f"<p>{' '.join([word] * count)}</p>"


def everything(page: Page) -> Mask:
    return np.ones(len(page), dtype=bool)


def content(html: str) -> list[bool]:
    """What algorithm 2 says of each block."""
    page = Page.from_html(html)
    return list(map(bool, boilerpipe.classify(boilerpipe.measure(page, everything(page)))))


def text_of(page: Page, rows: Mask) -> str:
    return " ".join(page.text[row].strip() for row in page.text_rows[rows[page.text_rows]])


def chosen_text(html: str, parameters: boilerpipe.Parameters = boilerpipe.PAPER) -> str:
    page = Page.from_html(html)
    return text_of(page, boilerpipe.choose(page, everything(page), parameters)[0])


def test_link_density_is_the_share_of_words_in_links() -> None:
    page = Page.from_html("<p>three words here <a href=/x>and one</a></p>")
    features = boilerpipe.measure(page, everything(page))
    assert features.words.tolist() == [5]
    assert features.link_density.tolist() == [0.4]


@pytest.mark.parametrize(("count", "expected"), [(16, False), (17, True)])
def test_a_lone_block_is_content_from_17_words_on(count: int, expected: bool) -> None:
    assert content(words(count)) == [expected]


@pytest.mark.parametrize(("count", "expected"), [(15, False), (16, True)])
def test_a_short_block_is_content_before_one_of_16_words(count: int, expected: bool) -> None:
    assert content(words(2) + words(count))[0] is expected


@pytest.mark.parametrize(("count", "expected"), [(4, False), (5, True)])
def test_a_short_block_is_content_after_one_of_5_words(count: int, expected: bool) -> None:
    assert content(words(count) + words(3))[1] is expected


@pytest.mark.parametrize(("count", "expected"), [(40, False), (41, True)])
def test_after_links_a_block_is_content_from_41_words_on(count: int, expected: bool) -> None:
    assert content(f"<p><a href=/>a menu</a></p>{words(count)}")[1] is expected


@pytest.mark.parametrize(("count", "expected"), [(17, False), (18, True)])
def test_after_links_a_block_is_content_before_one_of_18_words(count: int, expected: bool) -> None:
    assert content(f"<p><a href=/>a menu</a></p>{words(3)}{words(count)}")[1] is expected


@pytest.mark.parametrize(("linked", "expected"), [(9, True), (10, False)])
def test_a_block_with_a_third_of_links_is_not_content(linked: int, expected: bool) -> None:
    plain = " ".join(["word"] * (30 - linked))
    assert content(f"<p>{plain} <a href=/>{'link ' * linked}</a></p>") == [expected]


def test_the_last_line_does_not_count_for_the_density_of_a_long_block() -> None:
    # 16 words of 4 letters and 15 spaces fill 79 of 80 characters.
    assert boilerpipe.text_density("word " * 33, 33) == 16
    assert boilerpipe.text_density("word " * 16, 16) == 16
    assert boilerpipe.text_density("", 0) == 0


def test_a_subheading_before_content_is_content() -> None:
    html = words(40) + LINKS + "<h2>What now</h2>" + words(50)
    assert "What now" in chosen_text(html)


def test_stretches_join_across_one_block_and_not_across_two() -> None:
    menu = "<p><a href=/>menu entry</a></p>"
    # The block before content joins it, so that a gap of two links is a gap of one.
    assert chosen_text(words(50) + menu * 2 + words(60, "more")).count("word") == 50
    assert chosen_text(words(50) + menu * 3 + words(60, "more")).count("word") == 0


def test_tuned_stretches_join_across_a_box_of_links() -> None:
    html = words(50) + LINKS + words(60, "more")
    assert chosen_text(html, boilerpipe.PAPER).count("word") == 0
    assert chosen_text(html, boilerpipe.TUNED).count("word") == 50


def test_the_stretch_with_most_words_is_the_article() -> None:
    html = words(50, "teaser") + LINKS + words(90) + words(60) + LINKS + words(80, "notice")
    assert set(chosen_text(html).split()) - set("section 0 1 2 3 4 5 6 7".split()) == {"word"}


def test_text_between_title_and_article_is_added() -> None:
    def page(title: str) -> str:
        lead = f"<h1>A fine day in Oslo</h1>{words(45, 'lead')}"
        return f"<title>{title}</title>{words(60, 'top')}{LINKS}{lead}{LINKS}{words(90)}"

    text = chosen_text(page("A fine day in Oslo | The Paper"))
    assert (text.count("lead"), text.count("top")) == (45, 0)
    assert chosen_text(page("Another day")).count("lead") == 0


@pytest.mark.parametrize(
    "mark", ["Comments (3)", "14 Kommentare", "Deja un comentario", "コメント"]
)
def test_what_stands_behind_an_end_mark_is_not_content(mark: str) -> None:
    html = f"{words(80)}<h3>{mark}</h3>{words(30, 'reader')}"
    assert "reader" not in chosen_text(html)
    assert chosen_text(html).count("word") == 80


def test_an_end_mark_before_the_article_ends_nothing() -> None:
    assert chosen_text(f"{words(59)}<p>Comments</p>{words(90, 'story')}").count("story") == 90


def test_a_button_for_comments_above_the_article_ends_nothing() -> None:
    html = f"{words(70, 'lead')}<button>Comments</button>{words(90, 'story')}"
    assert "story" not in chosen_text(html, boilerpipe.PAPER)
    assert chosen_text(html, boilerpipe.TUNED).count("story") == 90


def test_without_end_marks_all_is_content() -> None:
    parameters = boilerpipe.Parameters(words_before_end=0)
    html = f"{words(80)}<h3>Comments (3)</h3>{words(30, 'reader')}"
    assert chosen_text(html, parameters).count("reader") == 30


def test_a_sentence_that_mentions_comments_is_no_end_mark() -> None:
    assert not is_end_mark("Comments by the minister caused an outcry")
    assert not is_end_mark("")
    assert not is_end_mark("2026")


def test_what_was_marked_as_noise_is_not_content() -> None:
    page = Page.from_html(words(40) + words(40, "noise") + words(40))
    before = Choice.everything(page)
    noise = page.below(page.rows({"p"})[1:2])
    for variant in ("paper", "tuned"):
        method = method_named(f"boilerpipe:{variant}")
        choice = method.steps[0].run(page, Evidence(), before.without("static", noise))
        text = text_of(page, choice.rows)
        assert "noise" not in text
        assert "word" in text


def test_text_for_browsers_without_scripts_is_ignored() -> None:
    html = words(60) + "<noscript>" + words(50, "enable") + "</noscript>"
    assert "enable" not in chosen_text(html)


def test_a_page_inside_an_ignored_tag_keeps_its_article() -> None:
    html = f"<object>{words(60)}</object>"
    assert chosen_text(html, boilerpipe.PAPER) == ""
    assert chosen_text(html, boilerpipe.TUNED).count("word") == 60


@pytest.mark.parametrize(
    "html", ["<div><img></div>", "<p>", "<title></title>", "<a href=/>menu</a>", "<p>one two"]
)
def test_a_page_without_content_gives_nothing(html: str) -> None:
    assert chosen_text(html) == ""


def test_text_without_spaces_is_counted_by_its_characters() -> None:
    assert len(chosen_text(f"<p>{'东京发布新规定' * 10}。</p>")) == 71


def test_a_picture_inside_the_article_is_chosen_with_it() -> None:
    page = Page.from_html(f"<img>{words(40)}<img>{words(40)}<img>")
    rows, score = boilerpipe.choose(page, everything(page))
    assert rows[page.rows({"img"})].tolist() == [False, True, False]
    assert score == 1.0


def test_a_title_of_spaces_costs_no_more_than_others() -> None:
    page = Page.from_html(f"<title>Rain{' ' * 20_000}snow</title>{words(60)}")
    before = time.process_time()
    assert method_named("boilerpipe").choose(page).rows.any()
    assert time.process_time() - before < 1
