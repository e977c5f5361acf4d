"""A paragraph as tokens: words, code, pictures, and where emphasis and links begin and end."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from newsclean.page.tags import LINE_BREAKING
from newsclean.render.markdown.escapes import escaped, safe_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    #: Texts and inline elements, as they follow each other.
    Run = Sequence[str | etree._Element]

EM, STRONG, STRIKE = "em", "strong", "strike"
EMPHASIS = {
    "em": EM, "i": EM, "cite": EM, "strong": STRONG, "b": STRONG, "s": STRIKE, "del": STRIKE,
}  # fmt: skip
CODE = frozenset({"code", "kbd", "pre"})

_SMALL = "0123456789+-=()"
RAISED = {
    "sup": str.maketrans(_SMALL, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾"),
    "sub": str.maketrans(_SMALL, "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"),
}
_RAISABLE = re.compile(r"[-0-9+=()]+\Z")


class Kind(Enum):
    TEXT = auto()
    CODE = auto()
    IMAGE = auto()
    SPACE = auto()
    BREAK = auto()
    OPEN = auto()
    CLOSE = auto()
    LINK = auto()
    LINK_END = auto()


class Token(NamedTuple):
    kind: Kind
    #: the words; the kind of emphasis; the address of a link
    text: str = ""


SPACE, BREAK = Token(Kind.SPACE), Token(Kind.BREAK)
CONTENT = (Kind.TEXT, Kind.CODE, Kind.IMAGE)
GAPS = (Kind.SPACE, Kind.BREAK)
SPANS = (Kind.OPEN, Kind.CLOSE)


def tokens_of(run: Run) -> list[Token]:
    """The run as tokens, in its order."""
    tokens: list[Token] = []
    for node in run:
        if isinstance(node, str):
            tokens.extend(words_of(node))
        else:
            tokens.extend(_tokens_of_element(node))
    return tokens


def words_of(text: str, kind: Kind = Kind.TEXT) -> Iterable[Token]:
    """A text with single spaces, those at its ends apart."""
    words = " ".join(text.split())
    if text[:1].isspace():
        yield SPACE
    if words:
        yield Token(kind, words)
        if text[-1:].isspace():
            yield SPACE


def _tokens_of_element(root: etree._Element) -> Iterable[Token]:
    #: the tokens that end what is open, None for what needs none
    ends: list[Token | None] = []
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "end":
            if (end := ends.pop()) is not None:
                yield end
            if element is not root and element.tail:
                yield from words_of(element.tail)
            continue
        end = None
        if tag in CODE:
            yield from words_of(words_in(element), Kind.CODE)
            walk.skip_subtree()
        elif tag in RAISED and not len(element) and _RAISABLE.match(element.text or ""):
            yield Token(Kind.TEXT, (element.text or "").translate(RAISED[tag]))
        elif tag == "br":
            yield BREAK
        elif tag == "img":
            if image := image_of(element):
                yield Token(Kind.IMAGE, image)
        else:
            if tag in EMPHASIS:
                end = Token(Kind.CLOSE, EMPHASIS[tag])
            elif tag == "a" and (url := safe_url(element.get("href"))):
                end = Token(Kind.LINK_END, url)
            elif tag in LINE_BREAKING:
                end = BREAK
                yield BREAK
            if end is not BREAK and end in ends:  # emphasis in emphasis, a link in a link
                end = None
            if end is not None and end is not BREAK:
                yield Token(Kind.OPEN if end.kind is Kind.CLOSE else Kind.LINK, end.text)
            yield from words_of(element.text or "")
        ends.append(end)


def words_in(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def image_of(element: etree._Element) -> str:
    """A picture, or nothing if its address is none that may be shown."""
    url = safe_url(element.get("src"))
    alt = escaped(" ".join((element.get("alt") or "").split()))
    return f"![{alt}]({url})" if url else ""


def in_place(tokens: Iterable[Token]) -> list[Token]:
    """The tokens without spans that hold nothing, and with the white space outside of spans."""
    placed: list[Token] = []
    waiting: list[Token] = []  # spans that are open and hold nothing yet
    gap: Token | None = None
    for token in tokens:
        if token.kind in GAPS:
            gap = gap if gap is BREAK else token
        elif token.kind in (Kind.OPEN, Kind.LINK):
            waiting.append(token)
        elif token.kind in (Kind.CLOSE, Kind.LINK_END):
            if waiting:
                waiting.pop()
            else:
                placed.append(token)
        else:
            if gap is not None and placed:
                placed.append(gap)
            gap = None
            placed.extend(waiting)
            waiting.clear()
            placed.append(token)
    return placed
