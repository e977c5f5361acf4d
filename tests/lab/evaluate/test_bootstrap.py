"""Intervals of means."""

import numpy as np
import pytest

from newsclean.lab.evaluate.bootstrap import means


def test_an_interval_is_that_of_the_normal_approximation_where_that_holds() -> None:
    values = np.random.default_rng(1).normal(0.9, 0.05, size=(400, 1))
    ((mean, low, high),) = means(values)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert mean == pytest.approx(values.mean())
    assert (high - low) / 2 == pytest.approx(half, rel=0.1)
    assert low < mean < high


def test_the_same_pages_give_the_same_interval() -> None:
    assert means([[0.1], [0.9], [0.5]]) == means([[0.1], [0.9], [0.5]])


def test_one_page_has_an_interval_of_no_width() -> None:
    assert means([[0.4, 0.5]]) == [(0.4, 0.4, 0.4), (0.5, 0.5, 0.5)]
