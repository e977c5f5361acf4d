"""The filter by the n-th ancestor against its paper."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.extraction.methods import tree_filter
from newsclean.extraction.methods.chain import Choice
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page


def kept(html: str, n: int = 2) -> str:
    page = Page.from_html(html)
    rows, _ = tree_filter.largest_group(
        page, Choice.everything(page).rows, tree_filter.Parameters(n=n)
    )
    return " ".join(page.text[row].strip() for row in page.text_rows[rows[page.text_rows]])


def paragraph_tags(html: str) -> list[str]:
    page = Page.from_html(html)
    return [page.tag[row] for row in tree_filter.paragraphs(page, page.text_rows)]


def test_the_grandparent_is_the_published_ancestor() -> None:
    assert tree_filter.PAPER.n == 2
    assert tree_filter.Parameters() == tree_filter.PAPER


def test_the_innermost_listed_tag_is_the_paragraph() -> None:
    html = "<article><div><p>a <b>c</b></p></div><ul><li>d</ul><h2>e</h2></article>"
    assert paragraph_tags(html) == ["p", "p", "ul", "h2"]


def test_text_beside_a_paragraph_is_one_of_its_own() -> None:
    assert paragraph_tags("<div>a <b>c</b><p>d</p></div>") == ["#text", "b", "p"]


def test_an_empty_tag_inside_does_not_end_a_paragraph() -> None:
    assert paragraph_tags("<div>a <div class=advert></div> c</div>") == ["div", "div"]


class Counted(list[str]):
    """A list that counts how often it is asked."""

    asked = 0

    def __getitem__(self, place: Any) -> Any:
        self.asked += 1
        return super().__getitem__(place)

    def __iter__(self) -> Iterator[str]:
        self.asked += len(self)
        return super().__iter__()


def test_each_row_is_looked_at_a_few_times_however_deep_the_page() -> None:
    page = Page.from_html(f"<div>{'<b>' * 200}{'words <br>' * 1000}")
    page.tag = tags = Counted(page.tag)
    found = tree_filter.paragraphs(page, page.text_rows)
    assert {page.tag[row] for row in found} == {"div"}
    assert tags.asked < 4 * len(page)  # each text has 200 tags above it


def climbed(page: Page) -> list[tuple[int, int]]:
    """The innermost listed tag above each text, and the branch of it that holds the text."""
    found = []
    for row in page.text_rows.tolist():
        branch, holder = row, int(page.parent[row])
        while holder >= 0 and page.tag[holder] not in tree_filter.PARAGRAPHS:
            branch, holder = holder, int(page.parent[holder])
        found.append((holder, branch))
    return found


trees = st.recursive(
    st.just("x "),
    lambda inner: st.builds(
        "<{0}>{1}</{0}>".format,
        st.sampled_from(["div", "b", "i", "ul", "li", "section", "span"]),
        st.lists(inner, max_size=4).map("".join),
    ),
    max_leaves=20,
)


@given(trees)
def test_paragraphs_are_those_that_climbing_from_each_text_finds(html: str) -> None:
    page = Page.from_tree(Page.from_html(f"<main>{html}</main>").elements("main")[0])
    found = climbed(page)
    holders = {holder for holder, _ in found}
    expected = [
        branch
        if holder < 0 or any(holder < other <= page.end[holder] for other in holders)
        else holder
        for holder, branch in found
    ]
    assert tree_filter.paragraphs(page, page.text_rows).tolist() == expected


def test_the_group_with_most_text_wins() -> None:
    story = "<div><div><p>The story.</p><p>It goes on.</p></div></div>"
    related = "<div><div><p>Another</p></div></div>"  # figure 1 of the paper: related content
    assert kept(related + story + related) == "The story. It goes on."


def test_of_equal_groups_the_first_wins() -> None:
    html = "<div><div><p>one</p></div></div><div><div><p>two</p></div></div>"
    assert kept(html) == "one"


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, "a long text"),
        (2, "a long text a box"),
        (3, "a long text a box an advert"),
        (4, "a long text a box an advert related"),
        (99, "a long text a box an advert related menu"),
    ],
)
def test_a_higher_ancestor_keeps_more(n: int, expected: str) -> None:
    inner = "<section><div><p>a long text</p></div><div><p>a box</p></div></section>"
    middle = f"<div>{inner}<section><div><p>an advert</p></div></section></div>"
    outer = f"<div>{middle}<div><section><div><p>related</p></div></section></div></div>"
    menu = "<div><div><section><div><p>menu</p></div></section></div></div>"
    assert kept(f"{outer}{menu}", n) == expected


def test_a_sibling_of_the_content_passes() -> None:
    # Section 7, point 3: links that are placed as siblings of the content pass the filter.
    html = "<article><div><p>The story.</p><p><a href=/>Advert</a></p></div></article>"
    assert kept(html) == "The story. Advert"


def test_a_quote_deeper_than_the_text_is_lost() -> None:
    # Section 7, point 4: summaries and quotes are discarded.
    html = "<div><div><p>The story.</p><blockquote><div><p>Quote</p></div></blockquote></div></div>"
    assert kept(html) == "The story."


def test_tables_are_paragraphs_beside_the_text() -> None:
    html = "<div><div><p>The story.</p><table><tr><td>1<td>2</table></div></div>"
    assert kept(html) == "The story. 1 2"


def test_what_was_not_chosen_before_stays_out() -> None:
    page = Page.from_html("<div><p>story</p><p>noise</p></div>")
    noise = page.below(page.rows({"p"})[1:])
    rows, share = tree_filter.largest_group(page, ~noise)
    assert not (rows & noise).any()
    assert share == 1.0


@pytest.mark.parametrize("html", ["<p>", "<div><img></div>"])
def test_a_page_without_text_gives_nothing(html: str) -> None:
    assert kept(html) == ""


def test_text_outside_every_listed_tag_is_kept() -> None:
    page = Page.from_tree(Page.from_html("<span>all <b>of</b> it</span>").elements("span")[0])
    rows, _ = tree_filter.largest_group(page, np.ones(len(page), dtype=bool))
    assert rows[page.text_rows].any()


@pytest.mark.parametrize("n", [0, -1])
def test_an_ancestor_below_one_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match=f"n is {n}; it must be 1"):
        tree_filter.Parameters(n=n)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tree", ["a long text", "a box"]),
        ("tree:paper", ["a long text", "a box"]),
        ("tree:n=1", ["a long text"]),
        ("tree:n=2", ["a long text", "a box"]),
        ("tree:n=3", ["a long text", "a box", "an advert"]),
        ("tree:tuned", ["a long text", "a box", "an advert"]),
    ],
)
def test_the_name_says_which_ancestor_and_the_bare_name_the_published_one(
    name: str, expected: list[str]
) -> None:
    inner = "<section><div><p>a long text</p></div><div><p>a box</p></div></section>"
    page = Page.from_html(f"{inner}<section><div><p>an advert</p></div></section>")
    rows = method_named(name).choose(page).rows
    assert [page.text[row] for row in page.text_rows[rows[page.text_rows]]] == expected


@pytest.mark.parametrize("name", ["tree:n=0", "tree:n=-1", "boilerpipe-tree:n=two", "tree:n="])
def test_an_ancestor_that_is_no_number_from_one_on_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: n is a number, 1"):
        method_named(name)


@pytest.mark.parametrize(
    "name", ["boilerpipe-tree", "boilerpipe+tree", "coreex+tree:n=2", "boilerpipe-tree:n=1", "tree"]
)
def test_the_filter_follows_any_method(name: str) -> None:
    story = "<div><div>" + f"<p>{'word ' * 60}</p>" * 2 + "</div></div>"
    page = Page.from_html(f"{story}<div><section><p>{'aside ' * 30}</p></section></div>")
    rows = method_named(name).choose(page).rows
    texts = [page.text[row] for row in page.text_rows[rows[page.text_rows]]]
    assert texts
    assert not any("aside" in text for text in texts)
