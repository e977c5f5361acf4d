"""Templates become sentences: choices, slots, and people who are introduced only once."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from newsclean.demo.topics import Topic
from newsclean.demo.topics.shared import FIRST_NAMES, LAST_NAMES, MONTHS, PLACES, SPANS, WEEKDAYS

# So often a template is filled anew before the next one is tried.
DRAWS_PER_TEMPLATE = 12
MAX_CELL_DRAWS = 400

_CHOICE = re.compile(r"\[([^\[\]]+)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE_START = re.compile(r"(^[^\w]*|[.!?]”? “?)([a-z])")
_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"


@dataclass(frozen=True)
class Person:
    """Somebody in a story: with the role at first mention, by the surname later."""

    role: str
    first: str
    last: str


def _ordinal(number: int) -> str:
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 <= number % 100 <= 20 else suffix}"


def _numbers(rng: random.Random) -> dict[str, Callable[[], str]]:
    return {
        "n": lambda: str(rng.randint(3, 29)),
        "nth": lambda: _ordinal(rng.randint(11, 79)),
        "big": lambda: f"{rng.randint(110, 1980) * 10 + rng.choice((0, 0, 0, 4, 7)):,}",
        "pct": lambda: f"{rng.randint(21, 619) / 10:.1f} per cent",
        "money": lambda: f"{rng.randint(12, 969) / 10:.1f} million crowns",
    }


class Narrator:
    """Fills templates for one story, so that its people and places stay the same throughout."""

    def __init__(self, rng: random.Random, topic: Topic, seen: set[str]) -> None:
        self.rng = rng
        self.seen = seen
        self.place = rng.choice(PLACES)
        lasts = rng.sample(LAST_NAMES, 3)
        self._people = {
            name: Person(rng.choice(roles), rng.choice(FIRST_NAMES), last)
            for name, roles, last in zip(
                ("lead", "second", "critic"), topic.roles, lasts, strict=True
            )
        }
        self._introduced: set[str] = set()
        self._used: set[str] = set()
        self._fixed = {"place": self.place, "org": rng.choice(topic.organisations)}
        self._fixed |= {slot: rng.choice(words) for slot, words in topic.fixed.items()}
        self._free: dict[str, Sequence[str]] = {
            "town": tuple(place for place in PLACES if place != self.place),
            "month": MONTHS,
            "weekday": WEEKDAYS,
            "span": SPANS,
            **topic.free,
        }
        self._numbers = _numbers(rng)

    def headline(self, template: str) -> str:
        """A headline: articles before slots dropped, people by surname, no marks."""
        text = self._expand(template, short=True)
        return text.replace("*", "")

    def standalone(self, template: str) -> str:
        """A text outside the body, so that it introduces nobody to the body's reader."""
        introduced = set(self._introduced)
        self._introduced.clear()
        text = self._expand(template)
        self._introduced = introduced
        return text

    def fresh(self, pool: Sequence[str]) -> str | None:
        """A new text from the pool: a template unused in this story, a text unseen in the world."""
        templates = [template for template in pool if template not in self._used]
        self.rng.shuffle(templates)
        for template in templates:
            for _ in range(DRAWS_PER_TEMPLATE):
                introduced = set(self._introduced)
                text = self._expand(template)
                if text not in self.seen:
                    self.seen.add(text)
                    self._used.add(template)
                    return text
                self._introduced = introduced
        return None

    def fresh_cell(self, template: str) -> str:
        """A table cell that no other table of the world has."""
        for _ in range(MAX_CELL_DRAWS):
            text = self._expand(template, short=True)
            if text not in self.seen:
                self.seen.add(text)
                return text
        raise ValueError(f"table cell {template!r} has too few readings; give it more slots")

    def _expand(self, template: str, short: bool = False) -> str:
        text = _CHOICE.sub(lambda match: self.rng.choice(match[1].split("|")), template)
        text = _SLOT.sub(lambda match: self._fill(match[1], short), text)
        text = _SENTENCE_START.sub(lambda match: match[1] + match[2].upper(), text)
        return text.replace("'", _APOSTROPHE)

    def _fill(self, slot: str, short: bool) -> str:
        if slot in self._numbers:
            return self._numbers[slot]()
        if slot in self._people:
            return self._name(slot, short)
        text = self._fixed.get(slot) or self.rng.choice(self._free[slot])
        return text.removeprefix("the ") if short else text

    def _name(self, slot: str, short: bool) -> str:
        person = self._people[slot]
        if short or slot in self._introduced:
            return person.last
        self._introduced.add(slot)
        return f"{person.role} {person.first} {person.last}"
