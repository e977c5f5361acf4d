"""One story: headline, teaser and the blocks of its body."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from newsclean.demo.grammar import Narrator
from newsclean.demo.topics import Angle, Topic
from newsclean.demo.topics.shared import BACKGROUND, OUTLOOK, TEASER_ENDS, VOICES

# The longest thing that can still be added (a table) keeps a story under 900 words.
MAX_WORDS = 830
SHORT_STORY = 260
MAX_DRAWS = 50

# Stands for the address of the place's topic page, and (empty) for that of some other article,
# until the publisher is known.
TOPIC_LINK = "topic:"

# How likely a story has each of these.
LIST_SHARE = 0.4
QUOTE_SHARE = 0.5
TABLE_SHARE = 0.25
FIGURE_SHARE = 0.75


@dataclass(frozen=True)
class Story:
    """What was written, before a publisher gives it a date, authors and an address."""

    headline: str
    teaser: str
    place: str
    blocks: tuple[Block, ...]


def write_story(
    rng: random.Random, topic: Topic, angle: Angle, words: int, seen: set[str]
) -> Story:
    """A story of about this many words; ``seen`` collects every text of the world."""
    # Two stories of one angle may fall upon the same words: draw again.
    for _ in range(MAX_DRAWS):
        narrator = Narrator(rng, topic, seen)
        headline = narrator.headline(angle.headline)
        teaser = narrator.standalone(f"{angle.teaser} {rng.choice(TEASER_ENDS)}")
        if not {headline, teaser} & seen:
            break
    seen |= {headline, teaser}
    blocks = _Composer(narrator, topic, min(words, MAX_WORDS)).compose(angle)
    return Story(headline, teaser, narrator.place, blocks)


class _Composer:
    """Adds block after block until the story is long enough."""

    def __init__(self, narrator: Narrator, topic: Topic, words: int) -> None:
        self._narrator = narrator
        self._rng = narrator.rng
        self._topic = topic
        self._target = words
        self._blocks: list[Block] = []
        self._voices = (*topic.voices, *VOICES)
        self._place_linked = False

    def compose(self, angle: Angle) -> tuple[Block, ...]:
        self._paragraph([angle.opening])
        if self._chance(FIGURE_SHARE):
            self._figure()
        specials = self._specials()
        since_heading = 0
        while self._words() < self._target - 40:
            since_heading += 1
            if self._target > SHORT_STORY and since_heading > self._rng.randint(2, 4):
                self._subheading()
                since_heading = 0
            if not self._body_paragraph():
                break
            if specials and self._chance(0.45):
                specials.pop()()
        for special in specials:
            if self._words() < self._target:
                special()
        self._paragraph(OUTLOOK)
        return tuple(self._blocks)

    def _specials(self) -> list[Callable[[], None]]:
        """The blocks other than paragraphs that this story will have, in no fixed order."""
        shares = (
            (LIST_SHARE, self._bullets),
            (QUOTE_SHARE, self._quote),
            (TABLE_SHARE, self._table),
            (FIGURE_SHARE / 2, self._figure),
        )
        chosen = [
            add for share, add in shares if self._target > SHORT_STORY and self._chance(share)
        ]
        self._rng.shuffle(chosen)
        return chosen

    def _body_paragraph(self) -> bool:
        """Mostly details, now and then somebody's words or the background."""
        choices = (self._topic.details, self._topic.details, self._voices, BACKGROUND)
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
