"""Phrases of a page, to be looked for in an index: those of its article, and those of its noise."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, NamedTuple

from newsclean.index.words import folded, letter_pattern, normalized, words_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: Words of a phrase.
WORDS = 5
#: Letters that count as one word where a script puts no spaces between words.
LETTERS = 2
#: A longer phrase is an address or data and no text.
MAX_CHARACTERS = 300

_NO_PART_OF_A_PHRASE = re.compile(r'[\s"“”„«»]+')


class Unit(NamedTuple):
    """A word of a text, or some letters of a script without spaces, and where it is."""

    first: int
    after: int
    plain: str


def units_of(text: str) -> list[Unit]:
    """The units of a normalized text, as an index compares them.

    >>> [unit.plain for unit in units_of("Rain in 北京市")]
    ['rain', 'in', '北京', '市']
    """
    return [unit for unit in _units(text) if unit.plain]


def article_phrases(gold: str, count: int, seed: str) -> list[str]:
    """Phrases of a gold text, each within one of its lines; always the same for a seed."""
    found: dict[tuple[str, ...], str] = {}
    for line in normalized(gold).splitlines():
        units = units_of(line)
        for place, words in enumerate(_runs(units)):
            found.setdefault(words, _written(line, units, place))
    return _drawn(found.values(), count, seed)


def noise_phrases(page: str, article: Iterable[str], count: int, seed: str) -> list[str]:
    """Phrases of a page's text that have nothing of its article in them; the same for a seed.

    None of their words is in a run of `WORDS` words that a text of `article` has as well. They may
    begin in one block and end in another, for the entries of a menu are shorter than a phrase.

    >>> noise_phrases("It rains all day long. Home News Sport Money Weather", ["It rains all day "
    ...               "long."], 3, "")
    ['Home News Sport Money Weather']
    """
    known = {words for text in article for words in _runs(units_of(normalized(text)))}
    text = normalized(page)
    units = units_of(text)
    runs = list(_runs(units))
    is_article = [False] * len(units)
    for place, words in enumerate(runs):
        if words in known:
            is_article[place : place + WORDS] = [True] * WORDS
    found: dict[tuple[str, ...], str] = {}
    for place, words in enumerate(runs):
        if not any(is_article[place : place + WORDS]):
            found.setdefault(words, _written(text, units, place))
    return _drawn(found.values(), count, seed)


def _units(text: str) -> Iterator[Unit]:
    for word in words_in(text):
        if not word.is_paired:
            yield Unit(word.first, word.after, folded(word.text))
            continue
        letters = list(letter_pattern().finditer(word.text))
        for place in range(0, len(letters), LETTERS):
            some = letters[place : place + LETTERS]
            first, after = some[0].start(), some[-1].end()
            yield Unit(word.first + first, word.first + after, folded(word.text[first:after]))


def _runs(units: Sequence[Unit]) -> Iterator[tuple[str, ...]]:
    """All phrases of a text, by their words."""
    words = [unit.plain for unit in units]
    for place in range(len(words) - WORDS + 1):
        yield tuple(words[place : place + WORDS])


def _written(text: str, units: Sequence[Unit], place: int) -> str:
    """A phrase as it is in its text, without what would end it in a query."""
    written = text[units[place].first : units[place + WORDS - 1].after]
    return _NO_PART_OF_A_PHRASE.sub(" ", written)


def _drawn(phrases: Iterable[str], count: int, seed: str) -> list[str]:
    fit = [phrase for phrase in phrases if len(phrase) <= MAX_CHARACTERS]
    return random.Random(seed).sample(fit, min(count, len(fit)))
