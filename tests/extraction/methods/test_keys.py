"""The keys by which texts are known again."""

import numpy as np
import pytest

from newsclean.extraction.methods.chain import text_keys
from newsclean.extraction.neighborhood import Keying
from newsclean.extraction.page import Page


def shared(one: str, other: str, keying: Keying = "block") -> list[str]:
    """The texts of the first page that the second one has, too."""
    a, b = (text_keys(Page.from_html(html), keying) for html in (one, other))
    return [
        text
        for text, known in zip(a.samples, np.isin(a.texts, b.texts).tolist(), strict=True)
        if known
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("<p>Contact us</p>", "<div><p> Contact\n us </p></div>", True),
        ("<p>Contact us</p>", "<p>Contact us!</p>", False),
        ("<p>Contact us</p>", "<h2>Contact us</h2>", False),
        ("<p class=a>Contact us</p>", "<p class=b id=c>Contact us</p>", True),
        ("<p>Contact <b>us</b></p>", "<p>Contact <i>us</i></p>", True),
    ],
)
def test_a_block_is_known_by_its_tag_and_folded_text(one: str, other: str, same: bool) -> None:
    assert ("Contact us" in shared(one, other)) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("<p class=a id=b>Contact us</p>", "<p id=b class=a>Contact  us</p>", True),
        ("<p class=a>Contact us</p>", "<p class=b>Contact us</p>", False),
        ("<p class=a>Contact us</p>", "<p>Contact us</p>", False),
    ],
)
def test_as_published_attributes_belong_to_the_key_in_any_order(
    one: str, other: str, same: bool
) -> None:
    assert ("Contact us" in shared(one, other, "element")) is same


def test_as_published_an_element_is_known_by_its_own_text_only() -> None:
    assert shared("<p>One <b>two</b> three", "<p>One <b>2</b> three", "element") == ["One three"]


def test_a_word_in_bold_is_no_repeated_text() -> None:
    assert shared("<p>It rains in <b>Bergen</b></p>", "<p>Snow in <b>Bergen</b></p>") == []


def test_the_label_of_a_block_is_a_key_of_its_own_without_characters() -> None:
    page = Page.from_html("<p><b>Read also:</b> <a href=/1>Rain in Bergen</a></p>")
    keys = text_keys(page)
    assert keys.samples == ["Read also: Rain in Bergen", "Read also:"]
    assert keys.chars.tolist() == [len("Read also:") + len("Rain in Bergen"), 0]
    assert keys.of_text.tolist() == [0, 0]
    assert keys.label_of_text.tolist() == [1, 1]
    assert shared("<p><b>Read also:</b> one</p>", "<p><b>Read also:</b> two</p>") == ["Read also:"]


def test_a_block_of_one_piece_has_no_label() -> None:
    assert text_keys(Page.from_html("<p>Contact us</p>")).label_of_text.tolist() == [-1]


def test_hashes_are_the_same_in_each_process() -> None:
    """The memory lasts between crawls: another value here makes all that was learned void."""
    page = Page.from_html("<p class=a>Größe</p>")
    assert int(text_keys(page, "block").texts[0]) == 15881130928268709734
    assert int(text_keys(page, "element").texts[0]) == 12184125581131922810


@pytest.mark.parametrize("keying", ["block", "element"])
def test_a_page_without_text_has_no_keys(keying: Keying) -> None:
    keys = text_keys(Page.from_html("<img src=/x.jpg>"), keying)
    assert len(keys) == 0
    assert keys.of_text.tolist() == []
