"""The body of a line that anybody may have written."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from newsclean.apps.reader.article_body import clean_body
from newsclean.apps.reader.article_pages import read_article, single_page
from newsclean.extraction.body.html import TAGS
from tests.attack.vectors import VECTORS

from .lines import line

URL = "https://example.org/news/rain.html"
SCROLL = '<div class="scroll" tabindex="0" role="group" aria-label="Table">'


def test_no_script_vector_survives_in_a_page() -> None:
    for vector in VECTORS:
        page = single_page(read_article(line(body_html=f"<p>Rain</p>{vector}", headline=vector)))
        body = clean_body(f"<p>Rain</p>{vector}", URL).html
        assert "<script" not in page.lower(), vector
        tree = html.fragment_fromstring(body, create_parent="div")
        for element in tree.iter():
            assert element.tag in {*TAGS, "div"}, vector
            assert not any(name.startswith("on") for name in element.attrib), vector
            for name in {"href", "src"} & {*element.attrib}:
                assert element.get(name).startswith(("http://", "https://", "mailto:")), vector


@given(st.text(st.sampled_from("<>/\"= abiplt'&;:#javscripthref"), max_size=120))
def test_cleaning_what_is_clean_changes_nothing(text: str) -> None:
    once = clean_body(text, URL).html
    assert clean_body(once, URL).html.replace(SCROLL, "") == once.replace(SCROLL, "")


def test_markup_in_fields_is_shown_as_text() -> None:
    page = single_page(read_article(line(headline="<b onclick=x>Rain</b>", authors=["<i>Ada"])))
    assert "<h1>&lt;b onclick=x&gt;Rain&lt;/b&gt;</h1>" in page
    assert "<bdi>&lt;i&gt;Ada</bdi>" in page


def test_pictures_go_and_their_captions_stay_if_none_are_wanted() -> None:
    figure = "<figure><img src=/a.jpg><figcaption>A wet street</figcaption></figure>"
    assert 'src="https://example.org/a.jpg"' in clean_body(figure, URL).html
    body = clean_body(figure, URL, images=False)
    assert body.html == "<figure><figcaption>A wet street</figcaption></figure>"
    assert body.pictures == frozenset()


def test_headings_follow_the_headline_without_gaps() -> None:
    found = clean_body("<h5>One</h5><h6>Two</h6><h1>Three</h1><h4></h4><h4>Four</h4>", URL).html
    assert found == "<h2>One</h2><h3>Two</h3><h2>Three</h2><h3>Four</h3>"


def test_a_table_scrolls_by_itself_and_an_attribute_cannot_forge_one() -> None:
    table = "<table><tbody><tr><td>1</td></tr></tbody></table>"
    assert clean_body(table, URL).html == f"{SCROLL}{table}</div>"
    forged = clean_body(
        '<p><abbr title="<table>">TLP</abbr></p><div class="skip">x</div>', URL
    ).html
    assert SCROLL not in forged
    assert "skip" not in forged


def test_items_are_in_lists_and_lists_hold_items() -> None:
    assert clean_body("<li>One</li>", URL).html == "<div>One</div>"
    assert clean_body("<ul><li>One</li></ul>", URL).html == "<ul><li>One</li></ul>"
    assert clean_body("<ul>words<li>One</li></ul>", URL).html == "<div>words<div>One</div></div>"


def test_words_nested_deeper_than_any_article_are_not_lost() -> None:
    body = clean_body("<blockquote>" * 5000 + "Rain" + "</blockquote>" * 5000 + "<p>Wind", URL)
    assert "Rain" in body.html
    assert "Wind" in body.html


def test_a_plain_text_is_shown_where_there_is_no_html() -> None:
    page = single_page(read_article(line(body_html="", body="Rain.\n\nWind.")))
    assert "<p>Rain.</p><p>Wind.</p>" in page


def test_the_page_of_a_language_from_right_to_left_says_so() -> None:
    page = single_page(read_article(line(language="ar")))
    assert '<html lang="ar" dir="rtl">' in page


def test_the_lead_picture_is_shown_once() -> None:
    lead = {"url": "https://example.org/a.jpg", "role": "lead", "caption": "Rain", "credit": "Bo"}
    shown = single_page(read_article(line(images=[lead])))
    assert shown.count("a.jpg") == 1
    assert "<figcaption>Rain <small>Bo</small></figcaption>" in shown
    twice = line(images=[lead], body_html="<p>x</p><img src='https://example.org/a.jpg'>")
    assert single_page(read_article(twice)).count("a.jpg") == 1


def test_fields_of_any_type_are_no_error() -> None:
    wrong: list[Any] = [None, 7, True, [], {}, [None, {}], {"a": 1}, "\ud800", "x" * 5000]
    names = [
        "headline",
        "authors",
        "images",
        "embeds",
        "date_published",
        "language",
        "url",
        "image",
    ]
    names += [
        "keywords",
        "kicker",
        "lead",
        "publisher",
        "section",
        "site",
        "free_access",
        "revision",
    ]
    for value in wrong:
        single_page(read_article(line(**dict.fromkeys(names, value)))).encode("utf-8", "replace")
