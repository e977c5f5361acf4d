"""Clean HTML: what a reader sees is kept, and nothing else."""

import os
import re
import subprocess
import sys
import time
from urllib.parse import urlsplit

import lxml.html
import nh3
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import newsclean
from newsclean.extraction.body.html import ATTRIBUTES, TAGS, render_html
from newsclean.extraction.page import Page
from newsclean.urls import LINK_SCHEMES

from .soups import everything, hostile, html_of, numbers, soups, with_words

LINK = '<a href="https://example.org/x" rel="noopener noreferrer">'


@pytest.mark.parametrize(
    "kept",
    [
        "<h2>Rain</h2><p>It rains.</p><h3>Snow</h3><p>It snows.</p>",
        "<ul><li>One</li><li>Two</li></ul>",
        "<ol><li>One<ul><li>Inner</li></ul></li><li>Two</li></ol>",
        "<dl><dt>Term</dt><dd>Meaning</dd></dl>",
        "<blockquote><p>We are glad.</p></blockquote>",
        "<p>so <em>very</em> <strong>wet</strong>, H<sub>2</sub>O, <del>old</del> "
        "<code>x = 1</code></p>",
        "<table><tbody><tr><th>Town</th><th>Days</th></tr><tr><td>Bergen</td><td>9</td></tr>"
        "</tbody></table>",
    ],
)
def test_formatting_comes_out_as_it_went_in(kept: str) -> None:
    assert html_of(kept) == kept


def test_a_table_keeps_its_caption_and_cells_over_several_columns() -> None:
    table = (
        "<table><caption>Wet days</caption><tbody><tr><td>Bergen</td><td>9</td></tr>"
        '<tr><td colspan="2">Oslo</td><td>x</td></tr></tbody></table>'
    )
    assert html_of(table) == table


def test_links_are_made_absolute() -> None:
    assert html_of("<p>see <a href=../x>there</a></p>") == f"<p>see {LINK}there</a></p>"


def test_the_base_tag_says_what_links_are_relative_to() -> None:
    clean = html_of("<base href=https://other.example/a/><p>see <a href=b>there</a></p>")
    assert 'href="https://other.example/a/b"' in clean


def test_without_a_url_of_the_page_relative_links_become_plain_words() -> None:
    page = Page.from_html("<p>see <a href=/x>here</a> or <a href=https://a.example/>there</a></p>")
    clean = render_html(page, np.ones(len(page), dtype=bool))
    assert clean.startswith('<p>see here or <a href="https://a.example/"')


def test_a_link_around_blocks_becomes_a_link_in_each() -> None:
    clean = html_of("<a href=/x><h2>Rain</h2><p>It rains.</p></a>")
    assert clean == f"<h2>{LINK}Rain</a></h2><p>{LINK}It rains.</a></p>"


def test_emphasis_around_blocks_becomes_emphasis_in_each() -> None:
    assert html_of("<b><div>One</div><div>Two</div></b>") == "<p><b>One</b></p><p><b>Two</b></p>"


def test_pictures_stay_with_their_captions_unless_they_are_not_wanted() -> None:
    words = "<p>It has rained since Monday, and it is not over yet.</p>"
    html = f"{words}<figure><img src=/r.jpg alt='A wet  street'><figcaption>Monday"
    picture = '<img src="https://example.org/r.jpg" alt="A wet street">'
    caption = "<figcaption>Monday</figcaption>"
    assert html_of(html) == f"{words}<figure>{picture}{caption}</figure>"
    assert html_of(html, images=False) == words


def test_a_picture_alone_becomes_a_figure_and_one_among_words_stays_there() -> None:
    picture = '<img src="https://example.org/r.jpg" alt="">'
    clean = html_of("<div><img src=/r.jpg></div><p>so <img src=/s.jpg> wet</p>")
    assert clean == f"<figure>{picture}</figure><p>so {picture.replace('r.jpg', 's.jpg')} wet</p>"


def test_a_picture_that_loads_late_is_found_where_the_page_keeps_its_url() -> None:
    html = "<div><img src='data:image/gif;base64,R0lGOD' data-src=/late.jpg></div>"
    assert 'src="https://example.org/late.jpg"' in html_of(html)


@pytest.mark.parametrize("size", ["width=1", "height=16", "width=31"])
def test_icons_and_counters_are_no_pictures(size: str) -> None:
    assert html_of(f"<p>words<img src=/r.gif {size}></p>") == "<p>words</p>"


@pytest.mark.parametrize("size", ["width=100%", "height=auto", "width=-1", f"width={'9' * 5000}"])
def test_odd_sizes_are_no_reason_to_drop_a_picture(size: str) -> None:
    assert "<img" in html_of(f"<p>words<img src=/r.jpg {size}></p>")


