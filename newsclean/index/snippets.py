"""The piece of an article that shows best why it was found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsclean.index.query_terms import has_stems
from newsclean.index.results import Snippet
from newsclean.index.stemming import may_have_stem
from newsclean.index.syntax import AllOf, AnyOf, Term
from newsclean.index.words import folded, has_paired, letter_pattern, word_pattern, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsclean.index.analysis import Analyzer
    from newsclean.index.syntax import Node

#: Characters of a snippet, and how many of them may come before the first mark.
LENGTH = 240
BEFORE = 60
#: How far from a cut the end of a word is looked for.
WORD = 25
#: After this many characters, a text is only searched further if nothing was found yet.
ENOUGH = 50_000

_SPACE = re.compile(r"\s")
CUT = "…"


#: A word, or one letter of those that are searched in pairs: its first character, the one after its
#: last, and what is written there.
_Unit = tuple[int, int, str]


@dataclass(frozen=True)
class _Wanted:
    """What is marked: units one after the other, or one by its stem."""

    plain: tuple[str, ...]
    stem: str
    is_prefix: bool
    language: str

    def may_end_with(self, text: str, analyzer: Analyzer) -> bool:
        """Whether this unit can be its last, or all of it."""
        plain = analyzer.folded(text)
        last = self.plain[-1]
        if plain == last or (self.is_prefix and plain.startswith(last)):
            return True
        if not self.stem or not may_have_stem(plain, self.stem, self.language):
            return False
        return analyzer.word_and_stem(text, self.language)[1] in (self.stem, last)

    def ends(self, units: Sequence[_Unit], analyzer: Analyzer) -> bool:
        """Whether the units before the last one are its own, too."""
        size = len(self.plain)
        if len(units) < size:
            return False
        before = [analyzer.folded(text) for _, _, text in units[-size:-1]]
        return before == [*self.plain[:-1]]


@dataclass(frozen=True)
class _Mark:
    first: int
    after: int
    wanted: int


def snippet_of(text: str, query: Node | None, language: str, analyzer: Analyzer) -> Snippet:
    """The piece of a text with the most of what a query asks for, with these words marked.

    >>> from newsclean.index.analysis import Analyzer
    >>> from newsclean.index.syntax import parse
    >>> snippet_of("It rained.", parse("rains"), "en", Analyzer())
    Snippet(text='It rained.', marks=((3, 9),))
    """
    wanted = [_wanted(term, language, analyzer) for term in _terms(query)]
    marks = list(_marks(text, wanted, analyzer)) if wanted else []
    start, end = _window(text, marks)
    before = CUT if start else ""
    shown = before + _SPACE.sub(" ", text[start:end]) + (CUT if end < len(text) else "")
    shift = len(before) - start
    inside = sorted(
        {(mark.first, mark.after) for mark in marks if start <= mark.first and mark.after <= end}
    )
    return Snippet(
        shown, tuple((first + shift, after + shift) for first, after in _disjoint(inside))
    )


def _terms(query: Node | None) -> Iterator[Term]:
    """The terms that articles have if they are found."""
    if isinstance(query, Term):
        if query.field in (None, "body", "headline"):
            yield query
    elif isinstance(query, AllOf):
        for node in query.wanted:
            yield from _terms(node)
    elif isinstance(query, AnyOf):
        for node in query.alternatives:
            yield from _terms(node)


def _wanted(term: Term, language: str, analyzer: Analyzer) -> _Wanted:
    plain: list[str] = []
    for word in term.words:
        plain += _letters(word) if has_paired(word) else [folded(word)]
    stem = ""
    if has_stems(term) and language:
        stem = analyzer.word_and_stem(term.words[0], language)[1]
    return _Wanted(tuple(plain), stem, term.is_prefix, language)


def _marks(text: str, wanted: Sequence[_Wanted], analyzer: Analyzer) -> Iterator[_Mark]:
    longest = max(len(each.plain) for each in wanted)
    recent: list[_Unit] = []
    # The same words come again and again: what each may be the end of is found once.
    known: dict[str, list[int]] = {}
    found = False
    for unit in _units(text):
        first, after, word = unit
        if found and first > ENOUGH:
            return
        if longest > 1:
            recent = [*recent[-longest + 1 :], unit]
        numbers = known.get(word)
        if numbers is None:
            pairs = enumerate(wanted)
            numbers = [at for at, each in pairs if each.may_end_with(word, analyzer)]
            known[word] = numbers
        for number in numbers:
            size = len(wanted[number].plain)
            if size == 1 or wanted[number].ends(recent, analyzer):
                found = True
                yield _Mark(first if size == 1 else recent[-size][0], after, number)


def _units(text: str) -> Iterator[_Unit]:
    if not has_paired(text):
        yield from ((*found.span(), found[0]) for found in word_pattern().finditer(text))
        return
    for word in words_in(text):
        if not word.is_paired:
            yield word.first, word.after, word.text
            continue
        for letter in letter_pattern().finditer(word.text):
            yield word.first + letter.start(), word.first + letter.end(), letter[0]


def _letters(run: str) -> list[str]:
    return [folded(letter) for letter in letter_pattern().findall(run)]


def _window(text: str, marks: Sequence[_Mark]) -> tuple[int, int]:
    """The first and the last character of the piece with most of the wanted."""
    start = 0
    best = (0, 0)
    last = 0
    for at, mark in enumerate(marks):
        last = max(last, at)
        while last < len(marks) and marks[last].after - mark.first <= LENGTH - BEFORE:
            last += 1
        inside = marks[at:last]
        worth = len({each.wanted for each in inside}), len(inside)
        if worth > best:
            best, start = worth, max(0, mark.first - BEFORE)
    if start:
        space = _SPACE.search(text, start, start + WORD)
        start = space.end() if space else start
    end = min(len(text), start + LENGTH)
    if end < len(text):
        spaces = [space.start() for space in _SPACE.finditer(text, end - WORD, end)]
        end = spaces[-1] if spaces else end
    return start, end


def _disjoint(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in their order, those that touch each other joined."""
    joined: list[tuple[int, int]] = []
    for first, after in ranges:
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(after, joined[-1][1])
        else:
            joined.append((first, after))
    return joined
