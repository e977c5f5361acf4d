"""A short attack on pages; `pages.run` goes on for as long as one likes."""

from pathlib import Path

import pytest

from newsclean.extraction.page import Page
from tests.attack import pages
from tests.attack.allow_list import violations
from tests.attack.costs import MAX_MEMORY, MAX_SECONDS, Cost

TRIES = 200


@pytest.mark.slow
def test_mutated_pages_break_no_promise() -> None:
    for promise in pages.run(TRIES, seed=12):
        assert not promise.failures, promise


def test_pages_of_a_folder_can_be_attacked(tmp_path: Path) -> None:
    (tmp_path / "rain.html").write_text("<p>It has rained in Bergen for nine days.")
    found = pages.run(5, 1, tmp_path)
    assert [(promise.tries, promise.failures) for promise in found] == [(5, 0)] * 5


@pytest.mark.parametrize(
    ("body", "text"), [("snow", "rain"), ("b a", "a b"), ("rain rain", "rain"), ("ab", "a|b")]
)
def test_a_body_that_is_not_the_pages_is_found(body: str, text: str) -> None:
    assert pages.first_strange_word(body, text) is not None


def test_hidden_text_is_not_between_words_that_are_shown() -> None:
    root = Page.from_html("<p>Rain<script>x</script>coat <!-- y -->is <b>worn</b>").root
    assert pages.shown_text(root) == "Raincoat is worn"


@pytest.mark.parametrize(
    "html",
    [
        "<script>x</script>",
        "<p onclick=x>rain",
        "<a href='data:,x'>rain</a>",
        "<img src='javascript:x'>",
        "<!-- rain -->",
        "<svg/onload=x>",
        "<h1>rain</h1>",
    ],
)
def test_unsafe_html_is_found(html: str) -> None:
    assert violations(html)


def test_a_cost_above_the_bounds_is_found() -> None:
    assert Cost(0, MAX_SECONDS, MAX_MEMORY).is_within_bounds
    assert not Cost(0, MAX_SECONDS + 0.1, 0).is_within_bounds
    assert not Cost(0, 0, MAX_MEMORY + 1).is_within_bounds
