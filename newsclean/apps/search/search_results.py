"""Search results, with snippets that show where an article matches the query."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from newsclean.apps.search.query_language import AllOf, AnyOf, Term, has_stems
from newsclean.apps.search.search_words import (
    BEGINNING,
    CHANGES_BEGINNINGS,
    folded,
    has_paired,
    is_in_word,
    letter_pattern,
    spaced_words,
    words_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newsclean.apps.search.query_language import Node, SearchRequest
    from newsclean.apps.search.search_words import Analyzer

#: Characters of a snippet, and how many of them may come before the first mark.
_LENGTH = 240
_BEFORE = 60
#: Characters around a cut in which to search for the end of a word.
WORD = 25
#: Characters to search first; the rest of a text is searched only if they have no match.
_ENOUGH = 50_000
#: Places of one word to consider when the snippet is chosen.
_MAX_PLACES = 20
#: With this many marks, all words of a text are located, not only the marked ones.
_MANY = 12
_CUT = "…"

_SPACE = re.compile(r"\s")

#: The first character of a mark, the one after its last, and the number of its term.
_Mark = tuple[int, int, int]


@dataclass(frozen=True)
class Snippet:
    """A part of an article's text. It is not HTML: escape it."""

    text: str
    #: start and end of each match
    marks: tuple[tuple[int, int], ...] = ()

    def parts(self) -> list[tuple[str, bool]]:
        """Return the text in parts, each with whether it is marked.

        >>> Snippet("rain all day", ((0, 4),)).parts()
        [('rain', True), (' all day', False)]
        """
        pieces, end = [], 0
        for first, after in self.marks:
            pieces += [(self.text[end:first], False), (self.text[first:after], True)]
            end = after
        pieces.append((self.text[end:], False))
        return [piece for piece in pieces if piece[0]]


@dataclass(frozen=True)
class AlsoOn:
    """A near copy of a found article, at another URL."""

    id: str
    url: str | None
    site: str | None
    headline: str | None
    #: when it was published, ISO 8601, as its line has it
    date: str | None


@dataclass(frozen=True)
class Hit:
    """A found article."""

    id: str
    url: str | None
    headline: str | None
    site: str | None
    section: str | None
    #: when it was published, ISO 8601, as its line has it
    date: str | None
    language: str | None
    snippet: Snippet
    #: higher is better; only comparable within one search
    score: float
    #: the first near copies, oldest first, whether or not they pass the filters
    also_on: tuple[AlsoOn, ...] = ()
    #: number of all near copies
    copies: int = 0