def test_a_layout_table_is_unwrapped() -> None:
    html = "<table><tr><td><p>It rains.</p>Still.</td></tr></table>"
    assert html_of(html) == "<p>It rains.</p><p>Still.</p>"


def test_a_table_with_long_cells_is_layout() -> None:
    column = "words in a column of the layout " * 20
    html = f"<table><tr><td>{column}<td>side<tr><td>{column}<td>side</table>"
    assert "<table" not in html_of(html)


def test_a_data_table_inside_a_layout_table_is_kept() -> None:
    inner = "<table><tr><td>Bergen<td>9<tr><td>Oslo<td>2</table>"
    clean = html_of(f"<table><tr><td>Words.{inner}<td>Side</table>")
    assert clean.count("<table>") == 1
    assert clean.startswith("<p>Words.</p><table>")
    assert clean.endswith("</table><p>Side</p>")


def test_words_beside_the_cells_of_a_table_keep_their_place() -> None:
    html = "<p>Before.</p><table><tr><td>a<td>b<td>c</tr>loose<tr><td>d<td>e<td>f</table>"
    assert shown_text(html_of(html)) == "Before.abcloosedef"


def test_loose_words_in_boxes_become_paragraphs() -> None:
    html = "<div>One <i>and</i><div>two</div>three</div>"
    assert html_of(html) == "<p>One <i>and</i></p><p>two</p><p>three</p>"


def test_one_line_break_stays_and_two_part_paragraphs() -> None:
    assert html_of("<div>One<br>two<br><br>three</div>") == "<p>One<br>two</p><p>three</p>"


def test_paragraphs_of_a_list_item_stay_in_it() -> None:
    assert html_of("<ul><li><p>One</p><p>more</p></ul>") == "<ul><li>One<br>more</li></ul>"


def test_a_list_without_items_is_only_indentation() -> None:
    assert html_of("<ul>One<p>two</p></ul>") == "<p>One</p><p>two</p>"
    clean = html_of("<ul><li>One</li>loose<li>two</li></ul>")
    assert clean == "<ul><li>One</li></ul><p>loose</p><ul><li>two</li></ul>"


def test_preformatted_words_keep_their_white_space() -> None:
    poem = "Rain\n   in  Bergen\n\n  <b>again</b>"
    assert html_of(f"<pre>{poem}</pre>") == f"<pre>{poem}</pre>"


def test_code_within_preformatted_words_stays_code() -> None:
    code = "<pre><code>if rain:\n    print(<b>1</b>)\n</code></pre>"
    assert html_of(f"<p>See:</p>{code}") == f"<p>See:</p>{code}"
    linked = "<pre><code><a href=/x>rain</a><script><b>f()</b></script></code></pre>"
    assert html_of(linked) == "<pre><code>rain</code></pre>"


def test_a_list_keeps_the_number_with_which_it_begins() -> None:
    html = '<ol start="3"><li>Three</li><li>Four</li></ol>'
    assert html_of(html) == html
    assert html_of('<ol start="3 onclick=x"><li>One</li></ol>') == "<ol><li>One</li></ol>"


def test_an_abbreviation_keeps_what_it_stands_for() -> None:
    html = '<p>the <abbr title="World Weather Office">WWO</abbr> says</p>'
    assert html_of(html) == html
    sly = html_of("<p>the <abbr onclick=x title='&quot;><script>x</script>'>WWO</abbr></p>")
    assert "<script" not in sly
    assert "onclick" not in sly


def test_nobody_sees_what_is_invisible() -> None:
    html = "<p>Rain&shy;coat\u200bs\ufeff</p><p>\u200b</p><img src=/r.jpg alt='A wet&shy;land'>"
    assert html_of(html).startswith("<p>Raincoats</p><figure>")
    assert 'alt="A wetland"' in html_of(html)


def test_preformatted_words_come_once_and_without_what_is_not_text() -> None:
    html = "<pre>a<script>f()</script>b<br>c<br><br>d<!-- e --> f<div>g</div>h</pre><p>i"
    assert html_of(html) == "<pre>ab\nc\n\nd f\ng\nh</pre><p>i</p>"


def test_what_was_not_chosen_of_preformatted_words_is_not_shown() -> None:
    page, choice = everything("<pre>a  line<b>advert</b>of code</pre>")
    chosen = choice.rows & ~page.below(page.rows(frozenset({"b"})))
    assert render_html(page, chosen) == "<pre>a line of code</pre>"


def test_words_around_what_was_left_out_are_not_glued() -> None:
    page, choice = everything("<p>one<b> skipped </b>two</p>")
    chosen = choice.rows & ~page.below(page.rows(frozenset({"b"})))
    assert render_html(page, chosen) == "<p>one two</p>"


