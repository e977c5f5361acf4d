"""One story: templates of its topic become sentences, and sentences become blocks."""

import random
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from newsclean.demo.blocks import (
    Block,
    Bullets,
    Figure,
    Paragraph,
    Quote,
    Subheading,
    Table,
    gold_paragraphs,
    link_first,
    parse_runs,
)

# The longest thing that can still be added (a table) keeps a story under 900 words.
_MAX_WORDS = 830
_SHORT_STORY = 260
_MAX_DRAWS = 50

# Stands for the URL of the place's topic page, and (empty) for that of some other article,
# until the publisher is known.
TOPIC_LINK = "topic:"

# How likely a story has each of these.
_LIST_SHARE = 0.4
_QUOTE_SHARE = 0.5
_TABLE_SHARE = 0.25
_FIGURE_SHARE = 0.75

# So often a template is filled anew before the next one is tried.
_DRAWS_PER_TEMPLATE = 12
_MAX_CELL_DRAWS = 400

_CHOICE = re.compile(r"\[([^\[\]]+)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE_START = re.compile(r"(^[^\w]*|[.!?]”? “?)([a-z])")
_APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"


def read_toml(path: str) -> dict[str, Any]:
    """Read a data file of the demo."""
    return tomllib.loads((files("newsclean.demo") / path).read_text("utf-8"))


#: Names, places and sentences for stories of every topic.
SHARED: dict[str, list[str]] = read_toml("topics/every_topic.toml")


@dataclass(frozen=True)
class Angle:
    """One kind of story: how its headline, its teaser and its first paragraph read."""

    headline: str
    teaser: str
    opening: str


@dataclass(frozen=True)
class Topic:
    """Templates and words of one topic, as its file in `topics` has them.

    In a template, ``{slot}`` is filled from the slots, ``[this|that]`` is a choice, ``*title*`` is
    emphasis, ``~label~`` is strong and ``^words^`` is a link to another article.
    """

    angles: list[Angle]
    details: list[str]
    voices: list[str]
    statements: list[str]
    subheadings: list[str]
    list_intros: list[str]
    list_items: list[str]
    captions: list[str]
    table_head: list[str]
    table_row: list[str]
    organisations: list[str]
    #: what the persons of a story can be
    roles: dict[str, list[str]]
    #: slots with one reading for the whole story
    fixed: dict[str, list[str]]
    #: slots with a new reading each time
    free: dict[str, list[str]]


@cache
def read_topic(name: str) -> Topic:
    data = read_toml(f"topics/{name}.toml")
    return Topic(**data | {"angles": [Angle(**angle) for angle in data["angles"]]})


@dataclass(frozen=True)
class _Person:
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
        self.place = rng.choice(SHARED["places"])
        lasts = rng.sample(SHARED["last_names"], 3)
        self._people = {
            name: _Person(rng.choice(roles), rng.choice(SHARED["first_names"]), last)
            for (name, roles), last in zip(topic.roles.items(), lasts, strict=True)
        }
        self._introduced: set[str] = set()
        self._used: set[str] = set()
        self._fixed = {"place": self.place, "org": rng.choice(topic.organisations)}
        self._fixed |= {slot: rng.choice(words) for slot, words in topic.fixed.items()}
        self._free: dict[str, Sequence[str]] = {
            "town": tuple(place for place in SHARED["places"] if place != self.place),
            "month": SHARED["months"],
            "weekday": SHARED["weekdays"],
            "span": SHARED["spans"],
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
            for _ in range(_DRAWS_PER_TEMPLATE):
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
        for _ in range(_MAX_CELL_DRAWS):
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


@dataclass(frozen=True)
class Story:
    """What was written, before a publisher gives it a date, authors and a URL."""

    headline: str
    teaser: str
    place: str
    blocks: tuple[Block, ...]


def write_story(
    rng: random.Random, topic: Topic, angle: Angle, words: int, seen: set[str]
) -> Story:
    """A story of about this many words; ``seen`` collects every text of the world."""
    # Two stories of one angle may fall upon the same words: draw again.
    for _ in range(_MAX_DRAWS):
        narrator = Narrator(rng, topic, seen)
        headline = narrator.headline(angle.headline)
        teaser = narrator.standalone(f"{angle.teaser} {rng.choice(SHARED['teaser_ends'])}")
        if not {headline, teaser} & seen:
            break
    seen |= {headline, teaser}
    blocks = _Composer(narrator, topic, min(words, _MAX_WORDS)).compose(angle)
    return Story(headline, teaser, narrator.place, blocks)


class _Composer:
    """Adds block after block until the story is long enough."""

    def __init__(self, narrator: Narrator, topic: Topic, words: int) -> None:
        self._narrator = narrator
        self._rng = narrator.rng
        self._topic = topic
        self._target = words
        self._blocks: list[Block] = []
        self._voices = (*topic.voices, *SHARED["voices"])
        self._place_linked = False

    def compose(self, angle: Angle) -> tuple[Block, ...]:
        self._paragraph([angle.opening])
        if self._chance(_FIGURE_SHARE):
            self._figure()
        specials = self._specials()
        since_heading = 0
        while self._words() < self._target - 40:
            since_heading += 1
            if self._target > _SHORT_STORY and since_heading > self._rng.randint(2, 4):
                self._subheading()
                since_heading = 0
            if not self._body_paragraph():
                break
            if specials and self._chance(0.45):
                specials.pop()()
        for special in specials:
            if self._words() < self._target:
                special()
        self._paragraph(SHARED["outlook"])
        return tuple(self._blocks)

    def _specials(self) -> list[Callable[[], None]]:
        """The blocks other than paragraphs that this story will have, in no fixed order."""
        shares = (
            (_LIST_SHARE, self._bullets),
            (_QUOTE_SHARE, self._quote),
            (_TABLE_SHARE, self._table),
            (_FIGURE_SHARE / 2, self._figure),
        )
        chosen = [
            add for share, add in shares if self._target > _SHORT_STORY and self._chance(share)
        ]
        self._rng.shuffle(chosen)
        return chosen

    def _body_paragraph(self) -> bool:
        """Mostly details, now and then somebody's words or the background."""
        choices = (self._topic.details, self._topic.details, self._voices, SHARED["background"])
        extra = self._rng.choices(choices, k=self._rng.randint(0, 3))
        pools = (self._topic.details, *extra)
        sentences = [text for pool in pools if (text := self._narrator.fresh(pool))]
        if sentences:
            self._add_paragraph(" ".join(sentences))
        return bool(sentences)

    def _paragraph(self, pool: Sequence[str]) -> None:
        if text := self._narrator.fresh(pool):
            self._add_paragraph(text)

    def _add_paragraph(self, text: str) -> None:
        runs = parse_runs(text)
        if not self._place_linked and self._chance(0.5):
            linked = link_first(runs, self._narrator.place, TOPIC_LINK)
            self._place_linked = linked != runs
            runs = linked
        self._blocks.append(Paragraph(runs))

    def _subheading(self) -> None:
        if text := self._narrator.fresh(self._topic.subheadings):
            self._blocks.append(Subheading(parse_runs(text)))

    def _bullets(self) -> None:
        intro = self._narrator.fresh(self._topic.list_intros)
        drawn = [
            self._narrator.fresh(self._topic.list_items) for _ in range(self._rng.randint(3, 6))
        ]
        items = tuple(parse_runs(text) for text in drawn if text)
        if intro and items:
            self._blocks.append(Paragraph(parse_runs(intro)))
            self._blocks.append(Bullets(items, ordered=self._chance(0.25)))

    def _quote(self) -> None:
        if text := self._narrator.fresh(self._topic.statements):
            self._blocks.append(Quote(parse_runs(f"“{text}”")))

    def _table(self) -> None:
        head, *rows = (
            tuple(parse_runs(self._narrator.fresh_cell(cell)) for cell in cells)
            for cells in (
                self._topic.table_head,
                *[self._topic.table_row] * self._rng.randint(3, 5),
            )
        )
        self._blocks.append(Table(head, tuple(rows)))

    def _figure(self) -> None:
        if text := self._narrator.fresh(self._topic.captions):
            image = f"/images/{self._rng.randint(1000, 9999)}.svg"
            self._blocks.append(Figure(image, parse_runs(text)))

    def _words(self) -> int:
        return sum(len(text.split()) for text in gold_paragraphs(tuple(self._blocks)))

    def _chance(self, share: float) -> bool:
        return self._rng.random() < share
