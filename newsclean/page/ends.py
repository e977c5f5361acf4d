"""Where libxml2 ends an element and browsers read on: early end tags, and slashes in start tags.

A page that was pasted into another one, an advertisement for instance, brings its own `</body>` and
`</html>`. HTML allows to omit both, so they are taken out where text follows. And browsers ignore
the slash of `<html lang="en"/>` and `<div/>`, where libxml2 ends the page or the box at once.
"""

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from newsclean.page.unclosed import RAW, Ends

# In this form the search has a fixed beginning to look for, and is fast.
_END = re.compile(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])\s*>")
# What is left open reaches to the end, so that the search for an end is not repeated each time.
_NO_TEXT = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*(?:>|\Z)|\s+",
    re.DOTALL | re.IGNORECASE,
)

#: They hold the page, and are never empty.
FRAME = frozenset("html head body".split())
#: SVG and MathML, in which a slash does end a tag.
FOREIGN = frozenset("svg math".split())
#: Tags that may have a slash: those without contents, and what drawings are made of.
EMPTY = FOREIGN.union(
    """
    area base basefont bgsound br col embed frame hr img input keygen link meta param source track
    wbr animate circle ellipse g image line path polygon polyline rect stop use
    """.split()
)
MAX_NAMES = 4
OPENING = 5  # bytes of a tag that tell which it is
_NAME = re.compile(rb"<([a-zA-Z][\w:.-]*+)([\s/>]?)")
# As browsers read it: a slash at the end of a value without quotes belongs to the value. What is
# left open reaches to the end, too.
_START = re.compile(
    rb"<(?P<name>[a-zA-Z][^\s/>]*+)"
    rb"(?:[\s/]*+[^\s/>][^\s/>=]*+"
    rb"(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+))?+)*+"
    rb"(?P<slash>[\s/]*+)(?:>|\Z)"
)
_START_OR_END = re.compile(rb"<(/?[a-zA-Z][^\s/>]*+)")
#: Their contents are not HTML.
_CODE = re.compile(
    rb"<(?:!--|(?:%s)(?=[\s/>]))" % "|".join(sorted(RAW | FOREIGN)).encode(), re.IGNORECASE
)
_SLASH, _TAG_END = b"/>"


class _Slash(NamedTuple):
    """A start tag with a slash: where it begins, and where its slash is."""

    name: str
    start: int
    slash: slice


def as_browsers_read(source: bytes) -> bytes:
    """The page without early end tags, and without slashes that browsers ignore.

    Most pages have none, and come back as they are.

    >>> as_browsers_read(b"<div><body>Buy!</body></div><p>Rain</p></body>")
    b'<div><body>Buy!</div><p>Rain</p>'
    >>> as_browsers_read(b'<html lang="en"/><body/><div/><br/>Rain</div><a href=/x/>Snow</a>')
    b'<html lang="en"><body><div><br/>Rain</div><a href=/x/>Snow</a>'
    """
    return _without_slashes(_END.sub(b"", source) if has_text_after_end_tag(source) else source)


def has_text_after_end_tag(source: bytes) -> bool:
    """Whether there is text after the first end tag of the body or the page.

    >>> has_text_after_end_tag(b"<body><p>Rain</p></body></html><!-- 12 ms -->")
    False
    >>> has_text_after_end_tag(b"<body><div><html>Buy!</html></div><p>Rain</p></body></html>")
    True
    """
    end = _END.search(source)
    return end is not None and bool(_NO_TEXT.sub(b"", source[end.end() :]))


def _without_slashes(source: bytes) -> bytes:
    """The page with all tags open that browsers take for open, outside of code and drawings."""
    slashes = _ignored_slashes(source)
    if not slashes:
        return source
    ignored = {slash.name for slash in slashes}
    code = _code(source, ignored, slashes[-1].start)
    parts: list[bytes] = []
    written = 0
    for _, start, slash in slashes:
        inside = bisect_right(code, (start, len(source))) - 1
        if inside < 0 or code[inside][1] <= start:
            parts.append(source[written : slash.start])
            written = slash.stop
    return b"".join([*parts, source[written:]])


def _ignored_slashes(source: bytes) -> list[_Slash]:
    """The start tags with a slash that are none the less open, wherever they are.

    They hold the page, or it has more end tags of that name than open tags. Else nothing shows
    what they hold, and all that follows them would be in them, link after link and box after box.
    """
    letters = np.frombuffer(source, np.uint8)
    ends = np.flatnonzero((letters[:-1] == _SLASH) & (letters[1:] == _TAG_END)).tolist()
    before = [0, *ends]  # an end has its start after the end before it: no part is read twice
    openings = [source.rfind(b"<", *between) for between in zip(before, ends, strict=False)]
    # Most pages have few kinds of tags with a slash, and all of them may have it.
    kinds = {source[start : start + OPENING] for start in openings}
    if not any(map(_may_be_open, kinds)):
        return []
    found: list[_Slash] = []
    for start, end in zip(openings, ends, strict=True):
        if _may_be_open(source[start : start + OPENING]):
            tag = _START.match(source, start, end + 2)
            if tag and tag.end("slash") == end + 1 and _lower(tag["name"]) not in EMPTY:
                found.append(_Slash(_lower(tag["name"]), start, slice(*tag.span("slash"))))
    if not found:
        return []
    slashed = Counter(slash.name for slash in found)
    tags: Counter[str] = Counter()
    if not FRAME.issuperset(slashed):
        # Of many names, it is faster to count all tags.
        names = b"|".join(re.escape(name.encode("latin-1")) for name in slashed)
        counted = _START_OR_END
        if len(slashed) <= MAX_NAMES:
            counted = re.compile(rb"<(/?(?:%s))(?=[\s/>])" % names, re.IGNORECASE)
        for tag_name, count in Counter(counted.findall(source)).items():
            tags[_lower(tag_name)] += count
    ignored = {
        name
        for name, count in slashed.items()
        if name in FRAME or tags[f"/{name}"] > tags[name] - count
    }
    return [slash for slash in found if slash.name in ignored]


@lru_cache(10_000)
def _may_be_open(opening: bytes) -> bool:
    """Whether the first bytes of a tag are not those of one that may have a slash."""
    found = _NAME.match(opening)
    if not found or (not found[2] and found.end() < len(opening)):  # a string of a script
        return False
    name = _lower(found[1])
    return name not in EMPTY if found[2] else not any(one.startswith(name) for one in EMPTY)


def _code(source: bytes, ignored: set[str], last: int) -> list[tuple[int, int]]:
    """Where comments, scripts, drawings and the like begin and end, up to a place."""
    ends = Ends(source)
    found: list[tuple[int, int]] = []
    place = 0
    while opening := _CODE.search(source, place, last):
        name, place = "!--", opening.end()
        if tag := _START.match(source, opening.start()):
            name, place = _lower(tag["name"]), tag.end()
            if tag["slash"].endswith(b"/") and name not in ignored:
                continue
        end = ends.after(name, place)
        if end < 0 and name == "!--":
            end = len(source)
        if end >= 0:
            found.append((place, end))
            place = end
    return found


def _lower(name: bytes) -> str:
    return name.decode("latin-1").lower()
