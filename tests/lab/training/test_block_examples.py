"""Which blocks of a page its gold text is made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.lab.training.block_examples import Bags, label_blocks, optional_blocks

RAIN = "It has rained in Bergen for nine days, and the river is as high as it ever was."
MAYOR = "The mayor says that no help is near, and asks all people to stay at home tonight."
SNOW = "In the north there was snow, which nobody had thought of in a warm June like this."


def labels(texts: list[str], *golds: str) -> list[bool]:
    found: list[bool] = label_blocks(texts, golds, Bags.of(texts, golds)).tolist()
    return found


def optional(texts: list[str], *golds: str) -> list[bool]:
    chosen = label_blocks(texts, golds, Bags.of(texts, golds))
    found: list[bool] = optional_blocks(texts, golds, chosen).tolist()
    return found


def test_the_blocks_of_the_gold_text_are_found() -> None:
    texts = ["Menu", RAIN, "Read also: Snow in the north", MAYOR, "All rights reserved"]
    assert labels(texts, f"{RAIN}\n\n{MAYOR}") == [False, True, False, True, False]


def test_a_block_that_the_gold_has_with_other_signs_is_found() -> None:
    texts = ["Menu", RAIN.replace(",", " –"), "End"]
    assert labels(texts, RAIN) == [False, True, False]


def test_a_teaser_that_repeats_the_lead_is_not_the_article_twice() -> None:
    texts = [RAIN, "Menu", RAIN, MAYOR]
    found = labels(texts, f"{RAIN}\n\n{MAYOR}")
    assert found[3]
    assert found[0] != found[2]


def test_a_text_that_the_gold_has_twice_is_the_article_twice() -> None:
    assert labels([RAIN, MAYOR, RAIN], f"{RAIN}\n\n{MAYOR}\n\n{RAIN}") == [True] * 3


def test_paragraphs_in_another_order_are_found_all_the_same() -> None:
    assert labels([MAYOR, "Menu", RAIN], f"{RAIN}\n\n{MAYOR}") == [True, False, True]


def test_a_block_that_is_half_of_the_article_is_taken_if_that_is_more_right() -> None:
    mixed = f"{RAIN} Sign up."
    assert labels(["Menu", mixed], RAIN) == [False, True]
    assert labels(["Menu", RAIN, f"Rain {'and other words ' * 20}"], RAIN) == [False, True, False]


def test_a_script_without_spaces_is_found() -> None:
    tokyo, weather = "東京では九日間雨が降っています。", "明日の天気は晴れです。"
    assert labels(["メニュー", tokyo, weather], f"{tokyo}{weather}") == [False, True, True]


def test_nothing_of_a_gold_text_that_the_page_does_not_have() -> None:
    assert labels(["Menu", "About us"], RAIN) == [False, False]
    assert labels(["Menu", RAIN], "") == [False, False]


def test_a_paragraph_that_only_the_longer_gold_has_is_right_either_way() -> None:
    texts = ["Example Times is a member of the press council.", RAIN, SNOW, MAYOR]
    longer, shorter = f"{RAIN}\n\n{SNOW}\n\n{MAYOR}", f"{RAIN}\n\n{MAYOR}"
    assert optional(texts, longer, shorter) == [False, False, True, False]
    assert optional(texts, longer) == [False] * 4


def test_the_agreement_is_that_of_the_gold_that_fits_best() -> None:
    bags = Bags.of([RAIN, MAYOR], [f"{RAIN}\n\n{MAYOR}", RAIN])
    assert bags.f1(np.array([True, True])) == 1
    assert bags.f1(np.array([True, False])) == 1
    assert 0 < bags.f1(np.array([False, True])) < 1
    assert bags.f1(np.array([False, False])) == 0


def test_words_are_the_same_in_capital_letters() -> None:
    assert Bags.of(["IT RAINS"], ["It rains"]).f1(np.array([True])) == 1


@given(st.lists(st.sampled_from([RAIN, MAYOR, SNOW, "Menu", "It", ""]), min_size=1, max_size=8))
def test_blocks_that_are_the_gold_agree_with_it_wholly(texts: list[str]) -> None:
    bags = Bags.of(texts, ["\n\n".join(texts)])
    assert bags.f1(np.ones(len(texts), dtype=bool)) == pytest.approx(1)
    assert bags.f1(label_blocks(texts, ["\n\n".join(texts)], bags)) == pytest.approx(1)
