"""What the page shows around its headline: the lines in which bylines and dates are.

A line is what a reader sees as one: a paragraph, a list item, the text of a small box.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from newsclean.metadata.text import comparison_key

#: Lines above and below the headline that may belong to it.
MAX_ABOVE = 4
MAX_BELOW = 12
#: Of these, the lines that are next to it.
MAX_NEAREST = 6
#: Characters of a line that may be a byline or a date; a longer one is running text.
MAX_LINE = 160
#: Running text of this many characters, and lines of it after which the article has begun.
MIN_PARAGRAPH = 250
MAX_PARAGRAPHS = 2
#: Places where the headline may be: in the trail of sections, in a bar at the top, and itself.
MAX_PLACES = 3
#: A shown headline may be this much longer than the one of the metadata: with a label, a mark.
MAX_LONGER = 1.5


@dataclass(frozen=True)
class Lines:
    """What a page shows, line by line."""

    text: Sequence[str] = ()
    #: which of them are in an h1
    h1: Collection[int] = ()
    #: the places of a line in the site's template, as far as they can be told from others
    slots: Callable[[int], Collection[str]] = lambda line: ()


@dataclass(frozen=True)
class HeadlineArea:
    """Short lines around the headline, the nearest first."""

    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[str]:
        yield from self.below
        yield from self.above

    @property
    def nearest(self) -> Iterator[str]:
        """The lines that hardly belong to anything else."""
        yield from self.below[:MAX_NEAREST]
        yield from self.above[: MAX_NEAREST // 2]


def headline_area(shown: Lines, headline: str | None) -> HeadlineArea:
    """The lines around the headline; empty if the page does not show it.

    An h1 that says it is the place; else any line that does.

    >>> lines = Lines(["Menu", "Rain again", "By Ann Lee", "It rained."])
    >>> headline_area(lines, "Rain Again").below
    ('By Ann Lee', 'It rained.')
    """
    lines = shown.text
    key = comparison_key(headline or "")
    if not key or headline is None:
        return HeadlineArea()
    keys = {n: comparison_key(lines[n]) for n in shown.h1}
    places = [n for n in shown.h1 if keys[n] == key]
    if not places:
        shortest, longest = len(key), MAX_LONGER * len(headline) + 10
        near = [n for n, line in enumerate(lines) if shortest <= len(line) <= longest]
        keys = {n: comparison_key(lines[n]) for n in near}
        places = [n for n in near if keys[n] == key] or [n for n in near if key in keys[n]]
    places = places[:MAX_PLACES]
    below: dict[int, str] = {}
    above: dict[int, str] = {}
    for place in reversed(places):
        for n in _below(lines, place):
            below.setdefault(n, lines[n])
    for place in reversed(places):
        for n in range(place - 1, max(place - 1 - MAX_ABOVE, -1), -1):
            if len(lines[n]) <= MAX_LINE and n not in below and keys.get(n) != key:
                above.setdefault(n, lines[n])
    return HeadlineArea(tuple(below.values()), tuple(above.values()))


def _below(lines: Sequence[str], place: int) -> Iterator[int]:
    """The short lines after a headline, up to where the article has begun."""
    paragraphs = 0
    for n in range(place + 1, min(place + 1 + MAX_BELOW, len(lines))):
        paragraphs += len(lines[n]) >= MIN_PARAGRAPH
        if paragraphs == MAX_PARAGRAPHS:
            return
        if len(lines[n]) <= MAX_LINE:
            yield n
