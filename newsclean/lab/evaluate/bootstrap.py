"""How far a mean over pages could have come out otherwise: bootstrap percentile intervals."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

RESAMPLES = 2000
LEVEL = 0.95
SEED = 2014


class Mean(NamedTuple):
    """A mean, and the interval in which it lies with the confidence of `LEVEL`."""

    mean: float
    low: float
    high: float


def means(values: ArrayLike) -> list[Mean]:
    """The mean and interval of each column, a row a page; all columns see the same resamples.

    >>> [(m.mean, m.low < m.mean < m.high) for m in means([[0.0, 1.0], [1.0, 3.0], [0.5, 2.0]])]
    [(0.5, True), (2.0, True)]
    """
    rows = np.asarray(values, dtype=float)
    centre = rows.mean(axis=0)
    resampled = _draws(len(rows)) @ rows / len(rows)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
    return [Mean(*map(float, three)) for three in zip(centre, low, high, strict=True)]


def ratio(parts: ArrayLike, wholes: ArrayLike) -> Mean | None:
    """The sum of the parts over that of the wholes, a pair a page, and its interval.

    None if there is no whole.

    >>> share = ratio([1, 2, 0, 3], [2, 2, 1, 3])
    >>> share and (share.mean, share.low < share.mean < share.high)
    (0.75, True)
    """
    pairs = np.stack([np.asarray(parts, dtype=float), np.asarray(wholes, dtype=float)], axis=1)
    part, whole = pairs.sum(axis=0)
    if not whole:
        return None
    resampled = _draws(len(pairs)) @ pairs
    resampled = resampled[resampled[:, 1] > 0]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(resampled[:, 0] / resampled[:, 1], [tail, 1 - tail])
    return Mean(float(part / whole), float(low), float(high))


@lru_cache(maxsize=16)
def _draws(pages: int) -> NDArray[np.float64]:
    """How often each page is drawn, a row a resample."""
    draws = np.random.default_rng(SEED).multinomial(
        pages, np.full(pages, 1 / pages), size=RESAMPLES
    )
    return draws.astype(float)
