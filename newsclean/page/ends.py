"""Where libxml2 ends an element and browsers read on: early end tags, and slashes in start tags.

A page that was pasted into another one, an advertisement for instance, brings its own `</body>` and
`</html>`. HTML allows to omit both, so they are taken out where text follows. And browsers ignore
the slash of `<html lang="en"/>` and `<div/>`, where libxml2 ends the page or the box at once.
"""

import re
from collections import Counter

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
_NAME = re.compile(rb"<([a-zA-Z][^\s/>]{0,10}+)")
# As browsers read it: a slash at the end of a value without quotes belongs to the value. What is
# left open reaches to the end, too.
_START = re.compile(
    rb"<(?P<name>[a-zA-Z][^\s/>]*+)"
    rb"(?:[\s/]*+[^\s/>][^\s/>=]*+"
    rb"(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+))?+)*+"
    rb"(?P<slash>[\s/]*+)(?:>|\Z)"
)
_START_OR_END = re.compile(rb"<(/?[a-zA-Z][^\s/>]*+)")
_TAG = re.compile(rb"<!--.*?(?:--!?>|\Z)|<[!?/][^>]*+(?:>|\Z)|" + _START.pattern, re.DOTALL)


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
    ignored = _names_with_ignored_slash(source)
    if not ignored:
        return source
    ends = Ends(source)
    parts: list[bytes] = []
    written = place = 0
    while found := _TAG.search(source, place):
        place = found.end()
        name = _lower(found["name"] or b"")
        has_slash = (found["slash"] or b"").endswith(b"/")
        if has_slash and name in ignored:
            parts.append(source[written : found.start("slash")])
            written, has_slash = found.end("slash"), False
        if name in RAW | FOREIGN and not has_slash:
            place = max(place, ends.after(name, place))
    return b"".join([*parts, source[written:]])


def _names_with_ignored_slash(source: bytes) -> set[str]:
    """The names of tags with a slash that are none the less open.

    They hold the page, or it has more end tags of that name than open tags. Else nothing shows
    what they hold, and all that follows them would be in them, link after link and box after box.
    """
    slashed: Counter[str] = Counter()
    place = 0
    while (end := source.find(b"/>", place)) >= 0:
        start = source.rfind(b"<", place, end)
        place = end + 2
        if start < 0 or not (found := _NAME.match(source, start)) or _lower(found[1]) in EMPTY:
            continue
        if (tag := _START.match(source, start, place)) and tag["slash"].endswith(b"/"):
            slashed[_lower(tag["name"])] += 1
    if not slashed:
        return set()
    tags = Counter(map(_lower, _START_OR_END.findall(source)))
    return {
        name
        for name, count in slashed.items()
        if name in FRAME or tags[f"/{name}"] > tags[name] - count
    }


def _lower(name: bytes) -> str:
    return name.decode("latin-1").lower()
