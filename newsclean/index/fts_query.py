"""A query for FTS5: every word in quotes, so that nothing in it can be taken for an operator.

A word is looked for as it is, and by its stem in each language that the index has: what language a
query is in, nobody knows, and a stem counts only in articles of the language whose stem it is. A
phrase is looked for as it is, capitals and accents aside: who writes a phrase means it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.index.syntax import AllOf, AnyOf, Term
from newsclean.index.words import folded, has_paired, pairs_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from newsclean.index.analysis import Analyzer
    from newsclean.index.syntax import Node

#: The columns of each field, and those of its stems.
COLUMNS = {
    None: (("headline", "body"), ("headline_stems", "body_stems")),
    "headline": (("headline",), ("headline_stems",)),
    "body": (("body",), ("body_stems",)),
    "author": (("authors",), ()),
    "keyword": (("keywords",), ()),
}


def fts_query(node: Node, languages: Collection[str], analyzer: Analyzer) -> str:
    """The FTS5 expression of a query, in an index that has stems of these languages.

    >>> from newsclean.index.analysis import Analyzer
    >>> from newsclean.index.syntax import parse
    >>> fts_query(parse('headline:"Rain OR" -snow*'), ["en"], Analyzer())
    '(({headline} : "rain or") NOT ({headline body} : "snow" *))'
    """
    if isinstance(node, AnyOf):
        return _joined("OR", (fts_query(each, languages, analyzer) for each in node.alternatives))
    if isinstance(node, AllOf):
        wanted = _joined("AND", (fts_query(each, languages, analyzer) for each in node.wanted))
        if not node.unwanted:
            return wanted
        unwanted = _joined("OR", (fts_query(each, languages, analyzer) for each in node.unwanted))
        return f"({wanted} NOT {unwanted})"
    return _term(node, languages, analyzer)


def tokens_of(term: Term) -> tuple[list[str], bool]:
    """The tokens that a term's words have in an index, and whether the last one is a beginning.

    >>> tokens_of(Term(("北京市",))), tokens_of(Term(("雨",)))
    ((['北京', '京市'], False), (['雨'], True))
    """
    tokens: list[str] = []
    is_prefix = term.is_prefix
    for word in term.words:
        if not has_paired(word):
            tokens.append(folded(word))
            continue
        pairs = pairs_of(word)
        if word is term.words[-1]:
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
        and bool(COLUMNS[term.field][1])
    )


def _term(term: Term, languages: Collection[str], analyzer: Analyzer) -> str:
    words, stems = COLUMNS[term.field]
    tokens, is_prefix = tokens_of(term)
    if not has_stems(term):
        return _in(words, _quoted(*tokens) + (" *" if is_prefix else ""))
    everywhere = (*words, *stems)
    by_stem: dict[str, list[str]] = {}
    for language in sorted(languages):
        _, stem = analyzer.word_and_stem(term.words[0], language)
        by_stem.setdefault(stem, []).append(language)
    # As it is, it may be the stem of others: Snowball takes "ciudades" to "ciudad", that to "ciud".
    found = [_in(everywhere, _quoted(*tokens))]
    by_stem.pop(tokens[0], None)
    for stem, of_languages in sorted(by_stem.items()):
        match = _in(everywhere, _quoted(stem))
        if len(of_languages) < len(languages):
            is_of_them = _joined("OR", map(_quoted, of_languages))
            match = f"({match} AND {_in(('language',), is_of_them)})"
        found.append(match)
    return _joined("OR", found)


def _in(columns: Iterable[str], expression: str) -> str:
    return f"({{{' '.join(columns)}}} : {expression})"


def _quoted(*tokens: str) -> str:
    return '"' + " ".join(token.replace('"', "") for token in tokens) + '"'


def _joined(operator: str, expressions: Iterable[str]) -> str:
    parts = list(expressions)
    return f"({f' {operator} '.join(parts)})" if len(parts) > 1 else parts[0]
