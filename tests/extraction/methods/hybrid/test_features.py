"""Evidence on the blocks of a page."""

import json
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean.extraction.methods.hybrid.context import LEVELS, BlockContext
from newsclean.extraction.methods.hybrid.features import (
    FEATURE_GROUPS,
    MISSING,
    block_features,
    headline_block,
    reply_features,
    second_article_features,
)
from newsclean.extraction.page import Page

from .stories import paragraph

#: Tags in no good order, names that hint and names that do not.
TAGS = """
<div>|</div>|<p>|</p>|<b>|</b>|<a href=/x>|</a>|<br>|<br><br>|<ul><li>|<li>|</ul>|<table><tr><td>
|<td>|</table>|<h1>|</h1>|<h2>|</h2>|<blockquote>|</blockquote>|<figure><img>|<figcaption>|</figure>
|<form>|</form>|<button>|<nav>|</nav>|<aside class=related>|</aside>|<div class=articleBody id=b>
|<span class=share>|</span>|<div hidden>|<noscript>|</noscript>|<template>|<pre>|</pre>|<svg><text>
|<title>|</title>|<!-- note -->|<section>|</section>|<img>|<i|>|<div class='' id=''>
|<script type=application/ld+json>{"articleBody": "It rains"}</script>|<textarea>
""".replace("\n", "").split("|")
WORDS = [
    "It rains.",
    "İstanbul",
    "東京は雨です。",
    "•",
    "—",
    "©",
    "Read more",
    "a",
    "9",
    "\u200b",
    " ",
]

soups = st.lists(
    st.sampled_from(TAGS) | st.sampled_from(WORDS) | st.text(max_size=20), max_size=40
).map("".join)


def context_of(html: str) -> BlockContext:
    return BlockContext(Page.from_html(html))


def asked(html: str) -> dict[str, list[float]]:
    names, values = block_features(context_of(html))
    return dict(zip(names, values.T.tolist(), strict=True))


FEATURE_NAMES = list(asked("<p>It rains."))


@settings(max_examples=200)
@given(soups)
def test_any_page_gives_the_same_names_and_finite_answers(html: str) -> None:
    context = context_of(f"<body>word {html}")
    names, values = block_features(context)
    assert names == FEATURE_NAMES
    assert values.shape == (len(context), len(FEATURE_NAMES))
    assert np.isfinite(values).all()


@settings(max_examples=100)
@given(soups)
def test_a_block_stands_in_the_branches_around_it_and_they_widen(html: str) -> None:
    context = context_of(f"<body>word {html}")
    assert len(context.ranges) == LEVELS + 1
    place = np.arange(len(context))
    inner_low, inner_high = place, place + 1
    for low, high in context.ranges:
        assert (low <= inner_low).all()
        assert (high >= inner_high).all()
        inner_low, inner_high = low, high


@pytest.mark.parametrize(
    "html",
    [
        "<p>word",
        "<p>•",
        "<title>Only a title</title><p>.",
        "<h1>R</h1>",
        "<p>No links here, and no names, and nothing but this sentence.",
        "<a href=/>only a link</a>",
        "<div>" * 250 + "deep down" + "</div>" * 250,
        "<section class=share>" * 2_000 + "deep down",
        "<div class=share><ul><li>" * 80 + "deep down",
        "<table>" + "<tr><td>1<td>2" * 2_000 + "</table>",
        "<p>again</p>" * 500,
        f"<p>{'long ' * 20_000}",
    ],
    ids=lambda html: html[:24],
)
def test_odd_pages_are_no_trouble(html: str) -> None:
    names, values = block_features(context_of(html))
    assert names == FEATURE_NAMES
    assert len(values)
    assert np.isfinite(values).all()


def test_a_page_with_nothing_but_a_title_has_no_blocks() -> None:
    assert len(context_of("<title>Rain in Bergen</title>")) == 0


def test_no_two_kinds_of_evidence_ask_the_same_question() -> None:
    context = context_of("<p>It rains.")
    every = list(chain.from_iterable(group(context) for group in FEATURE_GROUPS.values()))
    assert every == FEATURE_NAMES
    assert len(set(every)) == len(every)


def headline(html: str) -> str | None:
    context = context_of(html)
    block = headline_block(context)
    return context.page.blocks.text[block] if block >= 0 else None


RAIN = "Rain in Bergen goes on"


def test_the_headline_is_the_first_heading_that_the_title_holds() -> None:
    html = (
        f"<title>{RAIN} | Example Times</title><h1>Example Times of Norway</h1>"
        f"<p>{RAIN}</p><h1>{RAIN}</h1><h2>{RAIN}</h2>"
    )
    context = context_of(html)
    assert headline_block(context) == 2


def test_a_headline_in_other_letters_and_signs_is_the_same() -> None:
    title = "<title>“Rain” in Bergen – goes on · Times</title>"
    assert headline(f"{title}<h1>Times</h1><h1>RAIN in Bergen: goes on!</h1>") == (
        "RAIN in Bergen: goes on!"
    )


def test_a_heading_of_another_level_is_a_headline_if_the_title_holds_it() -> None:
    html = f"<title>{RAIN} | Times</title><h1><img></h1><p>{RAIN}</p><h2>{RAIN}</h2>"
    context = context_of(html)
    assert headline_block(context) == 1


def test_a_text_without_heading_is_a_headline_if_the_title_holds_it() -> None:
    assert headline(f"<title>{RAIN} | Times</title><p>Menu</p><div>{RAIN}</div>") == RAIN


def test_short_texts_stand_in_a_title_by_chance() -> None:
    assert headline(f"<title>{RAIN}</title><h2>Rain</h2><p>Bergen</p>") is None


