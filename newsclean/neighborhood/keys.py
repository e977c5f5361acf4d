"""The keys of one page, as a neighborhood counts them; the methods make them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import xxhash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.metadata import PageMetadata
    from newsclean.page.columns import Column

    Hashes = NDArray[np.uint64]

#: What a key is made of. `element`: tag, attributes and own text of each element, as published;
#: `block`: tag and text of each text block, and of the label with which a block begins ("Read
#: also", "Image copyright").
Keying = Literal["element", "block"]

#: Keys of one page that are remembered, so that no page, however large, makes a memory large.
MAX_KEYS = 4_000


def _none() -> Hashes:
    return np.empty(0, dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class PageKeys:
    """A 64-bit hash for each unit of text, and which text row is in which unit."""

    texts: Hashes
    #: a unit's text, for people to read
    samples: list[str]
    #: characters of each unit, 0 for a label, whose block has them already
    chars: Column
    #: unit of each text row
    of_text: Column
    #: unit of the label with which the text of a text row's unit begins, -1 if it has none
    label_of_text: Column
    #: the page's own verdicts on the slots of its template
    verdicts: Hashes = field(default_factory=_none)
    #: the verdicts on those slots that its neighbors may have
    slots: Hashes = field(default_factory=_none)
    #: what the page's metadata teaches of its site
    facts: Hashes = field(default_factory=_none)
    #: what it asks its neighbors, and the keys of that
    asked: tuple[str, ...] = ()
    asked_keys: Hashes = field(default_factory=_none)
    #: the metadata itself, as the page alone has it
    metadata: PageMetadata | None = None

    @classmethod
    def of_remembered(cls, hashes: Hashes, facts: Hashes) -> PageKeys:
        """What is left of a page whose keys were made elsewhere: it teaches, and asks nothing."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(_none(), [], nothing, nothing, nothing, verdicts=hashes, facts=facts)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def remembered(self) -> Hashes:
        """The keys that a neighborhood keeps: each once, and at most `MAX_KEYS`."""
        texts = np.unique(self.texts)[: MAX_KEYS - len(self.verdicts)]
        return np.union1d(texts, self.verdicts) if len(self.verdicts) else texts

    @property
    def fingerprint(self) -> str:
        """A name for a page that came without one."""
        return xxhash.xxh3_128_hexdigest(np.unique(self.texts).tobytes())
