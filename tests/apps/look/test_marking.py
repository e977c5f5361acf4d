"""What each block is recognized as, and the sentence that says why."""

import pytest

from newsclean.apps.look.marking import BlockKind, MarkedBlock, mark_blocks

from .pages import MENU, extraction_of, story

TOWNS = ("Moss", "Hamar", "Bergen")


@pytest.fixture(scope="module")
def marked() -> dict[str, MarkedBlock]:
    return {block.text: block for block in mark_blocks(extraction_of(story("Oslo"), TOWNS))}


def test_headline_byline_and_date_are_told_apart(marked: dict[str, MarkedBlock]) -> None:
    assert marked["Flood in Oslo goes on"].kind is BlockKind.HEADLINE
    assert marked["By Ann Lee"].kind is BlockKind.BYLINE
    assert marked["Published: 1 March 2024"].kind is BlockKind.DATE


def test_static_noise_says_on_how_many_neighbors_it_is(marked: dict[str, MarkedBlock]) -> None:
    menu = marked[MENU]
    assert menu.kind is BlockKind.STATIC
    assert "its text is on 3 of 3 neighbors" in menu.sentence


def test_a_link_that_changes_is_dynamic_noise(marked: dict[str, MarkedBlock]) -> None:
    assert marked["Bridge of Oslo closed"].kind is BlockKind.DYNAMIC


def test_the_article_is_what_the_body_has() -> None:
    extraction = extraction_of(story("Oslo"))
    taken = [b.text for b in mark_blocks(extraction) if b.kind is BlockKind.ARTICLE]
    assert taken == extraction.text.split("\n\n")
    assert len(taken) == 3


def test_the_bars_are_what_moved_the_decision_largest_first(
    marked: dict[str, MarkedBlock],
) -> None:
    moves = next(b.moves for b in marked.values() if b.kind is BlockKind.ARTICLE)
    assert moves
    assert [abs(change) for _, change in moves] == sorted(
        (abs(change) for _, change in moves), reverse=True
    )


def test_a_method_without_a_network_has_a_sentence_and_no_bars() -> None:
    blocks = mark_blocks(extraction_of(story("Oslo"), TOWNS, "stadynot+coreex"))
    by_kind = {block.kind: block for block in blocks}
    assert by_kind[BlockKind.ARTICLE].sentence == "Kept as article text: chosen by coreex."
    assert "3 of 3 neighbors" in by_kind[BlockKind.STATIC].sentence
    assert all(block.moves == () and block.probability is None for block in blocks)


def test_a_page_without_text_has_no_blocks() -> None:
    assert mark_blocks(extraction_of("<img src=/a.jpg>")) == []


def test_captions_are_those_of_the_pictures_of_the_article() -> None:
    figure = (
        '<figure><img src="/flood-in-oslo.jpg" width="800" height="500">'
        "<figcaption>Water on the quay in Oslo on Friday</figcaption></figure><p>"
    )
    html = story("Oslo").replace("waits.</p><p>", f"waits.</p>{figure}")
    blocks = {block.text: block.kind for block in mark_blocks(extraction_of(html))}
    assert blocks["Water on the quay in Oslo on Friday"] is BlockKind.CAPTION
