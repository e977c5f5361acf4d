"""Turn the words of one block into Markdown: emphasis, links, code, pictures, line breaks.

A run of texts and inline elements becomes tokens; spans that hold nothing go, white space moves out
of spans, and the tokens are written. Whatever Markdown would read as markup is escaped, so that the
text says what it said. Emphasis that CommonMark would not recognise where it is (inside a word,
beside punctuation) is left out: its marks would appear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from newsclean.extraction.page.columns import LINE_BREAKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    #: Texts and inline elements in their order.
    Run = Sequence[str | etree._Element]

_EM, _STRONG, _STRIKE = "em", "strong", "strike"
_EMPHASIS = {
    "em": _EM, "i": _EM, "cite": _EM, "strong": _STRONG, "b": _STRONG, "s": _STRIKE, "del": _STRIKE,
}  # fmt: skip
_CODE = frozenset({"code", "kbd", "pre"})

_SMALL = "0123456789+-=()"
RAISED = {
    "sup": str.maketrans(_SMALL, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾"),
    "sub": str.maketrans(_SMALL, "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"),
}
_RAISABLE = re.compile(r"[-0-9+=()]+\Z")

_MARKS = {_EM: "_", _STRONG: "**", _STRIKE: "~~"}
#: Emphasis in the middle of a word; `_` is not recognised there.
_EM_IN_WORD = "*"
#: How often emphasis is checked again after some of it was left out.
_ROUNDS = 3

#: Schemes of links and pictures, checked again although the HTML is sanitized.
_SAFE_URL = re.compile(r"(?:https?://|mailto:)", re.I)

_ESCAPE = r"\\\g<0>"
_SPECIAL = re.compile(r"[\\`*\[\]<~]|&(?=[#\w]|\Z)|(?<![^\W_])_|_(?![^\W_])")
#: Begins a heading, a quote, a table or a list, or underlines a heading or a table's head.
_BLOCK_START = re.compile(r"[#>|]|[-+](?:\s|\Z)|:?-+:?\s*\Z|=+\s*\Z")
_NUMBERED = re.compile(r"([0-9]{1,9})[.)](?:\s|\Z)")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_PLAIN_URL = re.compile(r"[^\s()<>\\\x00-\x1f\x7f]+\Z")
_NOT_IN_URL = re.compile(r"[\s\x00-\x1f\x7f]")
_NOT_IN_BRACKETS = re.compile(r"[\\<>]")
_BACKTICKS = re.compile("`+")


class _Kind(Enum):
    TEXT = auto()
    CODE = auto()
    IMAGE = auto()
    SPACE = auto()
    BREAK = auto()
    OPEN = auto()
    CLOSE = auto()
    LINK = auto()
    LINK_END = auto()


class _Token(NamedTuple):
    kind: _Kind
    #: the words, the kind of emphasis or the URL of a link
    text: str = ""


_SPACE, _BREAK = _Token(_Kind.SPACE), _Token(_Kind.BREAK)
_GAPS = (_Kind.SPACE, _Kind.BREAK)
_SPANS = (_Kind.OPEN, _Kind.CLOSE)


def inline_markdown(run: Run, *, one_line: bool = False, strong: bool = False) -> str:
    """Return a run as Markdown; `paragraph` protects the start of its lines.

    With `one_line`, for headings and cells, a line break is a space. `strong` makes it all bold.

    >>> from lxml import etree
    >>> inline_markdown(["2 * 3 = ", etree.fromstring("<b>6 </b>"), "_"])
    '2 \\\\* 3 = **6** \\\\_'
    """
    if len(run) == 1 and isinstance(run[0], str):  # most paragraphs
        return _escaped(" ".join(run[0].split()))
    tokens = [
        token
        for node in run
        for token in (_words_of(node) if isinstance(node, str) else _tokens_of(node))
    ]
    if strong:
        inner = [token for token in tokens if token.kind not in _SPANS or token.text != _STRONG]
        tokens = [_Token(_Kind.OPEN, _STRONG), *inner, _Token(_Kind.CLOSE, _STRONG)]
    tokens = _with_valid_emphasis(_in_place(tokens))
    return _write(tokens, " " if one_line else "\\\n")


def _words_of(text: str, kind: _Kind = _Kind.TEXT) -> Iterable[_Token]:
    """Yield a text with single spaces, those at its ends as tokens of their own."""
    words = " ".join(text.split())
    if text[:1].isspace():
        yield _SPACE
    if words:
        yield _Token(kind, words)
        if text[-1:].isspace():
            yield _SPACE


def _tokens_of(root: etree._Element) -> Iterable[_Token]:
    #: the tokens that end the open elements, None for elements that need none
    ends: list[_Token | None] = []
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = element.tag
        if event == "end":
            if (end := ends.pop()) is not None:
                yield end
            if element is not root and element.tail:
                yield from _words_of(element.tail)
            continue
        end = None
        if tag in _CODE:
            yield from _words_of(words_in(element), _Kind.CODE)
            walk.skip_subtree()
        elif tag in RAISED and not len(element) and _RAISABLE.match(element.text or ""):
            yield _Token(_Kind.TEXT, (element.text or "").translate(RAISED[tag]))
        elif tag == "br":
            yield _BREAK
        elif tag == "img":
            if image := _image_of(element):
                yield _Token(_Kind.IMAGE, image)
        else:
            if tag in _EMPHASIS:
                end = _Token(_Kind.CLOSE, _EMPHASIS[tag])
            elif tag == "a" and (url := _safe_url(element.get("href"))):
                end = _Token(_Kind.LINK_END, url)
            elif tag in LINE_BREAKING:
                end = _BREAK
                yield _BREAK
            if end is not _BREAK and end in ends:  # emphasis in emphasis, a link in a link
                end = None
            if end is not None and end is not _BREAK:
                yield _Token(_Kind.OPEN if end.kind is _Kind.CLOSE else _Kind.LINK, end.text)
            yield from _words_of(element.text or "")
        ends.append(end)


def words_in(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _image_of(element: etree._Element) -> str:
    """Return a picture, or nothing if its URL is not safe."""
    url = _safe_url(element.get("src"))
    alt = _escaped(" ".join((element.get("alt") or "").split()))
    return f"![{alt}]({url})" if url else ""


def _in_place(tokens: Iterable[_Token]) -> list[_Token]:
    """Return the tokens without empty spans, and with white space moved out of spans."""
    placed: list[_Token] = []
    waiting: list[_Token] = []  # spans that are open and hold nothing yet
    gap: _Token | None = None
    for token in tokens:
        if token.kind in _GAPS:
            gap = gap if gap is _BREAK else token
        elif token.kind in (_Kind.OPEN, _Kind.LINK):
            waiting.append(token)
        elif token.kind in (_Kind.CLOSE, _Kind.LINK_END):
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


def _with_valid_emphasis(tokens: list[_Token]) -> list[_Token]:
    """Drop emphasis that CommonMark would not recognise; give OPEN and CLOSE their marks."""
    for _ in range(_ROUNDS):
        tokens = _merged(tokens)
        marks = _marks(tokens)
        if None not in marks.values():
            return [
                token if (mark := marks.get(place)) is None else _Token(token.kind, mark)
                for place, token in enumerate(tokens)
            ]
        tokens = [token for place, token in enumerate(tokens) if marks.get(place, "") is not None]
    return _merged([token for token in tokens if token.kind not in _SPANS])


def _merged(tokens: list[_Token]) -> list[_Token]:
    """Join neighboring texts, and neighboring spans of one kind."""
    merged: list[_Token] = []
    for token in tokens:
        last = merged[-1] if merged else _SPACE
        if token.kind is _Kind.OPEN and last == (_Kind.CLOSE, token.text):
            merged.pop()
        elif token.kind is last.kind and token.kind in (_Kind.TEXT, _Kind.CODE):
            merged[-1] = _Token(token.kind, last.text + token.text)
        else:
            merged.append(token)
    return merged


def _marks(tokens: list[_Token]) -> dict[int, str | None]:
    """Return the mark of each OPEN and CLOSE by its place, None if it must be left out."""
    marks: dict[int, str | None] = {}
    opened: list[int] = []
    before = _edges(tokens, -1)
    after = _edges(tokens[::-1], 0)[::-1]
    for place, token in enumerate(tokens):
        if token.kind is _Kind.OPEN:
            opened.append(place)
        elif token.kind is _Kind.CLOSE:
            start = opened.pop()
            marks[start] = marks[place] = _mark(tokens, start, place, before[start], after[place])
    return marks


def _edges(tokens: list[_Token], end: int) -> list[str]:
    """Return the character before each token, empty for white space.

    Other marks do not count: they may still be left out, and do no harm where they stay.
    """
    edges = []
    edge = ""
    for token in tokens:
        edges.append(edge)
        if token.kind is _Kind.TEXT:
            edge = token.text[end]
        elif token.kind not in _SPANS:
            edge = "" if token.kind in _GAPS else "`"
    return edges


def _mark(tokens: list[_Token], start: int, end: int, before: str, after: str) -> str | None:
    """Return the mark of the emphasis between two places, by CommonMark's flanking rule."""
    first, last = tokens[start + 1], tokens[end - 1]
    is_apart = _is_apart(before), _is_apart(after)
    if not is_apart[0] and not (first.kind is _Kind.TEXT and _is_letter(first.text[0])):
        return None
    if not is_apart[1] and not (last.kind is _Kind.TEXT and _is_letter(last.text[-1])):
        return None
    kind = tokens[start].text
    if kind != _EM or all(is_apart):
        return _MARKS[kind]
    beside = (start - 1, start + 1, end - 1, end + 1)  # where `*` and `**` would run together
    is_beside = any(0 <= k < len(tokens) and tokens[k].kind in _SPANS for k in beside)
    return None if is_beside else _EM_IN_WORD


