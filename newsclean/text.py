"""Text: folding spaces, counting words in any script, comparing."""

from __future__ import annotations

import html
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


# Counting words, also where the script puts no spaces between them.

#: Han, kana, and the South-East Asian scripts that are written without spaces; between brackets
#: it is a pattern.
SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{SPACELESS}]+")

#: Mean length of a word in these scripts, in characters.
SPACELESS_WORD = 2


#: Characters of a text whose words are looked at together: a list of words takes ten times the
#: memory of their text.
PIECE = 1 << 16
_SPACE = re.compile(r"\s")


def pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces that are not much longer than `PIECE`, cut at spaces."""
    start = 0
    while len(text) - start > PIECE:
        space = _SPACE.search(text, start + PIECE)
        if space is None:
            break
        yield text[start : space.start()]
        start = space.end()
    yield text[start:] if start else text


def fold_spaces(text: str) -> str:
    """Return a text with single spaces between its words, and none around them.

    >>> fold_spaces(" It\\n  rains. ")
    'It rains.'
    """
    if len(text) <= PIECE:
        return " ".join(text.split())
    return " ".join(filter(None, (" ".join(piece.split()) for piece in pieces(text))))


def count_words(text: str) -> int:
    """The number of words of a text with single spaces between them.

    >>> count_words("Taxes rise again")
    3
    >>> count_words("东京发布新规定")  # seven characters, written without a space
    4
    """
    words = text.count(" ") + 1
    if text.isascii():
        return words
    for run in _RUN.findall(text):
        words += (len(run) + SPACELESS_WORD - 1) // SPACELESS_WORD - 1
    return words


# Strings from a page's head, made fit for output: unescaped, on one line, bounded.

# Inline markup that editors paste into headlines. Other angle brackets stay: "a < b" is text.
_INLINE_TAG = re.compile(
    r"</?(?:a|b|br|cite|em|font|i|mark|p|q|s|small|span|strong|sub|sup|u)\b[^<>]{0,500}>", re.I
)
# Control characters and overrides of the writing direction, which harm a terminal or hide text;
# soft hyphens, zero-width spaces, word joiners, byte order marks, lone surrogates and what is not a
# character at all. None beyond U+FFFF, which would make the search many times slower. A zero-width
# space parts the words of Thai, Lao, Tibetan, Burmese and Khmer; the joiners U+200C and U+200D, and
# the marks of direction, say how Persian, Hindi, Hebrew or an emoji is written.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]"
    "(?!(?<=\u200b)[\u0e00-\u109f\u1780-\u17ff])"
)
# The same for a text of ASCII alone, where a table is several times faster.
_INVISIBLE_ASCII = {
    code: " " if chr(code).isspace() else None for code in (*range(0x09), *range(0x0B, 0x20), 0x7F)
}
_NOT_WORD = re.compile(r"[\W_]+")
# What `comparison_key` makes of each ASCII character; again the table is several times faster.
_FOLDED_ASCII = bytes(
    ord(letter.lower()) if letter.isalnum() else ord(" ") for letter in map(chr, range(128))
).ljust(256)


def single_line(value: object, limit: int) -> str:
    """The string as one line of plain text, cut between words at `limit` characters.

    >>> single_line("Rain &amp;amp;\\n <em>wind</em>  ", 100)
    'Rain & wind'
    >>> single_line("one two three", 9)
    'one two'
    >>> single_line(None, 9)
    ''
    """
    if not isinstance(value, str) or not value:
        return ""
    value = value[: limit * 4]
    for _ in range(2):  # templates often escape twice
        if "&" not in value:
            break
        value = html.unescape(value)
    if "<" in value:
        value = _INLINE_TAG.sub(" ", value)
    value = " ".join(visible_text(value).split())
    if len(value) <= limit:
        return value
    return value[: limit + 1].rpartition(" ")[0] or value[:limit]


def visible_text(text: str) -> str:
    """A text without the characters that nobody sees and no search finds.

    Of control characters only tab and line feed stay; what parts words becomes a space. So do those
    from U+0080 on: on the web they are quotes and dashes of windows-1252 under another label.

    >>> visible_text("Rain\\u00adcoat\\ufeff")
    'Raincoat'
    >>> visible_text("Rain\\x1b[31m\\u2028and wind\\x07")
    'Rain[31m and wind'
    """
    if not text.isascii():
        return _INVISIBLE.sub(_space_or_nothing, text)
    return text if text.isprintable() else text.translate(_INVISIBLE_ASCII)


def _space_or_nothing(found: re.Match[str]) -> str:
    return " " if found[0].isspace() or "\x80" <= found[0] <= "\x9f" else ""


def comparison_key(value: str, between: str = "") -> str:
    """The letters and digits alone, in one case: equal for strings that read the same.

    `between`, a space or nothing, takes the place of all that is between two words.

    >>> comparison_key("The Daily-News") == comparison_key("the daily news")
    True
    >>> comparison_key("Rain, again – in Bergen!", between=" ")
    'rain again in bergen'
    """
    if value.isascii():
        return between.join(value.encode().translate(_FOLDED_ASCII).decode().split())
    return _NOT_WORD.sub(between, value).strip().casefold()


def nearest(name: str, known: Collection[str]) -> str:
    """Return the known name that is most like an unknown one, for "did you mean".

    >>> nearest("contnet", ["title", "content"])
    'content'
    """
    return get_close_matches(name, sorted(known), 1, cutoff=0.0)[0]
