"""CoreEx against its paper."""

import numpy as np

from newsclean.extraction.methods import coreex
from newsclean.extraction.page import Page

LINK = '<a href="/x">some other story</a>'


def count(html: str) -> tuple[Page, coreex.Counts]:
    page = Page.from_html(html)
    return page, coreex.count(page, np.ones(len(page), dtype=bool))


def chosen_text(html: str, parameters: coreex.Parameters) -> str:
    page = Page.from_html(html)
    rows, _ = coreex.choose(page, np.ones(len(page), dtype=bool), parameters)
    return " ".join(page.text[row].strip() for row in page.text_rows[rows[page.text_rows]])


def test_a_link_counts_as_one_word_and_one_link() -> None:
    page, counts = count(f"<p>three words here {LINK}</p>")
    paragraph = page.tag.index("p")
    assert counts.text[paragraph] == 4
    assert counts.link[paragraph] == 1


def test_counts_of_a_node_are_the_sums_of_its_children() -> None:
    page, counts = count(f"<div><p>one two</p><p>three {LINK}</p>{LINK}</div>")
    division = page.tag.index("div")
    assert (counts.text[division], counts.link[division]) == (2 + 2 + 1, 2)


def test_s_holds_the_children_whose_ratio_is_above_the_threshold() -> None:
    words = " ".join(["word"] * 19)
    page, counts = count(f"<div><p>{words} {LINK}</p><p>{words[:45]} {LINK}</p></div>")
    kept, dropped = page.rows(frozenset({"p"})).tolist()
    assert counts.in_set[kept]  # 19 / 20 = 0.95
    assert not counts.in_set[dropped]  # 9 / 10 = 0.9, and the paper says above
    division = page.tag.index("div")
    assert (counts.set_text[division], counts.set_link[division]) == (20, 1)


def test_the_score_is_the_papers_formula() -> None:
    words = " ".join(["word"] * 19)
    page, counts = count(f"<div><p>{words} {LINK}</p></div><ul><li>{LINK}</li></ul>")
    score = coreex.score_nodes(page, counts)
    expected = 0.99 * (20 - 1) / 20 + 0.01 * 20 / 21
    assert np.isclose(score[page.tag.index("div")], expected)


def test_of_equal_scores_the_higher_node_is_chosen() -> None:
    page, counts = count("<body><div><section>one two three</section></div></body>")
    score = coreex.score_nodes(page, counts)
    assert page.tag[coreex.main_content_node(page, score)] == "html"


def test_of_equal_siblings_the_first_is_chosen() -> None:
    side = f"<ul><li>{LINK}</li></ul>"
    page, counts = count(f"<div>a b c {side}</div><div>d e f {side}</div>{side}{side}")
    score = coreex.score_nodes(page, counts)
    score[0] = score[1] = 0
    first, second = page.rows(frozenset({"div"})).tolist()
    assert score[first] == score[second]
    assert coreex.main_content_node(page, score) == first


def test_forms_and_scripts_are_ignored() -> None:
    html = "<div>" + "word " * 50 + "</div><form>" + "choose " * 20 + "</form>"
    assert "choose" not in chosen_text(html, coreex.PAPER)


def test_link_free_paragraph_does_not_outscore_the_article() -> None:
    body = "".join(f"<p>{'word ' * 30}{LINK} {LINK} {'word ' * 30}</p>" for _ in range(6))
    html = f"<div id=a>{body}</div><div id=b><p>{'notice ' * 12}</p></div><div>{LINK * 30}</div>"
    assert chosen_text(html, coreex.PAPER).count("word") < 100
    assert chosen_text(html, coreex.TUNED).count("word") == 360


def test_a_page_inside_one_form_keeps_its_article() -> None:
    html = f"<form><div>{'word ' * 80}</div><div>{LINK * 20}</div></form>"
    assert chosen_text(html, coreex.PAPER) == ""
    assert chosen_text(html, coreex.TUNED).count("word") == 80


def test_a_page_without_text_has_no_main_content() -> None:
    assert chosen_text("<div><img></div>", coreex.TUNED) == ""
