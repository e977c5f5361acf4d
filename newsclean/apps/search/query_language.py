"""The query language: from what a person writes to terms that are joined by and, or and not.

query       = alternative { "OR" alternative }
alternative = item { ["AND"] item }
item        = ["-" | "NOT"] ( "(" query ")" | [field ":"] ( word ["*"] | phrase ) )

Whatever else stands in a query is punctuation, and as harmless as in a text.

A word is looked for as it is, and by its stem in each language that the index has: what language a
query is in, nobody knows, and a stem counts only in articles of the language whose stem it is. A
phrase is looked for as it is, capitals and accents aside: who writes a phrase means it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from newsclean.apps.search.search_words import folded, has_paired, normalized, pairs_of, words_in
from newsclean.text import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from datetime import datetime

    from newsclean.apps.search.search_words import Analyzer

_DEFAULT_LIMIT = 10

#: What a query calls the fields of an article.
FIELDS = ("headline", "body", "author", "keyword")
#: The fields of a query whose words have stems; None is headline and body.
_STEMMED_FIELDS = (None, "headline", "body")

_MAX_CHARACTERS = 2000
_MAX_TERMS = 50
_MAX_DEPTH = 10
#: Letters before a `*`; fewer would ask for half of all words.
_MIN_PREFIX = 2

_QUOTES = '"“”„«»'
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<open>\()|(?P<close>\))|(?P<field>[^\W\d_]+):(?=[^\s/)])"
    rf"|[{_QUOTES}](?P<phrase>[^{_QUOTES}]*)(?P<quote>[{_QUOTES}]?)|(?P<minus>-)(?=[^\s\-)])"
    rf"|(?P<word>[^\s(){_QUOTES}]+)"
)


class QueryError(ValueError):
    """A query that cannot be understood: what is wrong, and where."""

    def __init__(self, message: str, query: str, place: int) -> None:
        super().__init__(f"{message} (at character {place + 1})")
        self.query = query
        #: of the character at which it goes wrong, from 0
        self.place = place


@dataclass(frozen=True)
class SearchRequest:
    """One search. With an empty query, all articles that pass the filters, the newest first."""

    query: str
    #: articles of one of these sites, their subdomains included; of all, if it is empty
    sites: tuple[str, ...] = ()
    #: articles of one of these sections, in capitals or not
    sections: tuple[str, ...] = ()
    #: published then or later; an article without a date passes neither limit
    since: datetime | None = None
    #: published before
    until: datetime | None = None
    #: the newest first, instead of those that fit the query best
    newest_first: bool = False
    limit: int = _DEFAULT_LIMIT
    offset: int = 0


@dataclass(frozen=True)
class Term:
    """Words that appear one after the other."""

    #: as they were written
    words: tuple[str, ...]
    field: str | None = None
    #: as they are, and not by their stems
    is_exact: bool = False
    #: whether the last word is the beginning of one
    is_prefix: bool = False


@dataclass(frozen=True)
class AllOf:
    """Articles that have all of these, and none of those that are left out."""

    wanted: tuple[Node, ...]
    unwanted: tuple[Node, ...] = ()


@dataclass(frozen=True)
class AnyOf:
    alternatives: tuple[Node, ...]


Node = Term | AllOf | AnyOf


@dataclass(frozen=True)
class _Token:
    kind: str
    place: int
    text: str


def parse(query: str) -> Node | None:
    """What a query asks for, None if it is empty; raises `QueryError`.

    >>> parse('rain -"at night"')
    AllOf(wanted=(Term(words=('rain',), field=None, is_exact=False, is_prefix=False),),
          unwanted=(Term(words=('at', 'night'), field=None, is_exact=True, is_prefix=False),))
    """
    text = normalized(query)
    if len(text) > _MAX_CHARACTERS:
        message = f"the query has more than {_MAX_CHARACTERS:,} characters"
        raise QueryError(message, text, _MAX_CHARACTERS)
    if not text.strip():
        return None
    return _Parser(text).query()


def tokens_of(term: Term) -> tuple[list[str], bool]:
    """The tokens that a term's words have in an index, and whether the last one is a beginning.

    >>> tokens_of(Term(("北京市",))), tokens_of(Term(("雨",)))
    ((['北京', '京市'], False), (['雨'], True))
    """
    tokens: list[str] = []
    is_prefix = term.is_prefix
    for number, word in enumerate(term.words, 1):
        if not has_paired(word):
            tokens.append(folded(word))
            continue
        pairs = pairs_of(word)
        if number == len(term.words):
            # What comes after the last letter does not matter.
            is_prefix = len(pairs) == 1
            pairs = pairs[:-1] or pairs
        tokens += pairs
    return tokens, is_prefix


def has_stems(term: Term) -> bool:
    """Whether a term is looked for by its stems, too: one word, not in quotes, not a beginning."""
    return (
        len(term.words) == 1
        and not term.is_exact
        and not term.is_prefix
        and not has_paired(term.words[0])
        and term.field in _STEMMED_FIELDS
    )


def languages_by_stem(
    term: Term, languages: Collection[str], analyzer: Analyzer
) -> dict[str, list[str]]:
    """The stems of a term that is one word, each with the languages in which it is the stem.

    >>> from newsclean.apps.search.search_words import Analyzer
    >>> languages_by_stem(Term(("Regen",)), ["de", "en", "fr"], Analyzer())
    {'reg': ['de'], 'regen': ['en', 'fr']}
    """
    by_stem: dict[str, list[str]] = {}
    for language in sorted(languages):
        (stem,) = analyzer.stems([term.words[0]], language)
        by_stem.setdefault(stem, []).append(language)
    return by_stem


class Operators(NamedTuple):
    """How a kind of database writes and, or, and "without"."""

    all_of: str
    any_of: str
    without: str


def expression(node: Node, operators: Operators, term: Callable[[Term], str]) -> str:
    """A query in the language of a database, given how that writes a term.

    >>> plain = Operators("AND", "OR", "NOT")
    >>> expression(parse("(a OR b) c -d"), plain, lambda term: term.words[0])
    '(((a OR b) AND c) NOT d)'
    """
    if isinstance(node, Term):
        return term(node)
    if isinstance(node, AnyOf):
        parts = (expression(each, operators, term) for each in node.alternatives)
        return joined(operators.any_of, parts)
    wanted = joined(operators.all_of, (expression(each, operators, term) for each in node.wanted))
    if not node.unwanted:
        return wanted
    unwanted = (expression(each, operators, term) for each in node.unwanted)
    return f"({wanted} {operators.without} {joined(operators.any_of, unwanted)})"


def joined(operator: str, expressions: Iterable[str]) -> str:
    """Expressions in brackets with an operator between them; one alone as it is.

    >>> joined("OR", ["a", "b"]), joined("OR", ["a"])
    ('(a OR b)', 'a')
    """
    parts = list(expressions)
    return f"({f' {operator} '.join(parts)})" if len(parts) > 1 else parts[0]


class _Parser:
    """Reads the tokens of one query from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = list(_tokens(text))
        self._at = 0
        self._terms = 0

    def query(self) -> Node:
        found = self._alternatives(0)
        token = self._peek()
        if token.kind != "end":
            raise self._error('")" without "(" before it', token)
        if found is None:
            raise QueryError("there is no word to look for", self.text, 0)
        return found

    def _alternatives(self, depth: int) -> Node | None:
        """None if there are only punctuation marks."""
        found = [self._all_of(depth)]
        while self._peek().kind == "or":
            token = self._next()
            if found[-1] is None:
                raise self._error("OR needs a word before it", token)
            found.append(self._all_of(depth))
            if found[-1] is None:
                raise self._error("OR needs a word after it", token)
        nodes = tuple(node for node in found if node is not None)
        return AnyOf(nodes) if len(nodes) > 1 else nodes[0] if nodes else None

    def _all_of(self, depth: int) -> Node | None:
        wanted: list[Node] = []
        unwanted: list[Node] = []
        first_minus = None
        while self._peek().kind not in ("or", "close", "end"):
            token = self._peek()
            if token.kind == "and":
                self._next()
                if not wanted or self._peek().kind in ("and", "or", "close", "end"):
                    raise self._error("AND needs a word before and after it", token)
                continue
            if is_minus := token.kind == "minus":
                self._next()
                first_minus = first_minus or token
                if self._peek().kind in ("and", "or", "minus", "close", "end"):
                    raise self._error(f"{token.text} needs a word after it", token)
            node = self._item(depth)
            if node is not None:
                (unwanted if is_minus else wanted).append(node)
        if unwanted and not wanted:
            assert first_minus is not None
            raise self._error("beside what is left out, a word to look for is needed", first_minus)
        if not unwanted and len(wanted) <= 1:
            return wanted[0] if wanted else None
        return AllOf(tuple(wanted), tuple(unwanted))

    def _item(self, depth: int) -> Node | None:
        token = self._next()
        if token.kind == "open":
            if depth == _MAX_DEPTH:
                raise self._error(f"more than {_MAX_DEPTH} brackets in each other", token)
            inner = self._alternatives(depth + 1)
            if self._peek().kind != "close":
                raise self._error('"(" without ")" after it', token)
            self._next()
            return inner
        field = None
        if token.kind == "field":
            field = self._field(token)
            token = self._next()
            if token.kind not in ("word", "phrase"):
                raise self._error(f"{field}: needs a word or phrase after it", token)
        return self._term(token, field)

    def _field(self, token: _Token) -> str:
        field = token.text.lower()
        if field not in FIELDS:
            raise self._error(
                f"there is no field {token.text!r}, the nearest is {nearest(field, FIELDS)!r} "
                f"of {', '.join(FIELDS)}; to look for the words, put them in quotes",
                token,
            )
        return field

    def _term(self, token: _Token, field: str | None) -> Term | None:
        is_prefix = token.kind == "word" and token.text.endswith("*")
        words = tuple(word.text for word in words_in(token.text) if folded(word.text))
        if not words:
            if is_prefix:
                raise self._error("* needs the beginning of a word before it", token)
            return None
        if is_prefix and len(words[-1]) < _MIN_PREFIX and words[-1].isascii():
            raise self._error(f"* needs {_MIN_PREFIX} letters before it, or more", token)
        self._terms += 1
        if self._terms > _MAX_TERMS:
            raise self._error(f"more than {_MAX_TERMS} words and phrases", token)
        return Term(words, field, token.kind == "phrase", is_prefix)

    def _peek(self) -> _Token:
        return self._tokens[self._at]

    def _next(self) -> _Token:
        token = self._tokens[self._at]
        if token.kind != "end":
            self._at += 1
        return token

    def _error(self, message: str, token: _Token) -> QueryError:
        return QueryError(message, self.text, token.place)


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of a query, and its end."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        if found["phrase"] is not None:
            if not found["quote"]:
                raise QueryError("a quote that is not closed", text, found.start())
            yield _Token("phrase", found.start(), found["phrase"])
        elif kind == "word" and found[0] in ("OR", "AND", "NOT"):
            yield _Token(
                "minus" if found[0] == "NOT" else found[0].lower(), found.start(), found[0]
            )
        elif kind == "field":
            yield _Token(kind, found.start(), found["field"])
        elif kind != "space":
            yield _Token(kind, found.start(), found[0])
    yield _Token("end", len(text), "")
