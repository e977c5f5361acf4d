"""Boxes whose name says what they hold, and notices that ask for consent."""

import pytest

from newsclean.extraction.methods.hybrid.explaining import explain
from newsclean.extraction.methods.hybrid.structure import MAX_PROBABILITY, asks_for_consent

from .networks import decided, evidence_on, scripted_page
from .stories import TEASER, chosen, paragraph

TEXTS = [paragraph("Oslo", number) for number in range(6)]
BODY = "".join(f"<p>{text}</p>" for text in TEXTS)
COMMENTS = [paragraph("Moss", number) for number in range(4)]
THREAD = "".join(f"<div class=item><p>{text}</p></div>" for text in COMMENTS)
CONSENT = (
    "An dieser Stelle finden Sie externen Inhalt, der den Artikel ergänzt. Ich bin damit "
    "einverstanden, dass er angezeigt wird."
)


def taken(html: str, blocks: int) -> list[str]:
    """What is taken of a page of which the network takes every block."""
    page = scripted_page(html, [0.97] * blocks)
    return chosen(page, decided(page))


@pytest.mark.parametrize(
    "names", ["id=comments", "class=comments", 'class="post-comment"', 'class="wp comment"']
)
def test_comments_that_read_like_the_article_are_left_by_the_name_of_any_box_around_them(
    names: str,
) -> None:
    html = f"<main>{BODY}</main><div {names}><section><ol>{THREAD}</ol></section></div>"
    assert taken(html, 10) == TEXTS


@pytest.mark.parametrize("name", ["commentary", "comments-open", "no-comments", "the-commentator"])
def test_an_article_in_a_box_of_such_a_name_is_an_article(name: str) -> None:
    html = f"<div class={name}>{BODY}</div>"
    assert taken(html, 6) == TEXTS


LONG = "".join(f"<div><p>{paragraph('Bergen', number)}</p></div>" for number in range(20))


def test_an_opinion_whose_box_is_named_comment_is_kept_with_what_comes_before_it() -> None:
    html = f"<div>{BODY}</div><div class=tone-comment><div class=comment-body>{LONG}</div></div>"
    assert len(taken(html, 26)) == 26


@pytest.mark.parametrize("name", ["id=comments", "class=comment-list", "class=commentsArea"])
def test_comments_longer_than_the_article_are_left_by_the_whole_name_of_their_box(
    name: str,
) -> None:
    assert taken(f"<div>{BODY}</div><div {name}>{LONG}</div>", 26) == TEXTS


def test_comments_longer_than_the_article_are_left_where_each_is_named_so() -> None:
    each = LONG.replace("<div>", "<div class=reader-comment>")
    assert taken(f"<div>{BODY}</div><div>{each}</div>", 26) == TEXTS


def test_comments_are_left_on_a_page_whose_body_says_that_it_takes_comments() -> None:
    html = f'<body class="single comments-open"><div>{BODY}</div><div id=comments>{THREAD}</div>'
    assert taken(html, 10) == TEXTS


def test_a_page_of_comments_alone_keeps_them() -> None:
    html = f"<div id=comments>{THREAD}</div><p>{TEXTS[0]}</p>"
    assert taken(html, 5) == [*COMMENTS, TEXTS[0]]


@pytest.mark.parametrize(
    "box",
    [
        f"<div class=cta-box><p>{TEASER}</p></div>",
        f"<div class=btn>{TEASER}</div>",
        f"<div class=author-bio><div><p>{TEASER}</p></div></div>",
        f"<div class=postmetadata>{TEASER}</div>",
        f"<div class=disclaimer><p>{TEASER}</p></div>",
        f"<p class=imageCaption>{TEASER}</p>",
        f"<div class=author>{TEASER}</div>",
        f"<div class=modal><div><div><p>{TEASER}</p></div></div></div>",
    ],
)
def test_a_small_box_that_says_what_it_holds_is_left(box: str) -> None:
    assert taken(f"<div>{BODY}{box}</div>", 7) == TEXTS


@pytest.mark.parametrize("name", ["caption", "cta", "modal", "author", "disclaimer", "metadata"])
def test_a_box_that_holds_much_of_the_text_does_not_mean_what_its_name_says(name: str) -> None:
    first, rest = TEXTS[0], "".join(f"<div class={name}><p>{text}</p></div>" for text in TEXTS[1:])
    assert taken(f"<div><p>{first}</p>{rest}</div>", 6) == TEXTS


def test_a_notice_in_the_place_of_an_embed_is_left_and_a_text_on_consent_stays() -> None:
    on_consent = f"{TEXTS[0]} The court ruled on consent and cookies."
    html = f"<div>{BODY}<p>{CONSENT}</p><p>{on_consent}</p></div>"
    assert taken(html, 8) == [*TEXTS, on_consent]


def test_a_word_without_an_end_is_no_notice_and_is_read_once() -> None:
    assert not asks_for_consent("extern" * 100_000)


def test_the_reason_names_the_box_and_the_block_counts_as_unlikely() -> None:
    page = scripted_page(
        f"<div>{BODY}<p class=caption>{TEASER}</p><p>{CONSENT}</p></div>", [0.97] * 8
    )
    *_, caption, consent = explain(page, evidence_on(page))
    assert "the name of its box says caption" in str(caption)
    assert "asks for consent" in str(consent)
    assert decided(page).probability[-2:].max() <= MAX_PROBABILITY
