"""Strings from a page's head, made fit for output: unescaped, on one line, bounded."""

import html
import re

# Inline markup that editors paste into headlines. Other angle brackets stay: "a < b" is text.
_INLINE_TAG = re.compile(
    r"</?(?:a|b|br|cite|em|font|i|mark|p|q|s|small|span|strong|sub|sup|u)\b[^<>]{0,500}>", re.I
)
# Soft hyphens, zero-width spaces and joiners, byte order marks, and what is not a character at all;
# none beyond U+FFFF, which would make the search many times slower. A zero-width space parts the
# words of Thai, Lao, Tibetan, Burmese and Khmer; the joiners U+200C and U+200D, and the marks of
# direction, say how Persian, Hindi, Hebrew or an emoji is written.
_INVISIBLE = re.compile(
    "[\u00ad\u200b\u2060-\u2064\ufeff\ufdd0-\ufdef\ufffe\uffff]"
    "(?!(?<=\u200b)[\u0e00-\u109f\u1780-\u17ff])"
)
# Lone surrogates cannot be encoded; control characters are not meant for readers.
_UNWANTED = re.compile("[\ud800-\udfff\x00-\x08\x0e-\x1f\x7f]")
_NOT_WORD = re.compile(r"[\W_]+")


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
    value = " ".join(_UNWANTED.sub("", visible_text(value)).split())
    if len(value) <= limit:
        return value
    return value[: limit + 1].rpartition(" ")[0] or value[:limit]


def visible_text(text: str) -> str:
    """A text without the characters that nobody sees and no search finds.

    >>> visible_text("Rain\\u00adcoat\\ufeff")
    'Raincoat'
    """
    return text if text.isascii() else _INVISIBLE.sub("", text)


def comparison_key(value: str, between: str = "") -> str:
    """The letters and digits alone, in one case: equal for strings that read the same.

    `between` takes the place of all that is between two words.

    >>> comparison_key("The Daily-News") == comparison_key("the daily news")
    True
    >>> comparison_key("Rain, again – in Bergen!", between=" ")
    'rain again in bergen'
    """
    return _NOT_WORD.sub(between, value).strip().casefold()