def test_nothing_chosen_is_an_empty_string() -> None:
    page, choice = everything("<p>words</p>")
    assert render_html(page, ~choice.rows) == ""


def test_a_less_than_sign_stays_text() -> None:
    assert html_of("<p>a &lt; b &amp;&amp; &lt;script&gt;") == (
        "<p>a &lt; b &amp;&amp; &lt;script&gt;</p>"
    )


def assert_safe(clean: str) -> None:
    assert nh3.clean(clean) == clean  # by its own, stricter idea of what is safe
    if not clean:
        return
    for element in lxml.html.fragment_fromstring(clean, create_parent="body").iterdescendants():
        tag = str(element.tag)
        assert tag in TAGS
        allowed = ATTRIBUTES.get(tag, set()) | ({"rel"} if tag == "a" else set())
        assert set(map(str, element.attrib)) <= allowed
        for name in ("href", "src", "cite"):
            assert urlsplit(element.get(name, "https://")).scheme in LINK_SCHEMES


def shown_text(clean: str) -> str:
    return "".join(map(str, lxml.html.fromstring(f"<div>{clean}</div>").itertext()))


def words_of(clean: str) -> list[int]:
    parted = re.sub(r"<(?=/?(?:p|li|d[dlt]|t\w+|caption|figcaption|h\d|pre|br)\b)", " <", clean)
    return numbers(shown_text(parted))


@given(hostile, st.booleans())
def test_clean_html_is_safe_whatever_the_page_contains(html: str, images: bool) -> None:
    assert_safe(html_of(html, images=images))


@given(soups)
def test_clean_html_is_safe_and_stable_for_any_soup(tags: list[str]) -> None:
    assert_safe(html_of(with_words(tags)))


@example(["<table><tr><td>", "<div>", "<tr>", "<td>", "<td>", "<td>"])
@given(soups)
def test_clean_html_of_any_soup_has_its_words_in_order(tags: list[str]) -> None:
    page, choice = everything(with_words(tags))
    shown = words_of(render_html(page, choice.rows))
    assert shown == numbers(" ".join(page.text.values()))
    assert shown == sorted(set(shown))


@settings(max_examples=50)
@given(soups, st.data())
def test_only_chosen_words_are_in_the_clean_html(tags: list[str], data: st.DataObject) -> None:
    page, choice = everything(with_words(tags))
    left_out = data.draw(st.sets(st.sampled_from(range(len(page))), max_size=5))
    chosen = choice.rows & ~page.below(np.array(sorted(left_out), dtype=np.int64))
    words = [page.text[row] for row in page.text_rows[chosen[page.text_rows]]]
    assert words_of(render_html(page, chosen)) == numbers(" ".join(words))


@pytest.mark.parametrize("unit", ["<div>It has rained</div>", "<p>It has rained"])
def test_blocks_in_preformatted_text_cost_no_more_than_others(unit: str) -> None:
    before = time.process_time()
    assert html_of("<pre>" + unit * 10_000).count("It has rained") == 10_000
    assert time.process_time() - before < 1.2


def test_words_below_many_tags_are_shown_with_the_outer_ones() -> None:
    html = html_of("<b>" * 500 + "rain " + "<i>snow</i> " * 3)
    assert html.count("<b>") == 50
    assert html.count("snow") == 3


def test_how_a_word_is_read_is_in_the_html_and_not_in_the_text() -> None:
    ruby = "<ruby>東<rp>(</rp><rt>とう</rt>京<rt>きょう</rt><rp>)</rp></ruby>"
    text = "では朝から雨が降り続き、川の水位が上がっている。住民は高台に避難した。"
    article = newsclean.extract(f"<h1>雨</h1><p>{ruby}{text}</p><p>{text * 2}</p>")
    assert article.body.startswith(f"東京{text}")
    assert f"<p>{ruby}{text}</p>" in article.body_html


#: Too little memory for nh3 is an error that can be caught, not the end of the process.
LITTLE_MEMORY = """
import resource
from newsclean import Page
from newsclean.extraction.body import html
from newsclean.extraction.methods.chain import Choice

chosen = Page.from_html("<p>" + "<b>rain</b> " * 100_000)
rows = Choice.everything(chosen).rows
written = "".join(html._Writer(chosen, rows, (), ()).write())
with open("/proc/self/statm") as sizes:
    used = int(sizes.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 20_000_000,) * 2)
try:
    html._clean(written)
except MemoryError:
    print("caught")
"""


@pytest.mark.process
def test_the_cleaner_does_not_end_the_process_for_want_of_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LITTLE_MEMORY],
        env=os.environ | {"MALLOC_ARENA_MAX": "1"},
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout.decode().strip()) == (0, "caught"), done.stderr
