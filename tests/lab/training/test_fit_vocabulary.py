"""Which words speak for the article."""

from dataclasses import replace

import numpy as np

from newsclean.lab.training.block_examples import Example
from newsclean.lab.training.fit import common_words, fit_vocabulary

from .synthetic import by_first, example

TEXT, OFFER = "{} said on {} that it rained", "subscribe now to the news of {} and {}"


def page(seed: int, kind: str = "article") -> Example:
    """A page whose article's blocks report, and whose other blocks offer something."""
    found = example(seed, by_first, kind=kind)
    found.texts = [
        (TEXT if label else OFFER).format(f"name{chr(97 + seed)}", "monday")
        for label in found.is_article
    ]
    found.words = np.full(len(found.words), 7.0)
    return found


PAGES = [page(seed) for seed in range(20)]


def test_words_of_reports_speak_for_the_article_and_those_of_offers_against_it() -> None:
    vocabulary = fit_vocabulary(PAGES, common_words(PAGES, min_publishers=10))
    assert vocabulary("he said that it rained") > 0.5
    assert vocabulary("subscribe now") < -0.5
    assert vocabulary("det regner") == 0


def test_a_word_of_few_publishers_is_left_out() -> None:
    words = common_words(PAGES, min_publishers=10)
    assert "subscribe" in words
    assert not any(word.startswith("name") for word in words)
    same = [replace(e, gold=replace(e.gold, site="times")) for e in PAGES]
    assert common_words(same, min_publishers=2) == []


def test_pages_that_are_no_articles_have_no_say() -> None:
    shops = [page(seed, "product") for seed in range(20)]
    assert common_words(shops, min_publishers=10) == []
    assert fit_vocabulary(shops, ["said", "subscribe"]).weights == {}
    words = common_words(PAGES, min_publishers=10)
    assert fit_vocabulary([*PAGES, *shops], words).weights == fit_vocabulary(PAGES, words).weights
