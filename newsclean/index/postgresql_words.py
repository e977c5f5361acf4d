"""The words of an article as PostgreSQL searches them, and queries for them.

The words are our own, as in an index file, so that both find the same: a tsvector is made of tokens
and their places, and PostgreSQL's own parsers and dictionaries are not asked. What is not a word of
headline or body begins with a slash, with which no word begins: `/en/flood` is a stem in English,
`/en/` the mark of an article in that language, `/a/berg` an author, `/k/rain` a keyword.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from newsclean.index.query_terms import has_stems, joined, languages_by_stem, tokens_of
from newsclean.index.syntax import AllOf, AnyOf

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from newsclean.index.analysis import Analyzer
    from newsclean.index.document import Document
    from newsclean.index.syntax import Node, Term

#: The weights of a tsvector: words and stems of the headline, stems and words of the body.
HEADLINE, HEADLINE_STEM, BODY_STEM, BODY = "A", "B", "C", "D"
#: What each counts, in the order of `ts_rank`: D, C, B, A.
WEIGHTS = "{0.2, 0.1, 0.5, 1.0}"
#: The weights of words and of stems in each field that has them; all of them where it is empty.
FIELD_WEIGHTS = {
    None: ("", ""),
    "headline": (HEADLINE, HEADLINE_STEM),
    "body": (BODY, BODY_STEM),
}
PREFIXES = {"author": "/a/", "keyword": "/k/"}

#: PostgreSQL's own limits: the last place of a word, places of one word, bytes of a tsvector.
MAX_PLACE = 16_383
MAX_PLACES = 255
MAX_BYTES = 1_000_000
#: Characters of a token; more than 2,046 bytes are refused.
MAX_TOKEN = 500
#: An article whose words have more places than PostgreSQL can count.
LONG = "/long"


class WordList:
    """Collects tokens with their places and weights, as much as a tsvector can hold."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = {}
        self._size = 0
        self._place = 0

    @property
    def is_long(self) -> bool:
        return self._place > MAX_PLACE

    def mark(self, token: str) -> None:
        """Add a token without a place."""
        self._at(token)

    def add(self, words: Iterable[str], weight: str) -> None:
        """Add words one after the other."""
        for word in words:
            self._place += 1
            place = min(self._place, MAX_PLACE)
            self._add(word, f"{place}{weight}")

    def add_at(self, token: str, place: int, weight: str) -> None:
        self._add(token, f"{min(place, MAX_PLACE)}{weight}")

    def gap(self) -> None:
        """Keep what follows from being the same phrase as what was before."""
        self._place += 2

    def text(self) -> str:
        """The tsvector as PostgreSQL reads it."""
        return " ".join(
            f"{quoted(token)}:{','.join(places)}" if places else quoted(token)
            for token, places in self._places.items()
        )

    def _add(self, token: str, place: str) -> None:
        places = self._at(token)
        # Past the last place all are the same.
        if places is not None and len(places) < MAX_PLACES and place not in places[-1:]:
            places.append(place)
            self._size += 2

    def _at(self, token: str) -> list[str] | None:
        """The places of a token, None if there is no more room for it."""
        token = token[:MAX_TOKEN]
        places = self._places.get(token)
        if places is None:
            size = len(token.encode()) + 6
            if self._size + size > MAX_BYTES:
                return None
            self._size += size
            places = self._places[token] = []
        return places


class Analyzed(NamedTuple):
    """What is searched of an article."""

    #: the text of a tsvector
    tsvector: str
    #: the words of the body, of which the fingerprint is made
    words: list[str]


