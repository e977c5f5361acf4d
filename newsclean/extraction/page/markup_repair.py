"""Repair the markup of a page as browsers do, where libxml2 would lose its text.

In the order in which a page passes: end tags of the page in its midst, slashes that close no tag,
pages too complex to parse, and tags that nobody closed. Pages are bytes of UTF-8.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from lxml import etree

if TYPE_CHECKING:
    from newsclean.extraction.page.columns import Page

#: Tags whose contents are characters up to the end tag.
_RAW = frozenset("title textarea script style iframe noframes noembed xmp".split())
#: Of these, those that may be cut off with the page.
_CODE = frozenset({"script", "style"})
#: Tags whose contents are read, but hidden.
_HIDING = frozenset("noscript select rt rp".split())
#: Tags that hold the page, and are never empty.
_FRAME = frozenset("html head body".split())
#: SVG and MathML, in which a slash does end a tag.
_FOREIGN = frozenset("svg math".split())
#: Tags that may have a slash: those without contents, and those of drawings.
_EMPTY = _FOREIGN.union(
    """
    area base basefont bgsound br col embed frame hr img input keygen link meta param source track
    wbr animate circle ellipse g image line path polygon polyline rect stop use
    """.split()
)

#: Limits of a page: of 1,874 pages in five collections none has more than 15,793 elements, or 136
#: attributes on one.
MAX_ELEMENTS = 500_000
_MAX_ATTRIBUTES = 500
_MIN_TAG = len(b"<b>")

#: Up to this many tag names are counted by name; beyond that it is faster to count all tags.
_MAX_NAMES = 4
_OPENING = 5  # bytes of a tag that show which it is

#: A page of fewer words may have lost the others to a comment.
_MIN_WORDS = 50
#: An element that hides more than this share of a page's words was left open.
_MAX_HIDDEN = 0.5

# In the patterns, what is left open reaches to the end of the page, so that the search for its end
# is not repeated for each beginning.

# Without IGNORECASE the search has a fixed beginning to look for, and is fast.
_END = re.compile(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])\s*>")
_NO_TEXT = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*(?:>|\Z)|\s+",
    re.DOTALL | re.IGNORECASE,
)
_NAME = re.compile(rb"<([a-zA-Z][\w:.-]*+)([\s/>]?)")
# As in browsers, a slash at the end of a value without quotes belongs to the value.
_START = re.compile(
    rb"<(?P<name>[a-zA-Z][^\s/>]*+)"
    rb"(?:[\s/]*+[^\s/>][^\s/>=]*+"
    rb"(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+))?+)*+"
    rb"(?P<slash>[\s/]*+)(?:>|\Z)"
)
_START_OR_END = re.compile(rb"<(/?[a-zA-Z][^\s/>]*+)")
#: Where contents begin that are not HTML.
_NO_HTML = re.compile(
    rb"<(?:!--|(?:%s)(?=[\s/>]))" % "|".join(sorted(_RAW | _FOREIGN)).encode(), re.IGNORECASE
)
_SLASH, _TAG_END = b"/>"
# Wherever a tag may begin, in a script or a comment too. A long name or value counts as several
# attributes, so that no attempt goes on for long.
_MANY_ATTRIBUTES = re.compile(
    rb"<[a-zA-Z][^\s/>]{0,40}+(?:[\s/]*+[^\s/>][^\s/>=]{0,39}+"
    rb"(?:=\"[^\"]*+\"|\s*+=\s*+(?:\"[^\"]*+\"?+|'[^']*+'?+|[^\s>]{0,40}+))?+){%d}+"
    % _MAX_ATTRIBUTES
)
_OPEN = re.compile(
    rb"<(?:(!--)|(%s)(?=[\s/>])[^>]*>)" % "|".join(sorted(_RAW | _HIDING)).encode(), re.IGNORECASE
)
_BODY = re.compile(rb"<body[\s>]", re.IGNORECASE)
#: Tags of the page that are not in a title, and hardly ever in a script.
_PAGE_TAG = re.compile(
    rb"(?<![\"'`\\])</?(?:html|head|body|meta|link|base|script|style|div|p|h[1-6]|article|section|main|header|"
    rb"footer|nav|aside|table|tbody|tr|td|ul|ol|li|dl|center|form|img|figure|blockquote)[\s/>]",
    re.IGNORECASE,
)
#: A page that has one was not cut off in the midst of a script.
#: A page with one of these was not cut off in the midst of a script.
_LAST_TAG = re.compile(rb"</(?:body|html)\s*>", re.IGNORECASE)
_TEXTAREA = re.compile(rb"<textarea[\s/>]", re.IGNORECASE)
_COMMENT_END = re.compile(rb"--!?>")


def as_browsers_read(source: bytes) -> bytes:
    """Return the page without early end tags, and without slashes that browsers ignore.

    A page that was pasted into another one, an advertisement for instance, brings its own `</body>`
    and `</html>`; HTML allows to omit both, so they are removed if text follows. libxml2 ends the
    page at the slash of `<html lang="en"/>` and the box at that of `<div/>`; browsers do not.

    >>> as_browsers_read(b"<div><body>Buy!</body></div><p>Rain</p></body>")
    b'<div><body>Buy!</div><p>Rain</p>'
    >>> as_browsers_read(b'<html lang="en"/><body/><div/><br/>Rain</div><a href=/x/>Snow</a>')
    b'<html lang="en"><body><div><br/>Rain</div><a href=/x/>Snow</a>'
    """
    return _without_slashes(_END.sub(b"", source) if has_text_after_end_tag(source) else source)


def has_text_after_end_tag(source: bytes) -> bool:
    """Return whether text follows the first end tag of the body or the page.

    >>> has_text_after_end_tag(b"<body><p>Rain</p></body></html><!-- 12 ms -->")
    False
    >>> has_text_after_end_tag(b"<body><div><html>Buy!</html></div><p>Rain</p></body></html>")
    True
    """
    end = _END.search(source)
    return end is not None and bool(_NO_TEXT.sub(b"", source[end.end() :]))


def _without_slashes(source: bytes) -> bytes:
    """Open all tags that are open for browsers, outside of code and drawings."""
    slashes = _ignored_slashes(source)
    if not slashes:
        return source
    ignored = {slash.name for slash in slashes}
    no_html = _no_html(source, ignored, slashes[-1].start)
    parts: list[bytes] = []
    written = 0
    for _, start, slash in slashes:
        inside = bisect_right(no_html, (start, len(source))) - 1
        if inside < 0 or no_html[inside][1] <= start:
            parts.append(source[written : slash.start])
            written = slash.stop
    return b"".join([*parts, source[written:]])


class _Slash(NamedTuple):
    """A start tag with a slash: where it begins, and where its slash is."""

    name: str
    start: int
    slash: slice


def _ignored_slashes(source: bytes) -> list[_Slash]:
    """Return the start tags that are open in spite of their slash.

    They hold the page, or the page has more end tags of that name than open tags. Of other tags
    nothing shows where they end, and all that follows would be inside of them.
    """
    letters = np.frombuffer(source, np.uint8)
    ends = np.flatnonzero((letters[:-1] == _SLASH) & (letters[1:] == _TAG_END)).tolist()
    before = [0, *ends]  # a tag starts after the end of the one before: no part is read twice
    openings = [source.rfind(b"<", *between) for between in zip(before, ends, strict=False)]
    # Most pages have few kinds of tags with a slash, none of them to be repaired.
    kinds = {source[start : start + _OPENING] for start in openings}
    if not any(map(_may_be_open, kinds)):
        return []
    found: list[_Slash] = []
    for start, end in zip(openings, ends, strict=True):
        if _may_be_open(source[start : start + _OPENING]):
            tag = _START.match(source, start, end + 2)
            if tag and tag.end("slash") == end + 1 and _lower(tag["name"]) not in _EMPTY:
                found.append(_Slash(_lower(tag["name"]), start, slice(*tag.span("slash"))))
    if not found:
        return []
    slashed = Counter(slash.name for slash in found)
    tags: Counter[str] = Counter()
    if not _FRAME.issuperset(slashed):
        names = b"|".join(re.escape(name.encode("latin-1")) for name in slashed)
        counted = _START_OR_END
        if len(slashed) <= _MAX_NAMES:
            counted = re.compile(rb"<(/?(?:%s))(?=[\s/>])" % names, re.IGNORECASE)
        for tag_name, count in Counter(counted.findall(source)).items():
            tags[_lower(tag_name)] += count
    ignored = {
        name
        for name, count in slashed.items()
        if name in _FRAME or tags[f"/{name}"] > tags[name] - count
    }
    return [slash for slash in found if slash.name in ignored]


@lru_cache(10_000)
def _may_be_open(opening: bytes) -> bool:
    """Return whether a tag that begins with these bytes may be open in spite of a slash."""
    found = _NAME.match(opening)
    if not found or (not found[2] and found.end() < len(opening)):  # a string of a script
        return False
    name = _lower(found[1])
    return name not in _EMPTY if found[2] else not any(one.startswith(name) for one in _EMPTY)


def _no_html(source: bytes, ignored: set[str], last: int) -> list[tuple[int, int]]:
    """Return where comments, scripts, drawings and the like begin and end, up to a place."""
    ends = _Ends(source)
    found: list[tuple[int, int]] = []
    place = 0
    while opening := _NO_HTML.search(source, place, last):
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


def excess_of(source: bytes) -> str | None:
    """Return what a page has too much of, None if it may be parsed.

    Time and memory grow with the size of a page, with two exceptions: libxml2 takes time by the
    square of the attributes of one tag, and a page of hardly anything but tags takes a hundred
    times its size in memory. On the few pages that may be such, the parser counts both without
    building a tree.

    >>> excess_of(b"<p>It has rained")
    >>> excess_of(b"<p " + b" ".join(b"a%d" % n for n in range(600)) + b">It has rained")
    'more than 500 attributes on one <p>'
    """
    many_elements = len(source) > _MIN_TAG * MAX_ELEMENTS and source.count(b"<") > MAX_ELEMENTS
    if not many_elements and not _MANY_ATTRIBUTES.search(source):
        return None
    counter = _Counter()
    target: Any = counter  # the other methods of a target are optional
    parser = etree.HTMLParser(recover=True, huge_tree=True, encoding="utf-8", target=target)
    # Broken pages are reported when they are parsed.
    with suppress(etree.XMLSyntaxError, _TooComplexError):
        etree.fromstring(source, parser)
    return counter.excess


class _TooComplexError(Exception):
    """Stop the parser."""


class _Counter:
    """Counts the tags that the parser finds."""

    def __init__(self) -> None:
        self.elements = 0
        self.excess: str | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if len(attributes) > _MAX_ATTRIBUTES:
            self.excess = f"more than {_MAX_ATTRIBUTES:,} attributes on one <{tag[:20]}>"
        elif self.elements > MAX_ELEMENTS:
            self.excess = f"more than {MAX_ELEMENTS:,} elements"
        if self.excess:
            raise _TooComplexError

    def close(self) -> None:
        """Do nothing; the parser requires the method."""


def may_be_unclosed(page: Page) -> bool:
    """Return whether a tag may have been left open on a page: a cheap, rough check.

    An element that reaches to the end of the page is its last one, and has tags in its text.
    """
    titles = page.elements("title")
    if titles and "<" in (titles[0].text or ""):
        return True
    last = next((element for element in reversed(page.element) if element is not None), None)
    if last is not None and last.tag in _RAW and "</" in (last.text or ""):
        return True
    in_head = [script for script in page.elements("script") if _is_in_head(script)]
    if in_head and "<body" in (in_head[-1].text or ""):
        return True
    words = int(page.words.sum())
    if words < _MIN_WORDS:
        return True
    rows = page.rows(_HIDING) if any(map(page.elements, _HIDING)) else ()
    return len(rows) > 0 and bool((page.subtree(page.words)[rows] > _MAX_HIDDEN * words).any())


def _is_in_head(element: etree._Element) -> bool:
    parent = element.getparent()
    return parent is not None and parent.tag == "head"


def close_tags(source: bytes) -> bytes:
    """Close unclosed tags of a page, and remove those that only hide.

    The contents of a title, a text field, a script or a comment are characters up to an end tag. If
    that is missing, browsers and libxml2 take the rest of the page for them; in a `<noscript>`, a
    list of choices or an annotation the rest is read, but hidden. Such a tag is closed before the
    first tag that cannot be part of it, or removed.

    >>> close_tags(b"<title>Rain<meta name=a><body><p>It rains.")
    b'<title>Rain</title><meta name=a><body><p>It rains.'
    >>> close_tags(b"<title>Rain</title><!-- a <b> --><script>a<b</script><p>It rains.")
    b'<title>Rain</title><!-- a <b> --><script>a<b</script><p>It rains.'
    """
    bodies = [found.start() for found in _BODY.finditer(source)]
    body = bodies[0] if len(bodies) == 1 else -1
    is_complete = _LAST_TAG.search(source) is not None
    ends = _Ends(source)
    parts: list[bytes] = []
    written = place = 0
    while found := _OPEN.search(source, place):
        place = found.end()
        name = (found[1] or found[2]).lower().decode()
        end = ends.after(name, place)
        if name in _HIDING:
            if end < 0:
                parts.append(source[written : found.start()])
                written = place
            continue
        stop = end if end >= 0 else len(source)
        inner = _PAGE_TAG.search(source, place, stop)
        is_open = (end < 0 and (name not in _CODE or is_complete)) or place <= body < end
        if name in ("title", "textarea") and not is_open:
            is_open = inner is not None and (
                name == "title" or _TEXTAREA.search(source, place, stop) is not None
            )
        if inner and is_open:
            place = inner.start()
            parts += source[written:place], b"-->" if name == "!--" else f"</{name}>".encode()
            written = place
        elif end < 0:
            break
        else:
            place = end
    return b"".join([*parts, source[written:]])


class _Ends:
    """Where the contents of tags end; each end is searched once."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.known: dict[str, int] = {}

    def after(self, name: str, place: int) -> int:
        """Return where the next end of a tag or comment begins, -1 if there is none."""
        known = self.known.get(name, 0)
        if 0 <= known < place:
            pattern = _COMMENT_END if name == "!--" else _end_tag(name)
            found = pattern.search(self.source, place)
            known = self.known[name] = found.start() if found else -1
        return known


def _end_tag(name: str) -> re.Pattern[bytes]:
    return re.compile(rf"</{name}[\s/>]".encode(), re.IGNORECASE)
