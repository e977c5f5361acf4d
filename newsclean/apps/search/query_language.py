"""Parse queries into terms joined by AND, OR and NOT.

query       = alternative { "OR" alternative }
alternative = item { ["AND"] item }
item        = ["-" | "NOT"] ( "(" query ")" | [field ":"] ( word ["*"] | phrase ) )

Everything else in a query is punctuation and is ignored.

A word is searched as written and by its stem in each language of the index, since the language of a
query is unknown; a stem matches only articles of its own language. A phrase is searched as written,
except for capitals and accents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from newsclean.apps.search.search_words import folded, has_paired, normalized, pairs_of, words_in
from newsclean.error_hints import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from datetime import datetime

    from newsclean.apps.search.search_words import Analyzer

_DEFAULT_LIMIT = 10

#: The names of the fields in a query.
FIELDS = ("headline", "body", "author", "keyword")
#: The fields of a query whose words have stems; None is headline and body.
_STEMMED_FIELDS = (None, "headline", "body")

_MAX_CHARACTERS = 2000
_MAX_TERMS = 50
_MAX_DEPTH = 10
#: Letters before a `*`; fewer would match too many words.
_MIN_PREFIX = 2

_QUOTES = '"“”„«»'
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<open>\()|(?P<close>\))|(?P<field>[^\W\d_]+):(?=[^\s/)])"
    rf"|[{_QUOTES}](?P<phrase>[^{_QUOTES}]*)(?P<quote>[{_QUOTES}]?)|(?P<minus>-)(?=[^\s\-)])"
    rf"|(?P<word>[^\s(){_QUOTES}]+)"
)


class QueryError(ValueError):
    """An invalid query: what is wrong, and where."""

    def __init__(self, message: str, query: str, place: int) -> None:
        super().__init__(f"{message} (at character {place + 1})")
        self.query = query
        #: index of the character where the error is
        self.place = place


@dataclass(frozen=True)
class SearchRequest:
    """One search. An empty query finds all articles that pass the filters, newest first."""

    query: str
    #: only these sites, subdomains included; all sites if empty
    sites: tuple[str, ...] = ()
    #: only these sections, ignoring case; all sections if empty
    sections: tuple[str, ...] = ()
    #: published at this time or later; undated articles pass neither limit
    since: datetime | None = None
    #: published before this time
    until: datetime | None = None
    #: sort by date instead of by score
    newest_first: bool = False
    limit: int = _DEFAULT_LIMIT
    offset: int = 0
    #: only these languages, regions included (`pt` also finds `pt-BR`); all languages if empty
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term:
    """A word, or several words in a row."""

    words: tuple[str, ...]
    field: str | None = None
    #: whether stems are not searched
    is_exact: bool = False
    #: whether the last word is only the beginning of a word
    is_prefix: bool = False


@dataclass(frozen=True)
class AllOf:
    """Articles that match all of `wanted` and none of `unwanted`."""

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
    """Parse a query, None if it is empty; raise `QueryError`.

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
    """Return the tokens of a term in an index, and whether the last one is a prefix.

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
    """Whether a term is also searched by its stems: one word, not in quotes, not a prefix."""
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
    """Return the stems of a one-word term, each with its languages.

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
    """The operators of a database's query language."""

    all_of: str
    any_of: str
    without: str


def expression(node: Node, operators: Operators, term: Callable[[Term], str]) -> str:
    """Translate a query for a database; `term` translates a term.

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
    """Join expressions with an operator, in parentheses if there are several.

    >>> joined("OR", ["a", "b"]), joined("OR", ["a"])
    ('(a OR b)', 'a')
    """
    parts = list(expressions)
    return f"({f' {operator} '.join(parts)})" if len(parts) > 1 else parts[0]


class _Parser:
    """A recursive descent parser for one query."""

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
            raise QueryError("the query has no words to search for", self.text, 0)
        return found

    def _alternatives(self, depth: int) -> Node | None:
        """Return None if there is only punctuation."""
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
            raise self._error("a word to look for is needed besides the excluded ones", first_minus)
        if not unwanted and len(wanted) <= 1:
            return wanted[0] if wanted else None
        return AllOf(tuple(wanted), tuple(unwanted))

    def _item(self, depth: int) -> Node | None:
        token = self._next()
        if token.kind == "open":
            if depth == _MAX_DEPTH:
                raise self._error(f"more than {_MAX_DEPTH} nested parentheses", token)
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
                f"unknown field {token.text!r}, the nearest is {nearest(field, FIELDS)!r} of "
                f"{', '.join(FIELDS)}; to search for the text itself, put it in quotes",
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
            raise self._error(f"* needs at least {_MIN_PREFIX} letters before it", token)
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
    """Yield the tokens of a query, and an end token."""
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
