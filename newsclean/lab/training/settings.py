"""How the network of `hybrid` is trained."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Settings:
    """How the network is trained."""

    width: int = 32
    epochs: int = 12
    batch_size: int = 12
    learning_rate: float = 4e-3
    #: share of the steps in which the learning rate rises, before it falls
    warm_up: float = 0.1
    weight_decay: float = 1e-2
    #: a longer gradient is shortened to this
    max_gradient_norm: float = 1.0
    #: share of the hidden values that are left out at random
    dropout: float = 0.25
    #: share of the groups of features that are left out of a page at random
    feature_dropout: float = 0.12
    #: how much the loss by page counts beside the loss by block
    page_loss_weight: float = 1.0
    #: how much pages of a collection count: those of small ones more, those whose golds follow
    #: other conventions less
    collection_weights: tuple[tuple[str, float], ...] = (
        ("augmented", 0.7),
        ("big9", 1.2),
        ("cleanportal", 2.0),
        ("dragnet", 0.5),
        ("fundus", 2.0),
        ("fundus-eval", 2.0),
        ("htmltotext", 0.3),
        ("readability", 0.5),
    )
    #: how much pages of other kinds count: running text is much the same there. On listings and the
    #: like the teasers are the text, which is the opposite of what an article's page teaches.
    kind_weights: tuple[tuple[str, float], ...] = (
        ("documentation", 0.3),
        ("forum", 0.3),
        ("product", 0.3),
        ("service", 0.3),
    )
    #: collections whose golds follow conventions of their own on what belongs to the text. Each has
    #: an input of its own, which is 1 on its pages: what they teach of their convention is learned
    #: as the weights of that input, and these are not part of the network that comes out.
    conventions: tuple[str, ...] = ("chinese", "dragnet", "htmltotext", "readability")
    #: how many networks are trained first, with seeds of their own; the network then learns what
    #: they say in the mean beside the labels, which count `label_share`
    teachers: int = 0
    label_share: float = 0.5
    #: of these collections only every second teacher learns
    apart: tuple[str, ...] = ("chinese", "dragnet", "fundus-history", "htmltotext", "readability")
    seed: int = 1

    def without(self, collections: Iterable[str]) -> Settings:
        """The same, but no page of these collections is trained on."""
        return self.weighted(dict.fromkeys(collections, 0.0))

    def weighted(self, collections: Mapping[str, float]) -> Settings:
        """The same with other weights of these collections."""
        weights = {**dict(self.collection_weights), **collections}
        return replace(self, collection_weights=tuple(sorted(weights.items())))

    def of_teachers(self) -> list[Settings]:
        """How each teacher is trained: by turns on all collections, and without those apart."""
        return [
            replace(
                self.without(self.apart if number % 2 else ()), teachers=0, seed=1 + number // 2
            )
            for number in range(self.teachers)
        ]
