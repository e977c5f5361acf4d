"""Markdown: what the clean HTML says, and no more, when it is rendered again."""

import time

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt

from newsclean.extraction.body.markdown import render_markdown
from newsclean.extraction.page.columns import LINE_BREAKING

from .soups import hostile, html_of, soups, with_words

COMMONMARK = MarkdownIt("commonmark", {"maxNesting": 400}).enable(["table", "strikethrough"])


def words_of(html: str) -> list[str]:
    """The words that a reader of HTML sees; a block or a line break parts them."""
    root = lxml.html.fragment_fromstring(html, create_parent="div")
    parts: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if element.tag in LINE_BREAKING or element.tag == "br":
            parts.append(" ")
        parts.append((element.text if event == "start" else element.tail) or "")
    return "".join(parts).split()


def again(html: str) -> str:
    return str(COMMONMARK.render(render_markdown(html))).strip()


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>Rain</h2><p>It rains.</p>", "## Rain\n\nIt rains."),
        ("<h3>C #</h3>", "### C \\#"),
        ("<p>so <em>very</em> <strong>wet</strong></p>", "so _very_ **wet**"),
        ("<p>un<em>believ</em>able</p>", "un*believ*able"),
        ("<p><del>dry</del> wet</p>", "~~dry~~ wet"),
        ("<p>10<sup>2</sup> H<sub>2</sub>O</p>", "10² H₂O"),
        ("<p>One<br>two</p>", "One\\\ntwo"),
        ("<p><b>One </b>two</p>", "**One** two"),
        ("<p>word<b>(x)</b>word</p>", "word(x)word"),
        ("<p><b>a</b><b>b</b></p>", "**ab**"),
        (
            '<p>see <a href="https://a.example/x_(y)">it</a></p>',
            "see [it](<https://a.example/x_(y)>)",
        ),
        ('<p>so! <a href="https://a.example/a b">x</a></p>', "so! [x](https://a.example/a%20b)"),
        ('<p>so!<a href="https://a.example/">x</a></p>', "so\\![x](https://a.example/)"),
        ("<ul><li>One<ul><li>in</li></ul></li><li>Two</li></ul>", "- One\n  - in\n- Two"),
        ('<ol start="9"><li>Nine</li><li>Ten</li></ol>', "9. Nine\n10. Ten"),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"),
        ("<blockquote><p>One</p><p>two</p></blockquote>", "> One\n>\n> two"),
        ("<pre>a\n  b</pre>", "```\na\n  b\n```"),
        ("<pre>```\nx</pre>", "````\n```\nx\n````"),
        ("<p><code>a`b</code></p>", "``a`b``"),
        ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", "- **Term**\\\n  Meaning"),
        ("<p>a</p><hr><p>b</p>", "a\n\n___\n\nb"),
        (
            '<figure><img src="https://a.example/r.jpg" alt="wet"><figcaption>Monday</figure>',
            "![wet](https://a.example/r.jpg)\\\nMonday",
        ),
        (
            "<table><tr><th>Town</th><th>a|b</th></tr><tr><td>Oslo</td><td>2<br>3</td></tr></table>",
            "| Town | a\\|b |\n| --- | --- |\n| Oslo | 2 3 |",
        ),
        (
            '<table><tr><td rowspan="2">A</td><td>1</td></tr><tr><td>2</td></tr></table>',
            "|  |  |\n| --- | --- |\n| A | 1 |\n|  | 2 |",
        ),
    ],
)
def test_formatting_has_its_markdown(html: str, markdown: str) -> None:
    assert render_markdown(html) == markdown


