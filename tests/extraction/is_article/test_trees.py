"""Vocabularies, and models with them; the trees are tested where they are learned."""

import json

import pytest

from newsclean.extraction.extractor import Extractor
from newsclean.extraction.is_article.page_features import PageWords
from newsclean.extraction.is_article.trees import (
    FRAME,
    TEXT,
    ZONES,
    Ensemble,
    Model,
    Vocabulary,
    models_from_json,
    shipped,
)
from newsclean.extraction.page import Page
from newsclean.lab.training.article_training import models_to_json

from .pages import STORY_URL, story

#: Letters, so that the words are words.
MENU = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(40)]
MARGIN = dict.fromkeys(MENU, 0.0) | {"checkout": -2.0, "comments": 1.0}


def test_words_speak_for_an_article_or_against_it() -> None:
    vocabulary = Vocabulary({"margin": MARGIN, "title": {"review": 0.5}}, bias=0.25)
    assert vocabulary(PageWords([], MENU)) == 0.25
    shop = vocabulary(PageWords([], [*MENU, "checkout"]))
    post = vocabulary(PageWords([], [*MENU, "comments"]))
    review = vocabulary(PageWords([], [*MENU, "comments"], title=frozenset({"review"})))
    assert shop is not None
    assert post is not None
    assert review is not None
    assert shop < 0.25 < post < review


def test_a_vocabulary_says_nothing_in_a_language_that_it_does_not_know() -> None:
    vocabulary = Vocabulary({"margin": MARGIN, "title": {"review": 0.5}}, bias=0.25)
    foreign = [f"ord{word}" for word in MENU]
    title = frozenset({"review"})
    assert vocabulary(PageWords([], [], title)) is None
    assert vocabulary(PageWords([], MENU[:10], title)) is None
    assert vocabulary(PageWords([], [*foreign, "comments"], title)) is None
    assert vocabulary(PageWords([], [*foreign, *MENU[:30]], title)) is not None


def test_class_names_and_urls_speak_in_all_languages() -> None:
    vocabulary = Vocabulary({"address": {"blog": 1.0}, "frame": {"shop": -1.0}}, bias=0.5)
    assert vocabulary(PageWords([], [], address=frozenset({"blog"}))) == pytest.approx(1.207)
    assert vocabulary(PageWords([], [], frame=frozenset({"shop"}))) == pytest.approx(-0.207)
    assert vocabulary(PageWords([], [], frame=frozenset({"x"}))) is None


def test_a_model_with_its_vocabularies_is_saved_and_read_again() -> None:
    vocabularies = {FRAME: Vocabulary({"address": {"blog": 1.25}, "frame": {}}, -0.5)}
    model = Model(Ensemble((), 0.2), 0.5, vocabularies=vocabularies)
    text = models_to_json({"pages": model})
    assert models_from_json(text)["pages"] == model
    blog = PageWords([], [], address=frozenset({"blog"}))
    assert model.case_of({"links": 3}, blog) == {"links": 3, FRAME: 0.384}


def test_a_model_file_from_before_the_vocabularies_can_be_read() -> None:
    data = json.loads(models_to_json({"pages": Model(Ensemble((), 0.2), 0.5)}))
    del data["pages"]["vocabularies"]
    model = models_from_json(json.dumps(data))["pages"]
    assert model.case_of({"links": 3}, PageWords([], [])) == {"links": 3}
    data["pages"]["vocabularies"] = {TEXT: {"bias": 0.0}}
    with pytest.raises(ValueError, match="not a model file: KeyError\\('weights'\\)"):
        models_from_json(json.dumps(data))


def test_the_shipped_vocabularies_know_words_and_no_languages_but_english() -> None:
    vocabularies = shipped()["pages"].vocabularies
    assert {name: tuple(one.weights) for name, one in vocabularies.items()} == ZONES
    extraction = Extractor()(Page.from_html(story("Bergen"), STORY_URL))
    assert vocabularies[TEXT](extraction.page_words) is None  # a menu of two words
    said = vocabularies[FRAME](extraction.page_words)
    assert said is not None
    assert said > 0
    assert vocabularies[FRAME].weights["address"]["blog"] > 0
    assert vocabularies[FRAME].weights["frame"]["@product"] < 0
