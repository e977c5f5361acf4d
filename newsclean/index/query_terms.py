"""How the terms of a query are looked for, in an index file and in PostgreSQL.

A word is looked for as it is, and by its stem in each language that the index has: what language a
query is in, nobody knows, and a stem counts only in articles of the language whose stem it is. A
phrase is looked for as it is, capitals and accents aside: who writes a phrase means it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.index.words import folded, has_paired, pairs_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from newsclean.index.analysis import Analyzer
    from newsclean.index.syntax import Term

#: The fields of a query whose words have stems; None is headline and body.
STEMMED_FIELDS = (None, "headline", "body")


def tokens_of(term: Term) -> tuple[list[str], bool]:
    """The tokens that a term's words have in an index, and whether the last one is a beginning.

    >>> from newsclean.index.syntax import Term
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
        and term.field in STEMMED_FIELDS
    )


def languages_by_stem(
    term: Term, languages: Collection[str], analyzer: Analyzer
) -> dict[str, list[str]]:
    """The stems of a term that is one word, each with the languages in which it is the stem.

    >>> from newsclean.index.analysis import Analyzer
    >>> from newsclean.index.syntax import Term
    >>> languages_by_stem(Term(("Regen",)), ["de", "en", "fr"], Analyzer())
    {'reg': ['de'], 'regen': ['en', 'fr']}
    """
    by_stem: dict[str, list[str]] = {}
    for language in sorted(languages):
        _, stem = analyzer.word_and_stem(term.words[0], language)
        by_stem.setdefault(stem, []).append(language)
    return by_stem


def joined(operator: str, expressions: Iterable[str]) -> str:
    """Expressions in brackets with an operator between them; one alone as it is.

    >>> joined("OR", ["a", "b"]), joined("OR", ["a"])
    ('(a OR b)', 'a')
    """
    parts = list(expressions)
    return f"({f' {operator} '.join(parts)})" if len(parts) > 1 else parts[0]