def analyzed(document: Document, analyzer: Analyzer) -> Analyzed:
    """What is searched of an article.

    >>> from newsclean.index.analysis import Analyzer
    >>> from newsclean.index.document import document_of
    >>> line = {"id": "1", "headline": "Floods", "body": "Rain", "language": "en"}
    >>> analyzed(document_of(line), Analyzer()).tsvector
    "'/en/' 'floods':1A 'rain':4D '/en/flood':1B"
    """
    language = document.stemmed_language
    words = WordList()
    if language:
        words.mark(f"/{language}/")
    headline = analyzer.terms(document.headline, language)
    body = analyzer.terms(document.body, language)
    for prefix, text in (("/a/", document.authors), ("/k/", document.keywords)):
        for line in text.split("\n"):
            tokens = analyzer.terms(line, "").words
            if tokens:
                words.add((prefix + token for token in tokens), HEADLINE)
                words.gap()
    words.add(headline.words, HEADLINE)
    words.gap()
    words.add(body.words, BODY)
    if words.is_long:
        words.mark(LONG)
    for stems, weight in ((headline.stems, HEADLINE_STEM), (body.stems, BODY_STEM)):
        for place, stem in enumerate(stems, 1):
            words.add_at(f"/{language}/{stem}", place, weight)
    return Analyzed(words.text(), body.words)


def tsquery_of(node: Node, languages: Collection[str], analyzer: Analyzer) -> str:
    """A query as the text of a tsquery, in an index that has stems of these languages.

    >>> from newsclean.index.analysis import Analyzer
    >>> from newsclean.index.syntax import parse
    >>> tsquery_of(parse('headline:"Rain OR" -snow*'), ["en"], Analyzer())
    "((('rain':A <-> 'or':A) | ('/long' & 'rain':A & 'or':A)) & !('snow':*))"
    """
    if isinstance(node, AnyOf):
        return joined("|", (tsquery_of(each, languages, analyzer) for each in node.alternatives))
    if isinstance(node, AllOf):
        wanted = joined("&", (tsquery_of(each, languages, analyzer) for each in node.wanted))
        if not node.unwanted:
            return wanted
        unwanted = joined("|", (tsquery_of(each, languages, analyzer) for each in node.unwanted))
        return f"({wanted} & !({unwanted}))"
    return joined("|", _alternatives(node, languages, analyzer))


def quoted(token: str) -> str:
    r"""A token in quotes, whatever is in it.

    >>> quoted("it's \\ here")
    "'it''s \\\\ here'"
    """
    return "'" + token.replace("\\", "\\\\").replace("'", "''") + "'"


def _alternatives(term: Term, languages: Collection[str], analyzer: Analyzer) -> Iterator[str]:
    weight, stem_weight = FIELD_WEIGHTS.get(term.field, ("", ""))
    tokens, is_prefix = tokens_of(term)
    prefix = PREFIXES.get(term.field or "", "")
    yield _phrase([prefix + token for token in tokens], weight, is_prefix=is_prefix)
    if not has_stems(term):
        return
    by_stem = languages_by_stem(term, languages, analyzer)
    for stem, of_languages in sorted(by_stem.items()):
        for language in of_languages:
            # As it is, it may be the stem of others: "ciudades" has "ciudad", and that has "ciud".
            for each in sorted({stem, tokens[0]}):
                yield _operand(f"/{language}/{each}", stem_weight)
        # A word that is its own stem is not among the stems.
        if stem != tokens[0]:
            is_of_them = joined("|", (_operand(f"/{each}/", "") for each in of_languages))
            yield f"({_operand(stem, weight)} & {is_of_them})"


def _phrase(tokens: list[str], weight: str, *, is_prefix: bool) -> str:
    last = len(tokens) - 1
    parts = [
        _operand(token, weight, is_prefix=is_prefix and place == last)
        for place, token in enumerate(tokens)
    ]
    if len(parts) == 1:
        return parts[0]
    # Of a long article nobody knows any more which word follows which.
    return f"(({' <-> '.join(parts)}) | ({quoted(LONG)} & {' & '.join(parts)}))"


def _operand(token: str, weight: str, *, is_prefix: bool = False) -> str:
    marks = ("*" if is_prefix else "") + weight
    return quoted(token[:MAX_TOKEN]) + (f":{marks}" if marks else "")
