"""The page as flat columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from newsclean.extraction.page import Page, PageError
from newsclean.extraction.page.columns import TEXTLESS


def test_rows_are_in_document_order_with_their_subtrees() -> None:
    page = Page.from_html("<html><body><div><p>a</p><p>b</p></div><p>c</p></body></html>")
    assert page.tag == ["html", "body", "div", "p", "#text", "p", "#text", "p", "#text"]
    assert page.end.tolist() == [8, 8, 6, 4, 4, 6, 6, 8, 8]
    assert page.parent.tolist() == [-1, 0, 1, 2, 3, 2, 5, 1, 7]
    assert page.depth.tolist() == [0, 1, 2, 3, 4, 3, 4, 2, 3]


def test_counts_of_a_subtree_are_sums_of_its_range() -> None:
    page = Page.from_html("<div>one two <a href=/>three</a></div><p>four five six</p>")
    words = dict(zip(page.tag, page.subtree(page.words).tolist(), strict=True))
    assert (words["body"], words["div"], words["a"], words["p"]) == (6, 3, 1, 3)


def test_text_after_a_comment_is_not_lost() -> None:
    tree = html.document_fromstring("<p>before<!-- x -->after</p>")
    assert "".join(Page.from_tree(tree).text.values()) == "beforeafter"


def test_script_and_style_are_no_text() -> None:
    page = Page.from_html("<style>p{}</style><p>seen</p><script>var x = 'unseen'</script>tail")
    assert list(page.text.values()) == ["seen", "tail"]


def test_words_of_inline_neighbors_are_neither_glued_nor_torn() -> None:
    page = Page.from_html("<p>Hel<b>lo</b> <i>wide</i>\n<u>world</u>")
    assert page.blocks.text == ["Hello wide world"]


def test_two_line_breaks_part_paragraphs_and_one_does_not() -> None:
    page = Page.from_html("<td>one<br>two<br><br>three")
    assert page.blocks.text == ["one two", "three"]


def test_nested_links_count_as_the_outer_one() -> None:
    page = Page.from_html("<div><a href=/1>one <span>two</span></a> three</div>")
    outer = page.tag.index("a")
    assert page.link[page.text_rows].tolist() == [outer, outer, -1]


def test_words_are_counted_where_the_script_has_no_spaces() -> None:
    page = Page.from_html("<p>东京都政府周三发布了新的交通规定</p>")
    assert 7 <= int(page.words.sum()) <= 12


def test_deeply_nested_elements_are_walked_without_recursion() -> None:
    deep = 5_000
    tree = etree.Element("html")
    node = tree
    for _ in range(deep):
        node = etree.SubElement(node, "div")
    node.text = "bottom"
    page = Page.from_tree(tree)
    assert len(page) == deep + 2
    assert int(page.depth.max()) == deep + 1


def test_a_hundred_thousand_nested_tags_are_parsed() -> None:
    page = Page.from_html("<div>" * 100_000 + "<p>bottom")
    assert len(page) > 1000


@pytest.mark.parametrize("empty", ["", "  \n", b"", b"\x00 \x00"])
def test_an_empty_page_is_an_error_with_a_reason(empty: str | bytes) -> None:
    with pytest.raises(PageError) as error:
        Page.from_html(empty)
    assert error.value.reason in ("empty", "not-html")


@pytest.mark.parametrize(
    "body", [b"%PDF-1.7\n\x00\x01", b"\x89PNG\r\n\x1a\n", b"\x00\x01\x02" * 99]
)
def test_binary_content_is_an_error_with_a_reason(body: bytes) -> None:
    with pytest.raises(PageError, match="not an HTML page"):
        Page.from_html(body)


def test_a_path_string_reads_as_in_the_paper() -> None:
    """StaDyNoT 3.2: 0(html)-1(body)-12(div)-0(div)-3(p)."""
    inner = "<div><i></i><i></i><i></i><p id=x>text</p></div>"
    page = Page.from_html(
        "<html><head></head><body>" + "<div></div>" * 12 + f"<div>{inner}</div></body></html>"
    )
    assert page.path(page.tag.index("p")) == "0(html)-1(body)-12(div)-0(div)-3(p)"


pieces = st.sampled_from(
    "<div>|</div>|<p>|</p>|<a href=/x>|</a>|<br>|<b>|</b>|<table><tr><td>|</table>|<!-- c -->|word "
    "| two words|\n|<script>x</script>|<ul><li>|</ul>".split("|")
)


@given(st.lists(pieces, min_size=1, max_size=60))
def test_columns_agree_with_the_tree(parts: list[str]) -> None:
    page = Page.from_html("<body>x" + "".join(parts))
    rows = np.arange(len(page))
    assert (page.end >= rows).all()
    assert (page.parent < rows).all()
    inner = page.parent[1:]
    assert (page.end[inner] >= page.end[1:]).all()
    assert (page.depth[1:] == page.depth[inner] + 1).all()
    assert page.subtree(page.words)[0] == page.words.sum()
    assert sorted(page.text) == page.text_rows.tolist() == np.flatnonzero(page.is_text).tolist()


def told(node: etree._Element, silent: bool = False) -> list[object]:
    """A tree in the plainest way: tags, the rows inside them, and what a reader sees of texts."""
    rows: list[object] = []
    silent = silent or node.tag in TEXTLESS
    texts = [node.text, *(child.tail for child in node)]
    below = [[], *([told(child, silent)] if isinstance(child.tag, str) else [] for child in node)]
    for text, inner in zip(texts, below, strict=True):
        rows += inner
        if text and text.split() and not silent:
            rows.append(" ".join(text.split()))
    return [node.tag, rows]


def told_by_columns(page: Page, row: int = 0) -> list[object]:
    inner: list[object] = []
    below = row + 1
    while below <= page.end[row]:
        assert page.parent[below] == row
        inner.append(
            page.text[below].strip() if below in page.text else told_by_columns(page, below)
        )
        below = int(page.end[below]) + 1
    return [page.tag[row], inner]


odd_pieces = st.sampled_from(
    [*"<svg><text>|</svg>|<title>t</title>|<script>x<y</script>|<!-- > -->|<?pi x>|<div <b>|<i<b>"
     "|<b a='>'>|&lt;b&gt;|&nbsp;|\x0c|\x01|<hr>|</body>|</html>|<textarea><b>|<select><p>|<math>x"
     "|<x:y z>|<p/>|<br/>|<noscript>".split("|")]
)  # fmt: skip


@given(st.lists(pieces | odd_pieces, min_size=1, max_size=50), st.booleans())
def test_columns_tell_the_tree_whatever_the_markup(parts: list[str], comments: bool) -> None:
    markup = "<body>x" + "".join(parts)
    page = Page.from_tree(html.document_fromstring(markup)) if comments else Page.from_html(markup)
    assert told_by_columns(page) == told(page.root)
    elements = [element for element in page.element if element is not None]
    assert elements == list(page.root.iter("*"))
    assert [page.tag[row] for row, element in enumerate(page.element) if element is not None] == [
        element.tag for element in elements
    ]


def test_a_branch_of_a_tree_can_be_a_page() -> None:
    tree = html.document_fromstring("<div>before<p>one <b>two</b> three</p>after</div>")
    branch = tree.find(".//p")
    assert branch is not None
    page = Page.from_tree(branch)
    assert page.tag == ["p", "#text", "b", "#text", "#text"]
    assert page.blocks.text == ["one two three"]
