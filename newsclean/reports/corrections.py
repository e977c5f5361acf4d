"""Count what the corrections of a site did in a run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsclean.extraction.corrections.site_corrections import CorrectionResult

#: A correction that applied to none of this many pages is inactive.
MIN_PAGES = 10
#: Ids that a note names.
MAX_NAMED = 5


@dataclass
class CorrectionCounts:
    """By the ids of the corrections: on how many pages they could have applied, and did."""

    pages: int = 0
    changed: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    met: set[str] = field(default_factory=set)
    held_back: Counter[str] = field(default_factory=Counter)
    of_other_methods: set[str] = field(default_factory=set)

    def add(self, result: CorrectionResult) -> None:
        """Count one page."""
        self.pages += 1
        self.changed += result.is_changed
        self.seen.update(result.known)
        self.met |= result.met
        self.held_back.update(result.held_back.keys())
        self.of_other_methods |= result.of_other_methods

    @property
    def inactive(self) -> list[str]:
        """The corrections whose slots no page had: the template may have changed."""
        return sorted(
            name for name, pages in self.seen.items() if pages >= MIN_PAGES and name not in self.met
        )

    @property
    def notes(self) -> list[str]:
        """The lines for a report."""
        found = []
        if self.changed:
            found.append(f"corrections changed {self.changed:,} of {self.pages:,} pages")
        if inactive := self.inactive:
            found.append(f"corrections inactive: {_named(inactive)}")
        if self.held_back:
            found.append(f"corrections held back: {_named(sorted(self.held_back))}")
        if self.of_other_methods:
            found.append(f"corrections of another method: {_named(sorted(self.of_other_methods))}")
        return found


def _named(ids: list[str]) -> str:
    more = f" and {len(ids) - MAX_NAMED} more" if len(ids) > MAX_NAMED else ""
    return " ".join(ids[:MAX_NAMED]) + more