def test_without_a_title_the_first_h1_is_the_headline() -> None:
    assert headline("<p>Times</p><h1>Snow</h1><h1>Rain</h1>") == "Snow"
    assert headline("<p>Times</p><h2>Snow</h2>") is None


def test_blocks_know_how_far_behind_the_headline_they_are() -> None:
    found = asked(f"<title>{RAIN}</title><p>Menu</p><h1>{RAIN}</h1><p>It rains.</p><p>And snows.")
    assert found["blocks after headline"] == [-1, 0, 1, 2]
    assert found["headline"] == [1, 1, 1, 1]
    assert set(asked("<p>Menu<p>It rains.")["headline"]) == {MISSING}


def in_json_ld(*scripts: str) -> list[float]:
    tags = "".join(f"<script type='application/ld+json'>{script}</script>" for script in scripts)
    return asked(f"{tags}<p>Menu of the Times</p><p>It has rained for nine days now.")[
        "in JSON-LD body"
    ]


BODY = "It has rained for nine days now. " + "And it will rain for some days more. " * 8


def test_a_block_that_the_page_gives_as_its_body_is_in_json_ld() -> None:
    data = {"@graph": [{"@type": "WebSite"}, {"@type": "NewsArticle", "articleBody": BODY}]}
    assert in_json_ld(json.dumps(data)) == [0, 1]


@pytest.mark.parametrize(
    "script",
    [
        "",
        "{",
        '{"articleBody": ',
        '{"articleBody": 7}',
        '{"articleBody": ["x"]}',
        '{"articleBody": "Too short to tell."}',
        '{"articleBody": ' + "[" * 100_000,
    ],
    ids=lambda script: script[:24],
)
def test_a_page_that_states_nothing_of_use_is_not_asked(script: str) -> None:
    assert in_json_ld(script) == [MISSING, MISSING]
    assert in_json_ld(script, json.dumps({"articleBody": BODY})) == [0, 1]


def test_names_near_the_block_are_told_from_names_further_up() -> None:
    found = asked("<div class=article><p class=share>Menu</p><p>It rains.</p></div><p>End")
    assert found["social 0"] == [1, 0, 0]
    assert found["content any"] == [1, 1, 0]


def test_tags_around_a_block_count_however_far_away() -> None:
    found = asked("<aside><div><p>See <b>also</b></p></div></aside><article><p>It rains.")
    assert found["in aside"] == [1, 0]
    assert found["in article"] == [0, 1]


def test_the_papers_methods_have_their_say() -> None:
    menu = "".join(f"<li><a href=/{n}>Section {n} of the paper</a>" for n in range(12))
    body = "".join(f"<p>{'The rain went on for days and days. ' * 5}</p>" for _ in range(5))
    found = asked(f"<ul>{menu}</ul><div><div>{body}</div></div>")
    for method in ("boilerpipe", "mss"):
        assert found[method] == [0] * 12 + [1] * 5, method


def test_shares_of_characters_and_ends_of_sentences() -> None:
    found = asked("<p>He said: “It rains.”</p><p>IN 2024</p><p>read on</p>")
    assert found["ends sentence"] == [1, 0, 0]
    assert found["starts upper"] == [1, 1, 0]
    assert found["starts lower"] == [0, 0, 1]
    assert found["upper"] == pytest.approx([2 / 20, 2 / 7, 0])
    assert found["digits"] == pytest.approx([0, 4 / 7, 0])


def features_of(html: str) -> tuple[list[str], dict[str, np.ndarray]]:
    context = BlockContext(Page.from_html(html))
    return context.page.blocks.text, {
        **reply_features(context),
        **second_article_features(context),
    }


STORY = "".join(f"<p>{paragraph('Oslo', number)}</p>" for number in range(4))
COMMENTS = "".join(
    f"<li class=c><div><b>Reader {n}</b><div>1{n}.03.2026, 1{n}:30</div><p>I was there, and it was "
    f"quite different from what you tell, for the {n}th time.</p><a href=#>Reply</a></div></li>"
    for n in range(5)
)


def test_boxes_of_one_shape_with_dates_and_replies_differ_from_paragraphs() -> None:
    texts, found = features_of(f"<div>{STORY}</div><ul>{COMMENTS}</ul>")
    comment = next(n for n, text in enumerate(texts) if text.startswith("I was there"))
    assert found["boxes dated"][comment] == found["boxes answered"][comment] == 1
    assert found["boxes alike"][comment] == np.log1p(5)
    assert found["running before boxes"][comment] > 0.3
    assert found["boxes dated"][0] == found["boxes answered"][0] == 0


def test_boxes_without_dates_are_only_boxes() -> None:
    items = "".join(f"<li><p>{paragraph('Moss', n)}</p></li>" for n in range(4))
    texts, found = features_of(f"<div>{STORY}</div><ul>{items}</ul>")
    assert (found["boxes dated"] == 0).all()
    assert found["boxes alike"][len(texts) - 1] == np.log1p(4)


def test_a_second_headline_with_a_date_begins_a_second_article() -> None:
    head = "<h1>Rain in {}</h1><div>14.03.2026, 18:30</div>"
    articles = [f"<article>{head.format(town)}{STORY}</article>" for town in ("Oslo", "Moss")]
    texts, found = features_of("".join(articles))
    second = texts.index("Rain in Moss")
    counted = found["dated headlines before"]
    assert (counted[:second] == 1).all()
    assert (counted[second:] == 2).all()
    assert found["articles ended before"].tolist() == [0] * second + [1] * (len(texts) - second)
    assert found["running since dated headline"][second - 1] > 0
    assert found["running since dated headline"][second] == 0


def test_a_text_that_was_there_before_is_a_copy() -> None:
    _, found = features_of(f"<div>{STORY}</div><div>{STORY}<p>Rain</p></div>")
    assert found["copy of a block before"].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 0]