def _is_apart(character: str) -> bool:
    """Return whether this is white space or punctuation in every version of CommonMark."""
    return not character or (
        unicodedata.category(character).startswith("P")
        or (character.isascii() and not character.isalnum())
    )


def _is_letter(character: str) -> bool:
    """Return whether this is neither of them in every version of CommonMark."""
    return unicodedata.category(character)[0] not in "PSZ"


def _write(tokens: list[_Token], line_break: str) -> str:
    """Return tokens whose emphasis has its marks as Markdown."""
    parts: list[str] = []
    for token, following in zip(tokens, [*tokens[1:], _SPACE], strict=False):
        if token.kind is _Kind.TEXT:
            text = _escaped(token.text)
            if following.kind is _Kind.LINK and text.endswith("!"):
                text = f"{text[:-1]}\\!"  # else the link would be a picture
            parts.append(text)
        elif token.kind is _Kind.CODE:
            parts.append(_code_span(token.text))
        elif token.kind is _Kind.LINK:
            parts.append("[")
        elif token.kind is _Kind.LINK_END:
            parts.append(f"]({token.text})")
        elif token.kind in _GAPS:
            parts.append(line_break if token is _BREAK else " ")
        else:
            parts.append(token.text)
    return "".join(parts)


def _escaped(text: str) -> str:
    """Escape words that may be anywhere in a line.

    >>> print(_escaped("5 * 6 [of snake_case] &amp; _x_"))
    5 \\* 6 \\[of snake_case\\] \\&amp; \\_x\\_
    """
    return _SPECIAL.sub(_ESCAPE, text)


