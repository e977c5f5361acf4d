"""A large text is read in pieces: the same comes out, and the memory stays near its size."""

from __future__ import annotations

import tracemalloc
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean import Extractor
from newsclean.extraction import text as words
from newsclean.extraction.methods.hybrid import hints
from newsclean.extraction.methods.hybrid.network import distinct_words
from newsclean.extraction.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

page_words = import_module(
    "newsclean.extraction.is_article.page_features"
)  # a function of it has its name
TEXTS = st.text(alphabet=" \n\t\u3000\u00a0abAB.,!?ΣИéß東cookies", max_size=120)


@contextmanager
def small_pieces() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (words, page_words, hints):
            patch.setattr(module, "PIECE", 5)
        yield


@given(TEXTS)
def test_the_words_of_the_pieces_are_those_of_the_text(text: str) -> None:
    distinct = distinct_words(text)
    with small_pieces():
        assert words.fold_spaces(text) == " ".join(text.split())
        assert page_words.words_of(text) == page_words._words(text)
        assert distinct_words(text) == distinct


@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=8))
def test_characters_and_phrases_are_counted_as_in_the_whole_text(texts: list[str]) -> None:
    lines = "\n".join(texts) + "\n"
    lengths = np.array([len(text) + 1 for text in texts])
    start = np.cumsum(lengths) - lengths
    phrases = hints.count_phrases(lines, start)
    with small_pieces():
        kinds = hints.kinds_of(lines)
        counts = hints.count_kinds(kinds, start)
        assert hints.count_phrases(lines, start).tolist() == phrases.tolist()
    assert kinds.tolist() == hints._kinds_of(lines).tolist()
    for block, (begin, length) in enumerate(zip(start, lengths, strict=True)):
        of_block = np.bincount(kinds[begin : begin + length], minlength=hints.LETTER_KINDS)
        assert counts[block].tolist() == of_block.tolist()


@pytest.mark.parametrize("tag", ["", "<p>"], ids=["one text", "paragraphs"])
def test_a_large_page_takes_no_more_than_a_few_times_its_bytes(tag: str) -> None:
    extractor = Extractor()
    paragraph = " ".join(f"word{number % 500}" for number in range(100))
    extractor(Page.from_html(f"<p>{paragraph}")).article()  # what is loaded once
    body = f"<html><title>Rain</title><p>{f'{paragraph}. {tag}' * 1500}".encode()
    tracemalloc.start()
    try:
        extractor(Page.from_html(body)).article()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak / len(body) < 15
