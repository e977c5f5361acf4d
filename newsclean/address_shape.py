"""The shape of an address: what the addresses of one kind of page have in common."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

import xxhash

#: Longer shapes end with a hash of what is cut off.
MAX_SHAPE = 60
#: A folder of more words or letters is the name of something, and not of a section.
MAX_FOLDER_WORDS = 2
MAX_FOLDER_LETTERS = 24
#: From this many words on, a segment is a sentence, however long.
MIN_SENTENCE_WORDS = 3

_DATE = re.compile(
    r"(?<!\d)(?:19|20)\d\d([/_.-])(?:0?[1-9]|1[0-2])(?:\1(?:0?[1-9]|[12]\d|3[01]))?(?!\d)"
    r"|(?<!\d)(?:19[89]|20[0-4])\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)"
)
_EXTENSION = re.compile(r"(?<=[^/])\.[a-z][a-z0-9]{1,4}$", re.I)
_JOINTS = re.compile(r"[-_+~., ]+")


def address_shape(url: str) -> str:
    """The shape of an address within its site, in at most `MAX_SHAPE` characters.

    The names of folders stay as they are. The last segment is `w` for a word, `w-w` for two and
    `words` for a sentence; `#` is a number, `id` a mixture of letters and digits, `date` a date.
    Of a query, the names stay.

    >>> address_shape("https://a.org/sport/2026/03/14/who-won-the-cup-4711.html")
    '/sport/date/words-#.html'
    >>> address_shape("https://a.org/tag/bridges/"), address_shape("https://a.org/quote/ABC7?x=1&p=2")
    ('/tag/w/', '/quote/id?p&x')
    >>> address_shape("https://a.org/the-mayor-of-oldbridge/comments-17")
    '/words/w-#'
    >>> address_shape("https://a.org/"), address_shape("http://[")
    ('/', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    path = unquote(parts.path)
    extension = _EXTENSION.search(path)
    stem = path[: extension.start()] if extension else path
    segments = _DATE.sub("\0", stem).split("/")
    last = max((place for place, segment in enumerate(segments) if segment), default=0)
    shape = "/".join(
        _segment_shape(segment, is_folder=place < last) for place, segment in enumerate(segments)
    )
    shape += extension[0].lower() if extension else ""
    names = sorted({pair.partition("=")[0].lower() for pair in parts.query.split("&")} - {""})
    shape = f"{shape or '/'}?{'&'.join(names)}" if names else shape or "/"
    if len(shape) <= MAX_SHAPE:
        return shape
    digest = xxhash.xxh3_64_hexdigest(shape.encode("utf-8", "surrogatepass"))[:8]
    return f"{shape[: MAX_SHAPE - len(digest) - 1]}…{digest}"


def _segment_shape(segment: str, *, is_folder: bool) -> str:
    parts = [part for part in _JOINTS.split(segment) if part]
    kinds = [_part_kind(part) for part in parts]
    if is_folder and set(kinds) == {"w"} and len(kinds) <= MAX_FOLDER_WORDS:
        name = "-".join(parts).lower()
        if len(name) <= MAX_FOLDER_LETTERS:
            return name
    words = kinds.count("w")
    if words < MIN_SENTENCE_WORDS:
        return "-".join(kinds)
    # Numbers inside a sentence are words of it; those at its ends are the article's own.
    ends = [kinds[0] if kinds[0] != "w" else "", kinds[-1] if kinds[-1] != "w" else ""]
    return "-".join(filter(None, (ends[0], "words", ends[1])))


def _part_kind(part: str) -> str:
    if "\0" in part:
        return "date"
    if part.isdecimal():
        return "#"
    return "id" if any(map(str.isdecimal, part)) else "w"
