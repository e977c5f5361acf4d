"""What each piece of evidence, each collection and each kind of made page is worth in training.

The network is trained anew without one of them at a time. Each row is a few fits, which are kept in
the folder of a cache as they are done: an ablation that was stopped goes on where it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsclean.lab.training.fit import weight_of
from newsclean.lab.training.run import Trained, features_by_group, train

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from newsclean.lab.training.examples import Example
    from newsclean.lab.training.settings import Settings

EVERYTHING = "everything"


@dataclass(frozen=True)
class Row:
    """One training: its name, its settings, and the features that it does not use."""

    name: str
    settings: Settings
    left_out: list[str]

    def train(
        self,
        examples: Sequence[Example],
        folds: int,
        jobs: int,
        advance: Callable[[], object],
        cache: Path | None,
    ) -> Trained:
        """Train the networks of some folds, and measure them."""
        return train(
            examples,
            self.settings,
            left_out=self.left_out,
            folds=folds,
            only_folds=True,
            jobs=jobs,
            advance=advance,
            cache=cache,
        )


def rows_of(
    examples: Sequence[Example],
    settings: Settings,
    left_out: Sequence[str],
    groups: Sequence[str],
) -> Iterator[Row]:
    """The rows: these groups of features, each collection and each kind of made page."""
    yield Row(EVERYTHING, settings, [*left_out])
    by_group = features_by_group()
    for group in groups:
        if not set(by_group[group]) <= set(left_out):
            yield Row(f"without {group}", settings, [*left_out, *by_group[group]])
    names = sorted({e.gold.collection for e in examples if weight_of(e.gold, settings) > 0})
    for name in names if len(names) > 1 else []:
        yield Row(f"without {name}", settings.without([name]), [*left_out])
