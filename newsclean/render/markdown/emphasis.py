"""Emphasis that CommonMark recognises where it is.

Where it would not (in the middle of a word, beside punctuation) emphasis is left out: its marks
would appear in the text.
"""

from __future__ import annotations

import unicodedata

from newsclean.render.markdown.tokens import EM, GAPS, SPACE, SPANS, STRIKE, STRONG, Kind, Token

MARKS = {EM: "_", STRONG: "**", STRIKE: "~~"}
#: Emphasis in the middle of a word; `_` is not recognised there.
EM_IN_WORD = "*"
#: How often emphasis is looked at again after some of it was left out.
ROUNDS = 3


def with_valid_emphasis(tokens: list[Token]) -> list[Token]:
    """The tokens without emphasis that CommonMark does not recognise; OPEN and CLOSE have marks."""
    for _ in range(ROUNDS):
        tokens = _merged(tokens)
        marks = _marks(tokens)
        if None not in marks.values():
            return [
                token if mark is None else Token(token.kind, mark)
                for token, mark in zip(tokens, map(marks.get, range(len(tokens))), strict=True)
            ]
        tokens = [token for place, token in enumerate(tokens) if marks.get(place, "") is not None]
    return _merged([token for token in tokens if token.kind not in SPANS])


def _merged(tokens: list[Token]) -> list[Token]:
    """The tokens with neighboring texts as one, and neighboring spans of one kind."""
    merged: list[Token] = []
    for token in tokens:
        last = merged[-1] if merged else SPACE
        if token.kind is Kind.OPEN and last == (Kind.CLOSE, token.text):
            merged.pop()
        elif token.kind is last.kind and token.kind in (Kind.TEXT, Kind.CODE):
            merged[-1] = Token(token.kind, last.text + token.text)
        else:
            merged.append(token)
    return merged


def _marks(tokens: list[Token]) -> dict[int, str | None]:
    """The mark of each place with an OPEN or CLOSE, None if the emphasis must be left out."""
    marks: dict[int, str | None] = {}
    opened: list[int] = []
    before = _edges(tokens, -1)
    after = _edges(tokens[::-1], 0)[::-1]
    for place, token in enumerate(tokens):
        if token.kind is Kind.OPEN:
            opened.append(place)
        elif token.kind is Kind.CLOSE:
            start = opened.pop()
            marks[start] = marks[place] = _mark(tokens, start, place, before[start], after[place])
    return marks


def _edges(tokens: list[Token], end: int) -> list[str]:
    """For each token, the character that is before it, empty for white space.

    Other marks do not count: they may be left out yet, and where they stay they do no harm.
    """
    edges = []
    edge = ""
    for token in tokens:
        edges.append(edge)
        if token.kind is Kind.TEXT:
            edge = token.text[end]
        elif token.kind not in SPANS:
            edge = "" if token.kind in GAPS else "`"
    return edges


def _mark(tokens: list[Token], start: int, end: int, before: str, after: str) -> str | None:
    """The mark of the emphasis between two places, by CommonMark's rule of flanking."""
    first, last = tokens[start + 1], tokens[end - 1]
    is_apart = _is_apart(before), _is_apart(after)
    if not is_apart[0] and not (first.kind is Kind.TEXT and _is_letter(first.text[0])):
        return None
    if not is_apart[1] and not (last.kind is Kind.TEXT and _is_letter(last.text[-1])):
        return None
    kind = tokens[start].text
    if kind != EM or all(is_apart):
        return MARKS[kind]
    beside = (start - 1, start + 1, end - 1, end + 1)  # where `*` and `**` would run together
    is_beside = any(0 <= k < len(tokens) and tokens[k].kind in SPANS for k in beside)
    return None if is_beside else EM_IN_WORD


def _is_apart(character: str) -> bool:
    """Whether this is white space or punctuation, by every version of CommonMark."""
    return not character or (
        unicodedata.category(character).startswith("P")
        or (character.isascii() and not character.isalnum())
    )


def _is_letter(character: str) -> bool:
    """Whether this is neither white space nor punctuation, by every version of CommonMark."""
    return unicodedata.category(character)[0] not in "PSZ"
