"""What a person has said of one page of a site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import xxhash

#: The fields of an article whose slot a person can name.
FIELDS = ("headline", "byline", "date")
#: Characters of a block's text that are kept, so that people recognise it.
MAX_SAMPLE = 60

NO_FIELDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Slot:
    """The blocks of a labelled page that have one path, and of which the method thought alike."""

    path: str
    #: whether the method had taken them for the article
    taken: bool
    #: in how many of them it was wrong, and right
    wrong: int = 0
    right: int = 0
    #: of those in which it was wrong: the log-odds for the article of the one of which it was
    #: surest, None if the method has none
    log_odds: float | None = None
    #: how the first wrong one begins, to recognise it
    text: str = ""

    @property
    def belongs(self) -> int:
        """How many of the blocks belong to the article."""
        return self.right if self.taken else self.wrong

    @property
    def noise(self) -> int:
        """How many of them do not."""
        return self.wrong if self.taken else self.right


@dataclass(frozen=True)
class Correction:
    """The labels of one page: for each of its slots whether the method was right there."""

    #: the address of the page, or its file
    page: str
    #: the day, as in 2026-03-14
    date: str
    #: the method that was corrected
    method: str
    slots: tuple[Slot, ...] = ()
    #: by name of the field, the path of the block that holds it
    fields: Mapping[str, str] = field(default_factory=lambda: NO_FIELDS)
    note: str = ""
    #: the largest share of a page's words that it was shown to change, on so many pages; None if
    #: nobody has looked
    shown_share: float | None = None
    shown_pages: int = 0
    id: str = ""

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", self._made_id())

    def _made_id(self) -> str:
        """A short name, the same for the same labels of the same page on the same day."""
        slots = (repr(slot) for slot in self.slots)
        parts = (self.page, self.date, self.method, *slots, repr(sorted(self.fields.items())))
        return xxhash.xxh3_64_hexdigest("\n".join(parts).encode("utf-8", "replace"))[:8]

    @property
    def contradictions(self) -> tuple[Slot, ...]:
        """The slots in which the method was wrong."""
        return tuple(slot for slot in self.slots if slot.wrong)

    @property
    def is_empty(self) -> bool:
        """Whether it would change nothing: the method was right everywhere."""
        return not self.contradictions and not self.fields
