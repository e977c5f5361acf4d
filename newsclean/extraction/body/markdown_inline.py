"""A paragraph as tokens: words, code, pictures, and where emphasis and links begin and end."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from newsclean.extraction.page.columns import LINE_BREAKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    #: Texts and inline elements, as they follow each other.
    Run = Sequence[str | etree._Element]

# What Markdown would read as markup, written so that it is read as it is.

#: Schemes of links and pictures; the HTML was sanitised before, which is not relied on.
_SAFE_URL = re.compile(r"(?:https?://|mailto:)", re.I)

_ESCAPE = r"\\\g<0>"
_SPECIAL = re.compile(r"[\\`*\[\]<~]|&(?=[#\w]|\Z)|(?<![^\W_])_|_(?![^\W_])")
#: What begins a heading, a quote, a table, a list, or underlines a heading or a table's head.
_BLOCK_START = re.compile(r"[#>|]|[-+](?:\s|\Z)|:?-+:?\s*\Z|=+\s*\Z")
_NUMBERED = re.compile(r"([0-9]{1,9})[.)](?:\s|\Z)")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_PLAIN_URL = re.compile(r"[^\s()<>\\\x00-\x1f\x7f]+\Z")
_NOT_IN_URL = re.compile(r"[\s\x00-\x1f\x7f]")
_NOT_IN_BRACKETS = re.compile(r"[\\<>]")
_BACKTICKS = re.compile("`+")


def _escaped(text: str) -> str:
    """Words that may be anywhere in a line.

    >>> print(_escaped("5 * 6 [of snake_case] &amp; _x_"))
    5 \\* 6 \\[of snake_case\\] \\&amp; \\_x\\_
    """
    return _SPECIAL.sub(_ESCAPE, text)


def paragraph(text: str) -> str:
    """Inline Markdown as a paragraph: no line of it begins a list, a heading or a quote.

    >>> paragraph("1. May")
    '1\\\\. May'
    """
    return "\n".join(map(_protected, text.split("\n")))


def _protected(line: str) -> str:
    if numbered := _NUMBERED.match(line):
        return f"{numbered[1]}\\{line[numbered.end(1) :]}"
    return f"\\{line}" if _BLOCK_START.match(line) else line


def _safe_url(url: str | None) -> str | None:
    """An address as Markdown writes it, None if it is not one that a reader may follow."""
    if not url or not _SAFE_URL.match(url):
        return None
    url = _NOT_IN_URL.sub(
        lambda found: f"%{ord(found[0]):02X}" if found[0] < "\x80" else "%20", url
    )
    if not _PLAIN_URL.match(url):
        url = f"<{_NOT_IN_BRACKETS.sub(_ESCAPE, url)}>"
    return _ENTITY.sub(_ESCAPE, url)


def _code_span(text: str) -> str:
    """A code span, whatever backticks are in it.

    >>> print(_code_span("a`b"), _code_span("`"))
    ``a`b`` `` ` ``
    """
    fence = "`" * (longest_backticks(text) + 1)
    # One space at each end is taken off again.
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{space}{text}{space}{fence}"


def longest_backticks(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)


_EM, _STRONG, _STRIKE = "em", "strong", "strike"
_EMPHASIS = {
    "em": _EM, "i": _EM, "cite": _EM, "strong": _STRONG, "b": _STRONG, "s": _STRIKE, "del": _STRIKE,
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
_GAPS = (Kind.SPACE, Kind.BREAK)
_SPANS = (Kind.OPEN, Kind.CLOSE)


def _tokens_of(run: Run) -> list[Token]:
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
            if image := _image_of(element):
                yield Token(Kind.IMAGE, image)
        else:
            if tag in _EMPHASIS:
                end = Token(Kind.CLOSE, _EMPHASIS[tag])
            elif tag == "a" and (url := _safe_url(element.get("href"))):
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


def _image_of(element: etree._Element) -> str:
    """A picture, or nothing if its address is none that may be shown."""
    url = _safe_url(element.get("src"))
    alt = _escaped(" ".join((element.get("alt") or "").split()))
    return f"![{alt}]({url})" if url else ""


def _in_place(tokens: Iterable[Token]) -> list[Token]:
    """The tokens without spans that hold nothing, and with the white space outside of spans."""
    placed: list[Token] = []
    waiting: list[Token] = []  # spans that are open and hold nothing yet
    gap: Token | None = None
    for token in tokens:
        if token.kind in _GAPS:
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


# Emphasis that CommonMark recognises where it is.
#
# Where it would not (in the middle of a word, beside punctuation) emphasis is left out: its marks
# would appear in the text.

_MARKS = {_EM: "_", _STRONG: "**", _STRIKE: "~~"}
#: Emphasis in the middle of a word; `_` is not recognised there.
_EM_IN_WORD = "*"
#: How often emphasis is looked at again after some of it was left out.
_ROUNDS = 3


def _with_valid_emphasis(tokens: list[Token]) -> list[Token]:
    """The tokens without emphasis that CommonMark does not recognise; OPEN and CLOSE have marks."""
    for _ in range(_ROUNDS):
        tokens = _merged(tokens)
        marks = _marks(tokens)
        if None not in marks.values():
            return [
                token if mark is None else Token(token.kind, mark)
                for token, mark in zip(tokens, map(marks.get, range(len(tokens))), strict=True)
            ]
        tokens = [token for place, token in enumerate(tokens) if marks.get(place, "") is not None]
    return _merged([token for token in tokens if token.kind not in _SPANS])


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
        elif token.kind not in _SPANS:
            edge = "" if token.kind in _GAPS else "`"
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
    if kind != _EM or all(is_apart):
        return _MARKS[kind]
    beside = (start - 1, start + 1, end - 1, end + 1)  # where `*` and `**` would run together
    is_beside = any(0 <= k < len(tokens) and tokens[k].kind in _SPANS for k in beside)
    return None if is_beside else _EM_IN_WORD


def _is_apart(character: str) -> bool:
    """Whether this is white space or punctuation, by every version of CommonMark."""
    return not character or (
        unicodedata.category(character).startswith("P")
        or (character.isascii() and not character.isalnum())
    )


def _is_letter(character: str) -> bool:
    """Whether this is neither white space nor punctuation, by every version of CommonMark."""
    return unicodedata.category(character)[0] not in "PSZ"


# The words of one paragraph as Markdown: emphasis, links, code, pictures, line breaks.
#
# Everything that Markdown would read as markup is escaped, so that the text says what it said.
# Emphasis that CommonMark would not recognise where it is (in the middle of a word, beside
# punctuation) is left out: its signs would appear in the text.


def inline_markdown(run: Run, *, one_line: bool = False, strong: bool = False) -> str:
    """A run of texts and inline elements as Markdown, without what protects the start of a line.

    On `one_line`, as headings and cells are, a line break is a space. `strong` emphasises it all.

    >>> from lxml import etree
    >>> inline_markdown(["2 * 3 = ", etree.fromstring("<b>6 </b>"), "_"])
    '2 \\\\* 3 = **6** \\\\_'
    """
    if len(run) == 1 and isinstance(run[0], str):  # most paragraphs
        return _escaped(" ".join(run[0].split()))
    tokens = _tokens_of(run)
    if strong:
        inner = [token for token in tokens if token.kind not in _SPANS or token.text != _STRONG]
        tokens = [Token(Kind.OPEN, _STRONG), *inner, Token(Kind.CLOSE, _STRONG)]
    tokens = _with_valid_emphasis(_in_place(tokens))
    return write(tokens, " " if one_line else "\\\n")


def write(tokens: list[Token], line_break: str) -> str:
    """The tokens, whose emphasis has its marks, as Markdown."""
    parts: list[str] = []
    for token, following in zip(tokens, [*tokens[1:], SPACE], strict=False):
        if token.kind is Kind.TEXT:
            text = _escaped(token.text)
            if following.kind is Kind.LINK and text.endswith("!"):
                text = f"{text[:-1]}\\!"  # or the link would be a picture
            parts.append(text)
        elif token.kind is Kind.CODE:
            parts.append(_code_span(token.text))
        elif token.kind is Kind.LINK:
            parts.append("[")
        elif token.kind is Kind.LINK_END:
            parts.append(f"]({token.text})")
        elif token.kind in _GAPS:
            parts.append(line_break if token is BREAK else " ")
        else:
            parts.append(token.text)
    return "".join(parts)
