"""The page in the frame: as it was, with its blocks marked, and nothing that runs or asks."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from newsclean import Extractor
from newsclean.apps.look.framed_page import BLOCK, framed_page
from newsclean.apps.look.marking import mark_blocks
from newsclean.extraction.page import Page, PageError
from tests.attack.vectors import VECTORS

from .pages import extraction_of, story

PIECES = (
    "<p>", "</p>", "<b>", "<table>", "<tr>", "text ", "<br><br>", "<form>", "<button>", "</form>",
    "<style>a{}</style>", "<svg><a>", "<select><option>", "<!-- c -->", "more", "<template>",
    "<h1>", "<noscript>", "<textarea>", "</div>", "<div>", "<custom-tag>", "&lt;script&gt;",
)  # fmt: skip


def framed(html: str) -> str:
    extraction = extraction_of(html)
    return framed_page(extraction.page, mark_blocks(extraction))


def body_of(document: str) -> str:
    return document.partition("</head>")[2]


def test_every_block_is_marked_with_its_number_and_its_text() -> None:
    extraction = extraction_of(story("Oslo"))
    blocks = mark_blocks(extraction)
    tree = lxml_html.fromstring(framed_page(extraction.page, blocks))
    for block in blocks:
        found = [e for e in tree.iter("*") if e.get(BLOCK) == str(block.number)]
        text = " ".join("".join("".join(map(str, e.itertext())) for e in found).split())
        assert text == block.text


def test_a_text_beside_other_blocks_is_marked_by_itself() -> None:
    extraction = extraction_of("<div>Before <p>one <b>two</b> three</p> after<ul><li>x</ul></div>")
    document = framed_page(extraction.page, mark_blocks(extraction))
    marked = re.findall(rf'<(\w+)[^>]*{BLOCK}="(\d)"', document)
    assert marked == [("span", "0"), ("p", "1"), ("span", "2"), ("li", "3")]


@pytest.mark.parametrize(
    "html",
    [
        "<html><head><noscript><div>Before the body</div></noscript></head><body><p>It rains",
        "<body><text><div><p>It rains</p></div></text><xmp><p>It snows</p></xmp><p>end",
        "<body><iframe><p>It rains</p></iframe><noembed><p>x</p></noembed><p>It snows</p>",
        "<button><p>It rains</p></button><select><option>One<option>Two</select>",
        "<object><p>It rains</p></object><canvas>Shown without scripts</canvas>",
    ],
)
def test_what_the_walk_reads_as_text_is_shown_whatever_is_around_it(html: str) -> None:
    extraction = extraction_of(html)
    blocks = mark_blocks(extraction)
    assert blocks
    document = framed_page(extraction.page, blocks)
    for block in blocks:
        assert f'{BLOCK}="{block.number}"' in document, block.text


def test_the_style_in_the_page_stays_and_cannot_end_early() -> None:
    document = framed(f"<style>p {{ color: red }} </style>{story('Oslo')}")
    assert "p { color: red }" in document
    evil = framed("<style>a{} <\\/style><!-- </sty" + "le><p>x</style><script>x()</script>")
    assert "<script" not in evil


def test_marks_of_the_page_itself_do_not_count() -> None:
    document = framed(f'<p {BLOCK}="7" tabindex="0">It rains</p><div {BLOCK}="0"></div>')
    assert document.count(f'{BLOCK}="0"') == 1
    assert f'{BLOCK}="7"' not in document


def test_no_known_vector_leaves_a_url_or_a_handler() -> None:
    for vector in VECTORS:
        source = vector.replace("HIT", "top.hit(0)")
        try:
            body = body_of(framed(f"{source}<p>It rains in the town today.</p>"))
        except PageError:
            continue
        tree = lxml_html.fromstring(body or "<p>")
        for element in tree.iter():
            names = set(element.attrib) if isinstance(element.tag, str) else set()
            assert not {n for n in names if str(n).startswith("on")}, vector
            assert not names & {"href", "action", "srcset", "formaction"}, vector
            address = element.get("src")
            assert address is None or f"{address!s}".startswith("data:image/"), vector
        assert not tree.xpath("//script|//iframe|//object|//embed|//svg|//math|//meta|//link")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_soup_can_be_framed(parts: list[str]) -> None:
    soup = "".join(parts) + "<p>end"
    try:
        page = Page.from_html(soup)
    except PageError:
        return
    blocks = mark_blocks(Extractor()(page))
    document = framed_page(page, blocks)
    assert "<script" not in document
    numbers = {int(n) for n in re.findall(rf'{BLOCK}="(\d+)"', document)}
    assert numbers <= {block.number for block in blocks}
