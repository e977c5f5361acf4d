"""All corrections of one site: what people have said of its pages, in order."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, Self

from newsclean.corrections.correction import FIELDS
from newsclean.corrections.matching import field_lines, slots_of_page, wanted_slots
from newsclean.corrections.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from newsclean.corrections.correction import Correction
    from newsclean.page import Page

#: Pairs that are listed; who has more has one and the same problem in many places.
MAX_CONFLICTS = 100


class Conflict(NamedTuple):
    """Two corrections of which one says of a slot that it belongs to the article, one that not."""

    path: str
    belongs: str
    noise: str


@dataclass(frozen=True)
class Corrections:
    """They are a value: `with_` and `without` return others, and `write` saves them.

    >>> from newsclean.corrections.correction import Correction, Slot
    >>> promo = Slot("html body div.promo p", taken=True, wrong=1)
    >>> one = Correction("https://example.org/1", "2026-03-14", "hybrid", (promo,))
    >>> corrections = Corrections("example.org").with_(one)
    >>> len(corrections), len(corrections.without(one.id))
    (1, 0)
    """

    #: the host name of the site, as in example.org
    site: str
    entries: tuple[Correction, ...] = ()

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """The corrections of a file; `CorrectionsError` if it cannot be read or makes no sense."""
        from newsclean.corrections.file import read_corrections

        site, entries = read_corrections(path)
        return cls(site, entries)

    @classmethod
    def of_site(cls, site_file: Path | str) -> Self:
        """Those beside a site file, or in the file itself; a site file may have none yet."""
        from newsclean.corrections.file import corrections_path, site_file_path

        path = corrections_path(site_file)
        if not path.exists() and site_file_path(path).exists():
            return cls(site_file_path(path).stem)
        return cls.read(path)

    def write(self, path: Path | str) -> None:
        """Save them; whoever reads the file meanwhile sees the old one or the new one."""
        from newsclean.corrections.file import write_corrections

        write_corrections(path, self.site, self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Correction]:
        return iter(self.entries)

    def __getitem__(self, name: str) -> Correction:
        """The correction of an id, or of the beginning of one."""
        found = [each for each in self.entries if each.id == name]
        if not found and name:
            found = [each for each in self.entries if each.id.startswith(name)]
        if len(found) != 1:
            problem = "no correction has" if not found else "several corrections have"
            known = ", ".join(each.id for each in self.entries) or "none"
            raise KeyError(f"{problem} the id {name!r}; there are: {known}")
        return found[0]

    def with_(self, *corrections: Correction) -> Corrections:
        """These and more; one of the same page and method takes the place of the earlier one."""
        pages = {(each.page, each.method) for each in corrections}
        kept = (each for each in self.entries if (each.page, each.method) not in pages)
        return replace(self, entries=(*kept, *corrections))

    def without(self, *names: str) -> Corrections:
        """These without the corrections of some ids; `KeyError` if there is no such id."""
        gone = {self[name].id for name in names}
        return replace(self, entries=tuple(each for each in self.entries if each.id not in gone))

    def unlimited(self) -> Corrections:
        """These, where those of which nobody has seen what they change may change anything.

        So a preview shows all that they would change.
        """
        entries = (
            replace(each, shown_share=math.inf) if each.shown_share is None else each
            for each in self.entries
        )
        return replace(self, entries=tuple(entries))

    def for_page(self, url: str | None) -> Corrections:
        """Those that hold for a page; here all, for whoever asks has the pages of one site."""
        return self

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        return {}

    def rule(self, method: str) -> Rule:
        """What they say where a method is in use: those of other methods say nothing."""
        if method not in self._rules:
            self._rules[method] = Rule(each for each in self.entries if each.method == method)
        return self._rules[method]

    def ids_for(self, method: str) -> tuple[frozenset[str], frozenset[str]]:
        """The ids of those that can speak where a method is in use, and of those that cannot."""
        speaking = [each.id for each in self.entries if each.method == method or each.fields]
        others = [each.id for each in self.entries if each.id not in speaking]
        return frozenset(speaking), frozenset(others)

    def ids_of_fields(self, fields: Iterable[str]) -> frozenset[str]:
        """The ids of those that name the slot of any of these fields."""
        names = set(fields)
        return frozenset(each.id for each in self.entries if names & each.fields.keys())

    def fields_on(self, page: Page) -> dict[str, str]:
        """The lines of a page of which the corrections say that they hold a field."""
        slots = {
            name: [each.fields[name] for each in reversed(self.entries) if name in each.fields]
            for name in FIELDS
        }
        return field_lines(page, {name: paths for name, paths in slots.items() if paths})

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The pairs that contradict each other, slot by slot, of one method; not all of many."""
        said: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
        disputed: set[tuple[str, str]] = set()
        for each in self.entries:
            counts: dict[str, list[int]] = {}
            for slot in each.slots:
                count = counts.setdefault(slot.path, [0, 0])
                count[0] += slot.belongs
                count[1] += slot.noise
                if slot.wrong:
                    disputed.add((each.method, slot.path))
            for path, (belongs, noise) in counts.items():
                if belongs != noise:
                    sides = said.setdefault((each.method, path), ([], []))
                    sides[belongs < noise].append(each.id)
        pairs = (
            Conflict(key[1], one, other)
            for key, (for_article, for_noise) in said.items()
            if key in disputed
            for one in for_article
            for other in for_noise
        )
        return tuple(islice(pairs, MAX_CONFLICTS))

    def asleep(self, pages: Iterable[Page]) -> tuple[Correction, ...]:
        """Those whose slots none of these pages has, neither by path nor by their last elements."""
        left = {each.id: wanted_slots(each) for each in self.entries}
        for page in pages:
            if not any(left.values()):
                break
            found = slots_of_page(page)
            left = {name: None if wanted and wanted & found else wanted
                    for name, wanted in left.items()}  # fmt: skip
        return tuple(each for each in self.entries if left[each.id])