@pytest.mark.parametrize(
    "text",
    [
        "1. May", "# tag", "- dash", "+ plus", "* star", "> more", "---", "===", "a * b * c",
        "snake_case and __init__", "&amp; &copy;", "<b>bold</b>", "[x](javascript:y)", "![a](b)",
        "`code`", "~~gone~~", "| a | b |", ":-: ", "back\\slash", "<!-- x -->", "<https://a.example>",
    ],
)  # fmt: skip
def test_a_text_that_looks_like_markup_says_what_it_said(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    shown = again(f"<p>{escaped}</p><p>a<br>{escaped}</p><ul><li>{escaped}</li></ul>")
    assert words_of(shown) == [*text.split(), "a", *text.split(), *text.split()]
    assert not {e.tag for e in lxml.html.fromstring(f"<div>{shown}</div>").iter()} - {
        "div", "p", "br", "ul", "li",
    }  # fmt: skip


@pytest.mark.parametrize("url", ["javascript:x()", "JaVaScript:x", "java\nscript:x", "data:,x"])
def test_a_url_that_nobody_may_follow_leaves_its_words(url: str) -> None:
    assert render_markdown(f'<p><a href="{url}">go</a><img src="{url}"></p>') == "go"


TAGS = """
<b> </b> <em> </em> <s> </s> <code> </code> <br> <p> <ul><li> </ul> <ol><li> </ol> <li> <a|href=/x>
</a> <blockquote> </blockquote> <h2> </h2> <dl><dt> <dd> </dl> <pre> </pre> <table><tr><td> <td>
<tr><td> </table> <sup> </sup>
""".split()
SIGNS = "word 1. 2) - + # * _ a_b ` `` ~ [ ] ( ) &amp;amp; &lt;b&gt; \\ ! --- === :- “x” é 日本 2"
MARKUP = st.lists(st.sampled_from([*TAGS, *SIGNS.split(), "|", " "]), max_size=40).map(
    lambda parts: "".join(part.replace("<a|", "<a ") for part in parts)
)


@given(MARKUP)
def test_rendered_again_it_has_the_same_words_in_the_same_order(html: str) -> None:
    clean = html_of(html)
    found = "".join(words_of(again(clean)))
    level = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾", "0123456789+-=()")
    assert found.translate(level) == "".join(words_of(clean))


@given(soups)
def test_markdown_of_any_soup_has_its_words_in_order(tags: list[str]) -> None:
    clean = html_of(with_words(tags))
    assert sorted(words_of(again(clean))) == sorted(words_of(clean))


@given(hostile)
def test_no_raw_html_and_no_script_is_in_the_markdown_of_any_page(html: str) -> None:
    markdown = render_markdown(html_of(html))
    kinds = {child.type for token in COMMONMARK.parse(markdown) for child in token.children or ()}
    assert not kinds & {"html_inline"}
    assert "html_block" not in {token.type for token in COMMONMARK.parse(markdown)}
    rendered = lxml.html.fromstring(f"<div>{COMMONMARK.render(markdown)}</div>")
    for element in rendered.iter("a", "img"):
        address = element.get("href") or element.get("src") or ""
        assert address.startswith(("http://", "https://", "mailto:"))


@pytest.mark.parametrize(
    "html",
    [
        "<b>" * 200 + "x" * 20_000,
        "<p>" + "<b>a</b>b" * 10_000,
        "<ul><li>" * 50 + "x",
        "<table><tr>"
        + "<td rowspan=99999 colspan=99999>x" * 300
        + "<tr><td>y" * 3_000
        + "</table>",
    ],
)
def test_no_page_takes_long(html: str) -> None:
    before = time.process_time()
    assert render_markdown(html)
    assert time.process_time() - before < 5


def test_a_block_inside_a_heading_is_apart_from_the_words_around_it() -> None:
    assert words_of(again("<h2>Rain<figcaption>Snow</figcaption>Hail</h2>")) == [
        "Rain", "Snow", "Hail",
    ]  # fmt: skip


def test_quotes_nested_beyond_reason_do_not_multiply_the_text() -> None:
    markdown = render_markdown("<blockquote>" * 100 + "<p>rain</p>" * 100)
    lines = [line for line in markdown.split("\n") if line.endswith("rain")]
    assert len(lines) == 100
    assert {line.count(">") for line in lines} == {20}
