"""Which words of a page speak for an article, learned from pages of many publishers."""

from dataclasses import replace

import numpy as np

from newsclean.extraction.is_article.page_features import PageWords
from newsclean.extraction.is_article.trees import FRAME, TEXT
from newsclean.lab.training.page_vocabulary import (
    MIN_PUBLISHERS,
    PARTS,
    WordedPages,
    common_words,
    cross_fitted_scores,
    fit_vocabularies,
    scores_of,
)

#: Words of all menus, so that the language is known.
MENU = [f"menu{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]
POST = PageWords([], [*MENU, "comments"], frozenset({"why"}), frozenset({"blog"}))
SHOP = PageWords([], [*MENU, "checkout"], frozenset({"buy"}), frozenset({"cart"}))
COUNT = 2 * MIN_PUBLISHERS["margin"] * PARTS // (PARTS - 1) + PARTS


def pages(count: int = COUNT) -> WordedPages:
    """A page a publisher, every other one of a shop; each has a word of its own."""
    is_article = np.arange(count) % 2 == 0
    words = [POST if article else SHOP for article in is_article]
    words = [
        replace(own, margin=[*own.margin, f"name{number}"]) for number, own in enumerate(words)
    ]
    names = [f"publisher{number}" for number in range(count)]
    return WordedPages(words, is_article, np.zeros(count, dtype=bool), names)


def test_words_of_posts_speak_for_articles_and_those_of_shops_against_them() -> None:
    vocabularies = fit_vocabularies(pages())
    said = scores_of(vocabularies, [POST, SHOP])
    for question in (TEXT, FRAME):
        post, shop = (score[question] for score in said)
        assert post is not None
        assert shop is not None
        assert post > 0.5 > -0.5 > shop


def test_a_word_of_few_publishers_is_left_out() -> None:
    assert common_words(pages(), "margin") == sorted([*MENU, "comments", "checkout"])
    same = replace(pages(), publishers=["times"] * COUNT)
    assert common_words(same, "margin") == []
    assert scores_of(fit_vocabularies(same), [POST]) == [{TEXT: None, FRAME: None}]


def test_what_a_publisher_is_does_not_change_what_its_own_words_say() -> None:
    some = pages()
    before = cross_fitted_scores(some)
    turned = some.is_article.copy()
    turned[7] = not turned[7]
    after = cross_fitted_scores(replace(some, is_article=turned))
    assert before[7] == after[7] != {TEXT: None, FRAME: None}
    assert before != after


def test_pages_in_an_unknown_language_teach_the_words_of_texts_nothing() -> None:
    some = pages()
    foreign = PageWords([], [f"ord{word}" for word in MENU], frozenset({"why"}))
    words = [*some.words, *[foreign] * 50]
    more = WordedPages(
        words,
        np.append(some.is_article, np.zeros(50, dtype=bool)),
        np.zeros(len(words), dtype=bool),
        [*some.publishers, *(f"foreign{number % 5}" for number in range(50))],
    )
    assert fit_vocabularies(more)[TEXT] == fit_vocabularies(some)[TEXT]


def test_the_same_pages_teach_the_same() -> None:
    assert fit_vocabularies(pages()) == fit_vocabularies(pages())
    assert cross_fitted_scores(pages(), seed=3) == cross_fitted_scores(pages(), seed=3)