@dataclass(frozen=True)
class SearchResults:
    """One page of results."""

    #: number of all results, near copies counted as one
    total: int
    hits: tuple[Hit, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the results for JSON; `marks` are the places of the words in the snippet."""
        return {"total": self.total, "hits": [asdict(hit) for hit in self.hits]}


class ListPlace(NamedTuple):
    """The place of an article in the list of all articles, newest first."""

    #: seconds since 1970, None without a date: these come last
    published: float | None
    id: str


class ListedArticle(NamedTuple):
    """An article of the list."""

    place: ListPlace
    #: as it was indexed
    line: dict[str, Any]


class SearchIndex(Protocol):
    """An index that can be searched."""

    def search(self, request: SearchRequest) -> SearchResults:
        """Search; raise `QueryError` for an invalid query."""
        ...

    def article(self, article_id: str) -> dict[str, Any] | None:
        """Return the line of an article as it was indexed, None if it is not in the index."""
        ...

    def newest(
        self, request: SearchRequest, after: ListPlace | None = None
    ) -> Iterator[ListedArticle]:
        """Yield the articles that pass the filters of a request, newest first, near copies too.

        `after` continues a list behind the place of its last article, whatever was added since.
        Query and offset of the request are not used.
        """
        ...

    def sites(self) -> list[tuple[str, int]]:
        """Return all sites by name, with their numbers of articles."""
        ...

    def sections(self) -> list[tuple[str, int]]:
        """Return all sections by name, with their numbers of articles."""
        ...

    def close(self) -> None: ...


class Snippets:
    """Finds the snippets for one query, and caches what it knows of words."""

    def __init__(self, query: Node | None, analyzer: Analyzer) -> None:
        self._terms = list(_terms(query))
        self._analyzer = analyzer
        self._markers: dict[str, _Marker] = {}

    def of(self, text: str, language: str) -> Snippet:
        """Return the part of a text with the most matches, with the matches marked.

        >>> from newsclean.apps.search.query_language import parse
        >>> from newsclean.apps.search.search_words import Analyzer
        >>> Snippets(parse("rains"), Analyzer()).of("It rained.", "en")
        Snippet(text='It rained.', marks=((3, 9),))
        """
        marker = self._marker(language)
        marks = marker.marks(text[:_ENOUGH], _MAX_PLACES)
        if not marks and len(text) > _ENOUGH:
            marks = marker.marks(text, _MAX_PLACES)
        start, end = _window(text, marks)
        before, after = _CUT if start else "", _CUT if end < len(text) else ""
        piece = _SPACE.sub(" ", text[start:end])
        ranges = sorted({(first, last) for first, last, _ in marker.marks(piece, _LENGTH)})
        shown = tuple(
            (first + len(before), last + len(before)) for first, last in _disjoint(ranges)
        )
        return Snippet(before + piece + after, shown)

    def _marker(self, language: str) -> _Marker:
        if language not in self._markers:
            self._markers[language] = _Marker(self._terms, language, self._analyzer)
        return self._markers[language]


@dataclass(frozen=True)
class _Wanted:
    """A term to mark: words in a row, or one word by its stem.

    In a script that is searched in pairs of letters, each letter is a word here.
    """

    plain: tuple[str, ...]
    stem: str
    is_prefix: bool

    @classmethod
    def of(cls, term: Term, language: str, analyzer: Analyzer) -> _Wanted:
        plain: list[str] = []
        for word in term.words:
            is_paired = has_paired(word)
            plain += map(folded, letter_pattern().findall(word) if is_paired else [word])
        is_stemmed = has_stems(term) and language
        stem = analyzer.stems([term.words[0]], language)[0] if is_stemmed else ""
        return cls(tuple(plain), stem, term.is_prefix)

    def is_end(self, plain: str, stem: str) -> bool:
        """Whether a folded word can be the last word of the term."""
        last = self.plain[-1]
        if plain == last or (self.is_prefix and plain.startswith(last)):
            return True
        # The word itself may be the stem of others: "ciudades" has "ciudad", and that has "ciud".
        return bool(self.stem) and stem in (self.stem, last)


class _Marker:
    """Marks the terms of a query in texts of one language."""

    def __init__(self, terms: Sequence[Term], language: str, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._language = language
        self._wanted = [_Wanted.of(term, language, analyzer) for term in terms]
        self._before = [each.plain[:-1] for each in self._wanted]
        #: the words that a term can end with, and the numbers of these terms
        self._ends: dict[str, list[int]] = {}
        self._known: set[str] = set()
        starts = {each.plain[-1][:BEGINNING] for each in self._wanted}
        starts |= {each.stem[:BEGINNING] for each in self._wanted}
        #: most words begin differently, and need no further check
        self._may_be_wanted = _Beginnings(starts)
        self._needs_all = any(
            (each.stem and language in CHANGES_BEGINNINGS)
            or (each.is_prefix and len(each.plain[-1]) < BEGINNING)
            for each in self._wanted
        )

    def marks(self, text: str, most: int) -> list[_Mark]:
        """Return the marks of a text from left to right, at most `most` per word."""
        if not self._wanted:
            return []
        paired = _paired_spans(text) if has_paired(text) else None
        words = spaced_words(text) if paired is None else [text[first:end] for first, end in paired]
        distinct = set(words)
        self._look_at(distinct - self._known)
        ends = self._ends.keys() & distinct
        numbers = sorted(at for word in ends for at in _places(words, word, most))
        spans = _spans(text, words, numbers) if paired is None else [paired[at] for at in numbers]
        marks = []
        for at, (first, after) in zip(numbers, spans, strict=True):
            for number in self._ends[words[at]]:
                before = self._before[number]
                if not before:
                    marks.append((first, after, number))
                    continue
                start = at - len(before)
                if start >= 0 and tuple(self._analyzer.folded(words[start:at])) == before:
                    begin = first
                    for word in reversed(words[start:at]):
                        begin = text.rindex(word, 0, begin)
                    marks.append((begin, after, number))
        return marks

    def _look_at(self, words: set[str]) -> None:
        self._known |= words
        may_be = self._may_be_wanted
        found = list(words) if self._needs_all else [w for w in words if may_be[w[:BEGINNING]]]
        stems = self._analyzer.stems(found, self._language)
        for word, plain, stem in zip(found, self._analyzer.folded(found), stems, strict=True):
            wanted = enumerate(self._wanted)
            numbers = [at for at, each in wanted if each.is_end(plain, stem)]
            if numbers:
                self._ends[word] = numbers


class _Beginnings(dict[str, bool]):
    """Whether words that begin so can be what is wanted."""

    def __init__(self, starts: set[str]) -> None:
        super().__init__()
        self._starts = starts

    def __missing__(self, beginning: str) -> bool:
        plain = folded(beginning)[:BEGINNING]
        # Of a letter and an invisible one, only the first is left.
        found = self[beginning] = len(plain) < BEGINNING or plain in self._starts
        return found


def _terms(query: Node | None) -> Iterator[Term]:
    """Yield the terms of a query that a matching article may contain."""
    if isinstance(query, Term):
        if query.field in (None, "body", "headline"):
            yield query
    elif isinstance(query, AllOf):
        for node in query.wanted:
            yield from _terms(node)
    elif isinstance(query, AnyOf):
        for node in query.alternatives:
            yield from _terms(node)


def _places(words: list[str], word: str, most: int) -> Iterator[int]:
    """Return the first indexes of a word in a list."""
    at = -1
    for _ in range(min(words.count(word), most)):
        at = words.index(word, at + 1)
        yield at


def _spans(text: str, words: Sequence[str], numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the places in a text of some of its words, given by their indexes."""
    spans = []
    ends: dict[str, int] = {}
    for at in numbers if len(numbers) < _MANY else ():
        word = words[at]
        first = text.find(word, ends.get(word, 0))
        while first >= 0 and is_in_word(text, first, first + len(word)):
            first = text.find(word, first + 1)
        if first < 0:  # such as an emoji after a letter
            break
        ends[word] = first + len(word)
        spans.append((first, first + len(word)))
    else:
        if len(spans) == len(numbers):
            return spans
    every = _all_spans(text, words[: numbers[-1] + 1] if numbers else ())
    return [every[at] for at in numbers]


def _all_spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of all words of a text, given in order."""
    spans = []
    after = 0
    for word in words:
        first = text.index(word, after)
        after = first + len(word)
        spans.append((first, after))
    return spans


def _paired_spans(text: str) -> list[tuple[int, int]]:
    """Return the places of words, and of each letter in scripts that are searched in pairs."""
    spans = []
    for word in words_in(text):
        if not word.is_paired:
            spans.append((word.first, word.after))
            continue
        letters = letter_pattern().finditer(word.text)
        spans += [(word.first + each.start(), word.first + each.end()) for each in letters]
    return spans


def _window(text: str, marks: Sequence[_Mark]) -> tuple[int, int]:
    """Return start and end of the part with the most different terms, then the most marks."""
    start = last = 0
    best = 0, 0
    inside: dict[int, int] = {}
    for at, (first, _, term) in enumerate(marks):
        while last < len(marks) and (last == at or marks[last][1] - first <= _LENGTH - _BEFORE):
            other = marks[last][2]
            inside[other] = inside.get(other, 0) + 1
            last += 1
        worth = len(inside), last - at
        if worth > best:
            best, start = worth, max(0, first - _BEFORE)
        inside[term] -= 1
        if not inside[term]:
            del inside[term]
    if start:
        space = _SPACE.search(text, start, start + WORD)
        start = space.end() if space else start
    end = min(len(text), start + _LENGTH)
    if end < len(text):
        spaces = [space.start() for space in _SPACE.finditer(text, end - WORD, end)]
        end = spaces[-1] if spaces else end
    return start, end


def _disjoint(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge sorted ranges that overlap or touch."""
    joined: list[tuple[int, int]] = []
    for first, after in ranges:
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(after, joined[-1][1])
        else:
            joined.append((first, after))
    return joined
