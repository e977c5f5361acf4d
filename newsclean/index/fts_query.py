"""A query for FTS5: every word in quotes, so that nothing in it can be taken for an operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.index.query_terms import has_stems, joined, languages_by_stem, tokens_of
from newsclean.index.syntax import AllOf, AnyOf

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from newsclean.index.analysis import Analyzer
    from newsclean.index.syntax import Node, Term

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
        return joined("OR", (fts_query(each, languages, analyzer) for each in node.alternatives))
    if isinstance(node, AllOf):
        wanted = joined("AND", (fts_query(each, languages, analyzer) for each in node.wanted))
        if not node.unwanted:
            return wanted
        unwanted = joined("OR", (fts_query(each, languages, analyzer) for each in node.unwanted))
        return f"({wanted} NOT {unwanted})"
    return _term(node, languages, analyzer)


def _term(term: Term, languages: Collection[str], analyzer: Analyzer) -> str:
    words, stems = COLUMNS[term.field]
    tokens, is_prefix = tokens_of(term)
    if not has_stems(term):
        return _in(words, _quoted(*tokens) + (" *" if is_prefix else ""))
    everywhere = (*words, *stems)
    by_stem = languages_by_stem(term, languages, analyzer)
    # As it is, it may be the stem of others: Snowball takes "ciudades" to "ciudad", that to "ciud".
    found = [_in(everywhere, _quoted(*tokens))]
    by_stem.pop(tokens[0], None)
    for stem, of_languages in sorted(by_stem.items()):
        match = _in(everywhere, _quoted(stem))
        if len(of_languages) < len(languages):
            is_of_them = joined("OR", map(_quoted, of_languages))
            match = f"({match} AND {_in(('language',), is_of_them)})"
        found.append(match)
    return joined("OR", found)


def _in(columns: Iterable[str], expression: str) -> str:
    return f"({{{' '.join(columns)}}} : {expression})"


def _quoted(*tokens: str) -> str:
    return '"' + " ".join(token.replace('"', "") for token in tokens) + '"'
