"""A short post among many links, signed and dated, and an offer that reads like an article."""

from newsclean.extraction.is_article.page_features import (
    MIN_PROBABILITY,
    is_signed_and_dated,
    with_rules,
)
from newsclean.extraction.is_article.page_wording import count_kinds, word_shares, words_of
from newsclean.extraction.is_article.trees import Case

SIGNED: Case = {
    "confidence": 0.98,
    "last resort": 0.0,
    "not found": 0.0,
    "chosen words": 160,
    "url date": 1.0,
    "url reserved": "none",
    "date": 1.0,
    "authors": 1,
    "type": "none",
    "links": 300,
    "fields": 2,
    "link share": 0.8,
    "chosen share": 0.1,
    "paragraph share": 0.1,
}


def test_a_short_post_among_many_links_is_an_article_if_it_is_signed_and_dated() -> None:
    assert with_rules(SIGNED, 0.02) == MIN_PROBABILITY
    assert with_rules(SIGNED, 0.9) == 0.9


def test_the_trees_decide_where_one_sign_is_missing() -> None:
    missing: Case = {"url date": 0.0, "date": 0.0, "authors": 0, "confidence": 0.5, "type": "shop"}
    for name, value in missing.items():
        case: Case = {**SIGNED, name: value}
        assert not is_signed_and_dated(case)
        assert with_rules(case, 0.02) == 0.02


def test_an_offer_speaks_to_the_reader_and_a_report_of_others() -> None:
    offer = word_shares(
        count_kinds(words_of("Call us for a free quote. Our services fit your home."))
    )
    report = word_shares(
        count_kinds(words_of("The mayor said on Monday that the bridge was closed."))
    )
    assert offer["offer"] > report["offer"] == 0
    assert offer["reader"] > report["reader"] == 0
    assert report["report"] > offer["report"] == 0
