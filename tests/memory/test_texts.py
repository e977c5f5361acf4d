"""Which texts of a page are compared: those of the article, not the links between them."""

from typing import TYPE_CHECKING

import numpy as np
import pytest

from newsclean.extraction.page import Page
from newsclean.memory.revisions import texts_of

from .pages import hashes

if TYPE_CHECKING:
    from newsclean.memory.revisions import Texts

SENTENCE = "It has rained in Bergen for nine days, and the harbour master has closed the bridge."
LINKED = "The <a href=/1>council of the town</a> will hear of <a href=/2>the old bridge</a> today."
BOX = (
    "Related stories<br>• <a href=/1>Fans sang</a><br>A night to remember for all who were there"
    "<br>• <a href=/2>A bell rings</a>"
)


def texts_with(line: str) -> tuple["Texts", str]:
    """A page with three sentences and another text among them that the neighbors reject."""
    page = Page.from_html(
        "".join(f"<p>{text}</p>" for text in (SENTENCE, line, SENTENCE, SENTENCE))
    )
    everything = np.ones(len(page), dtype=bool)
    delivered = everything.copy()
    delivered[page.blocks.text_rows[page.blocks.of_text == 1]] = False
    one_slot = np.ones(len(page.blocks), dtype=np.uint64)
    return texts_of(page, everything, delivered, one_slot), page.blocks.text[1]


@pytest.mark.parametrize(
    ("line", "is_compared"),
    [
        (SENTENCE[:40], True),
        (LINKED, True),
        (BOX, False),
        ("<a href=/1>Strike at the mill ends</a>", False),
        ("You may also like: <a href=/1>Strike at the mill ends</a>", False),
        (
            "<a href=/1>Rain</a> | <a href=/2>Wind</a> | <a href=/3>Snow</a> | <a href=/4>Ice</a>",
            False,
        ),
    ],
    ids=["sentence", "links in a sentence", "box of teasers", "link", "label and link", "links"],
)
def test_sentences_between_the_paragraphs_are_compared_and_links_are_not(
    line: str, is_compared: bool
) -> None:
    texts, text = texts_with(line)
    assert (hashes(text)[0] in texts.body.texts) == is_compared
    assert hashes(SENTENCE)[0] in texts.body.texts
