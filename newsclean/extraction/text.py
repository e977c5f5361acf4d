"""Text and time: spaces, words in any script, invisible characters, ISO 8601 dates."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Han, kana and the South-East Asian scripts that are written without spaces, as the inside of a
#: character class.
SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
#: Mean length of a word in these scripts, in characters.
_SPACELESS_WORD = 2
#: Characters of a text that are split into words at a time: a list of words takes ten times the
#: memory of their text.
PIECE = 1 << 16

_SPACE = re.compile(r"\s")
_SPACELESS_RUN = re.compile(f"[{SPACELESS}]+")
# Inline markup that editors paste into headlines. Other angle brackets stay: "a < b" is text.
_INLINE_TAG = re.compile(
    r"</?(?:a|b|br|cite|em|font|i|mark|p|q|s|small|span|strong|sub|sup|u)\b[^<>]{0,500}>", re.I
)
# Control characters and direction overrides, which harm a terminal or hide text; soft hyphens,
# zero-width spaces, word joiners, byte order marks, lone surrogates and noncharacters. None beyond
# U+FFFF: that would make the search many times slower. A zero-width space stays where it separates
# words of Thai, Lao, Tibetan, Burmese or Khmer; so do the joiners U+200C and U+200D and the
# direction marks, which Persian, Hindi, Hebrew and emoji need.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff]"
    "(?!(?<=\u200b)[\u0e00-\u109f\u1780-\u17ff])"
)
# For ASCII text a translation table is several times faster than a pattern.
_INVISIBLE_ASCII = {
    code: " " if chr(code).isspace() else None for code in (*range(0x09), *range(0x0B, 0x20), 0x7F)
}
_NOT_WORD = re.compile(r"[\W_]+")
_FOLDED_ASCII = bytes(
    ord(letter.lower()) if letter.isalnum() else ord(" ") for letter in map(chr, range(128))
).ljust(256)


def counted(number: float, one: str, several: str = "") -> str:
    """Return a number with its noun, which takes an "s" if its plural is not given.

    >>> counted(1, "page"), counted(1200, "page"), counted(0, "copy", "copies")
    ('1 page', '1,200 pages', '0 copies')
    """
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces of about `PIECE` characters, cut at white space."""
    start = 0
    while len(text) - start > PIECE:
        space = _SPACE.search(text, start + PIECE)
        if space is None:
            break
        yield text[start : space.start()]
        start = space.end()
    yield text[start:] if start else text


def fold_spaces(text: str) -> str:
    """Return the text stripped, with single spaces between its words.

    >>> fold_spaces(" It\\n  rains. ")
    'It rains.'
    """
    if len(text) <= PIECE:
        return " ".join(text.split())
    return " ".join(filter(None, (" ".join(piece.split()) for piece in pieces(text))))


def count_words(text: str) -> int:
    """Return the number of words in a text whose spaces have been folded.

    >>> count_words("Taxes rise again")
    3
    >>> count_words("东京发布新规定")  # seven characters, written without a space
    4
    """
    words = text.count(" ") + 1
    if text.isascii():
        return words
    for run in _SPACELESS_RUN.findall(text):
        words += (len(run) + _SPACELESS_WORD - 1) // _SPACELESS_WORD - 1
    return words


def visible_text(text: str) -> str:
    """Return the text without invisible characters, which no search finds either.

    Of the control characters only tab and line feed stay. Those that separate words become a space,
    and so do those from U+0080 on: on the web they are mislabelled windows-1252 quotes and dashes.

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


def single_line(value: object, limit: int) -> str:
    """Return a metadata value as one line of plain text, cut between words at `limit` characters.

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


def comparison_key(value: str, between: str = "") -> str:
    """Return only the letters and digits, case-folded: equal for strings that read the same.

    `between`, a space or nothing, replaces everything between two words.

    >>> comparison_key("The Daily-News") == comparison_key("the daily news")
    True
    >>> comparison_key("Rain, again – in Bergen!", between=" ")
    'rain again in bergen'
    """
    if value.isascii():
        return between.join(value.encode().translate(_FOLDED_ASCII).decode().split())
    return _NOT_WORD.sub(between, value).strip().casefold()


def comparison_keys(values: Iterable[str], between: str = "") -> list[str]:
    """Return the comparison key of each value."""
    return [comparison_key(value, between) for value in values]


def parse_iso_date(date: object) -> datetime | None:
    """Return an ISO 8601 date as it is written, without a zone if it names none.

    >>> parse_iso_date("2026-03-14T09:30"), parse_iso_date("soon"), parse_iso_date(None)
    (datetime.datetime(2026, 3, 14, 9, 30), None, None)
    """
    try:
        return datetime.fromisoformat(date)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def moment_of(date: object) -> datetime | None:
    """Return the point in time of an ISO 8601 date; without a zone it counts as UTC.

    >>> moment_of("2026-03-14").isoformat()
    '2026-03-14T00:00:00+00:00'
    """
    moment = parse_iso_date(date)
    return moment.replace(tzinfo=UTC) if moment and not moment.tzinfo else moment


def seconds_of(date: object) -> float | None:
    """Return an ISO 8601 date as seconds since 1970.

    >>> seconds_of("1970-01-02"), seconds_of("1970-01-01T01:00:00+01:00"), seconds_of("soon")
    (86400.0, 0.0, None)
    """
    moment = moment_of(date)
    return moment.timestamp() if moment else None
