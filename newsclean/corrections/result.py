"""What corrections have done to one page."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class CorrectionResult:
    """By the ids of the corrections."""

    #: all of the site that speak of the method in use, or of a field
    known: frozenset[str] = frozenset()
    #: those of which the page has a slot
    met: frozenset[str] = frozenset()
    #: all that were made with another method, and say nothing
    of_other_methods: frozenset[str] = frozenset()
    #: words that were added or removed
    words: int = 0
    is_changed: bool = False
    held_back: dict[str, int] = field(default_factory=dict)
