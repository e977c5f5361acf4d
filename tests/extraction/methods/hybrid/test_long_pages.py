"""Pages longer than any that training has seen."""

import pytest

from newsclean import extract
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.methods.hybrid import decision as scoring
from newsclean.extraction.methods.hybrid.decision import decide, score_blocks
from newsclean.extraction.methods.hybrid.explaining import explain
from newsclean.extraction.methods.hybrid.network import read_model
from newsclean.extraction.page import Page

TOWNS = ("Bergen", "Oslo", "Moss", "Narvik", "Hamar", "Florø", "Bodø")
DOINGS = (
    "the river rose again, and the harbour master closed the old bridge for the night",
    "people came to the town hall, where the mayor told them what the repairs would cost",
    "the ferry did not leave, because its captain had seen the weather and trusted it little",
)


def paragraph(number: int) -> str:
    town, doing = TOWNS[number % len(TOWNS)], DOINGS[number % len(DOINGS)]
    return f"On day {number} of the storm, so they say in {town}, {doing}."


@pytest.mark.parametrize("paragraphs", [50, 400, 2000])
def test_an_article_may_be_as_long_as_it_likes(paragraphs: int) -> None:
    texts = list(map(paragraph, range(paragraphs)))
    body = "".join(f"<p>{text}</p>" for text in texts)
    html = f"<title>The long storm</title><h1>The long storm of the north</h1><div>{body}</div>"
    assert extract(html).body.split("\n\n")[-paragraphs:] == texts


def test_a_page_of_too_many_blocks_is_read_without_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = Page.from_html("".join(f"<p>{paragraph(number)}</p>" for number in range(12)))
    assert decide(page, score_blocks(page, read_model())).strategy == "network"
    monkeypatch.setattr(scoring, "MAX_BLOCKS", 10)
    scores = score_blocks(page, read_model())
    found = decide(page, scores)
    assert found.strategy == "coreex"
    assert found.chosen.all()
    assert len(explain(page, Evidence(scores))) == 12
