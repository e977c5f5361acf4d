"""Steps that choose, and chains of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newsclean.neighborhood import Known
    from newsclean.neighborhood.keys import Keying
    from newsclean.page import Page
    from newsclean.page.columns import Mask


class Stage(IntEnum):
    """Where on a page's way a step belongs; the crawl has a pipeline for each."""

    STATIC = 1
    DYNAMIC = 2
    CONTENT = 3


@dataclass(frozen=True, eq=False)
class Choice:
    """The rows of a page that are left as the article, and how sure the method is."""

    rows: Mask
    score: float = 0.0
    #: the rows marked on the way, by kind of noise
    noise: dict[str, Mask] = field(default_factory=dict)
    #: steps of the chain that have run
    done: int = 0
    #: which way was taken, where a method has several
    way: str | None = None
    #: whether headline, byline and captions have been left out already
    is_body: bool = False
    #: the mean probability of the chosen words; None for a method that knows none
    sureness: float | None = None

    @classmethod
    def everything(cls, page: Page) -> Choice:
        return cls(np.ones(len(page), dtype=bool))

    @property
    def last_resort(self) -> bool:
        """Whether the method itself found nothing, and another way was taken."""
        return self.way not in (None, "network")

    def without(self, kind: str, marks: Mask) -> Choice:
        """This choice after rows have been marked as noise."""
        return replace(self, rows=self.rows & ~marks, noise={**self.noise, kind: marks})


@dataclass(frozen=True)
class Step:
    stage: Stage
    run: Callable[[Page, Known | None, Choice], Choice]


@dataclass(frozen=True)
class Method:
    """A chain of steps under its name."""

    name: str
    steps: tuple[Step, ...]
    #: how the neighborhood must have learned for this method
    keying: Keying
    #: whether it asks for the site's profile
    profile: bool = False

    def choose(self, page: Page, known: Known | None = None) -> Choice:
        """What the method takes for the article."""
        return self.advance(page, known, Choice.everything(page), Stage.CONTENT)

    def advance(self, page: Page, known: Known | None, choice: Choice, until: Stage) -> Choice:
        """Run the next steps of the chain, as far as they belong to this stage or one before."""
        for number, step in enumerate(self.steps[choice.done :], choice.done + 1):
            if step.stage > until and until < Stage.CONTENT:
                break
            choice = replace(step.run(page, known, choice), done=number)
        return choice
