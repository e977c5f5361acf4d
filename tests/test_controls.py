"""Characters that control a terminal or hide text reach no field of an article."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import newsclean

CONTROLS = [chr(code) for code in (*range(1, 9), *range(0x0B, 0x20), *range(0x7F, 0xA0))]
DIRECTIONS = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]
UNWANTED = re.compile(f"[\0{''.join(CONTROLS)}\u2028\u2029{''.join(DIRECTIONS)}]")
URL = "https://example.org/news/rain"


def page(odd: str) -> str:
    """An article page with a string in every place from which a field is read."""
    text = (
        f"It has rained in the old{odd} town for nine days, and the river there is as high as it "
        f"ever was, {odd} says the mayor, who has closed the bridge."
    )
    return f"""<html lang="en"><head><title>Rain {odd} in town goes on</title>
<link rel="canonical" href="{URL}{odd}1"><meta property="og:image" content="/a{odd}.jpg">
<meta name="author" content="Ann {odd}Lee"><meta name="description" content="Wet{odd} days">
<meta name="keywords" content="ra{odd}in, wind"><meta name="date" content="2026-03-01{odd}">
</head><body><h1>Rain {odd} in town goes on</h1><div><p>{text}</p><h2>Sub{odd}heading</h2>
<p>{text}<br>{text} <a href="/x{odd}y">A{odd} map</a>, <abbr title="so{odd}">abbr</abbr></p>
<p>{odd}</p><figure><img src="/b{odd}.jpg" alt="wet {odd} street"></figure>
<table><tr><td>Town{odd}</td><td>days</td></tr><tr><td>Gol</td><td>9{odd}</td></tr></table>
<pre>line {odd}
  line</pre><p>{text}</p></div></body></html>"""


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def unwanted(article: newsclean.Article) -> list[str]:
    return [found for text in strings(article.to_dict()) for found in UNWANTED.findall(text)]


@pytest.mark.parametrize("as_reference", [False, True])
@pytest.mark.parametrize(
    "odd", ["\x1b[31m", "\x07", "\x7f", "\x9b31m", "\u202e", "\u2066", "\u2028", "\x0c", "\x85"]
)
def test_no_control_character_reaches_any_field(odd: str, as_reference: bool) -> None:
    written = "".join(f"&#{ord(letter)};" for letter in odd) if as_reference else odd
    article = newsclean.extract(page(written), f"{URL}{odd}")
    assert unwanted(article) == []
    assert article.headline
    assert "says the mayor, who has closed the bridge." in article.body


@settings(max_examples=25, deadline=None)
@given(st.text(st.sampled_from([*CONTROLS, *DIRECTIONS, "\u2029", "a", " "]), max_size=12))
def test_no_mixture_of_control_characters_does(odd: str) -> None:
    assert unwanted(newsclean.extract(page(odd), URL)) == []


def test_what_parts_words_still_parts_them() -> None:
    article = newsclean.extract(
        "<h1>Rain\u2028goes\x0bon</h1><p>It has\u2029rained\x1ffor\x97days."
    )
    assert article.headline == "Rain goes on"
    assert article.body == "It has rained for days."
    assert article.body_html == "<p>It has rained for days.</p>"


@pytest.mark.parametrize(
    "text", ["می‌خواهم باران ببارد", "क्‍ष में वर्षा", "שלום\u200f (7)", "👩‍🚒 in Bergen"]
)
def test_what_a_script_needs_stays(text: str) -> None:
    article = newsclean.extract(f"<h1>Rain</h1><p>{text}, {text}, {text}, {text}.")
    assert article.body == f"{text}, {text}, {text}, {text}."


def test_a_url_with_control_characters_still_leads_there() -> None:
    article = newsclean.extract(page("\x1b"), URL)
    assert article.canonical_url == f"{URL}%1B1"
    assert article.image == "https://example.org/a%1B.jpg"
    assert 'href="https://example.org/x%1By"' in article.body_html