def paragraph(text: str) -> str:
    """Protect inline Markdown: no line of it begins a list, a heading or a quote.

    >>> paragraph("1. May")
    '1\\\\. May'
    """
    return "\n".join(map(_protected, text.split("\n")))


def _protected(line: str) -> str:
    if numbered := _NUMBERED.match(line):
        return f"{numbered[1]}\\{line[numbered.end(1) :]}"
    return f"\\{line}" if _BLOCK_START.match(line) else line


def _safe_url(url: str | None) -> str | None:
    """Return a URL as Markdown writes it, None if it is not safe to follow."""
    if not url or not _SAFE_URL.match(url):
        return None
    url = _NOT_IN_URL.sub(
        lambda found: f"%{ord(found[0]):02X}" if found[0] < "\x80" else "%20", url
    )
    if not _PLAIN_URL.match(url):
        url = f"<{_NOT_IN_BRACKETS.sub(_ESCAPE, url)}>"
    return _ENTITY.sub(_ESCAPE, url)


def _code_span(text: str) -> str:
    """Return a code span, whatever backticks are in it.

    >>> print(_code_span("a`b"), _code_span("`"))
    ``a`b`` `` ` ``
    """
    fence = "`" * (longest_backticks(text) + 1)
    # Markdown removes one space at each end.
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{space}{text}{space}{fence}"


def longest_backticks(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)
