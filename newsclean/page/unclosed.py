"""Tags that nobody closed: what follows them is the page, and not their contents.

The contents of a title, a text field, a script or a comment are characters, up to an end tag. Where
that is missing, browsers and libxml2 take the rest of the page for them; in a `<noscript>`, a list
of choices or an annotation the rest is read, but as something that no reader sees. Here such a tag
is closed before the first tag that cannot be part of it, or left out. A look at the parsed page
finds the few that need it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

    from newsclean.page.columns import Page

#: Their contents are characters up to the end tag.
RAW = frozenset("title textarea script style iframe noframes noembed xmp".split())
#: Of these, those that may be cut off with the page.
CODE = frozenset({"script", "style"})
#: Their contents are read, but hidden.
HIDING = frozenset("noscript select rt rp".split())

#: A page of fewer words may have lost the others to a comment.
MIN_WORDS = 50
#: More than this share of a page's words is not in a box that hides them.
MAX_HIDDEN = 0.5

_OPEN = re.compile(
    rb"<(?:(!--)|(%s)(?=[\s/>])[^>]*>)" % "|".join(sorted(RAW | HIDING)).encode(), re.IGNORECASE
)
_BODY = re.compile(rb"<body[\s>]", re.IGNORECASE)
#: Tags of the page that are not in a title, and hardly ever in a script.
_PAGE_TAG = re.compile(
    rb"(?<![\"'`\\])</?(?:html|head|body|meta|link|base|script|style|div|p|h[1-6]|article|section|main|header|"
    rb"footer|nav|aside|table|tbody|tr|td|ul|ol|li|dl|center|form|img|figure|blockquote)[\s/>]",
    re.IGNORECASE,
)
#: A page that has one was not cut off in the midst of a script.
_LAST_TAG = re.compile(rb"</(?:body|html)\s*>", re.IGNORECASE)
_TEXTAREA = re.compile(rb"<textarea[\s/>]", re.IGNORECASE)
_COMMENT_END = re.compile(rb"--!?>")


def may_be_unclosed(page: Page) -> bool:
    """Whether a tag may have been left open on a page; cheap, and wrong now and then.

    What reaches to the end of the page is its last element, and has tags for its text.
    """
    titles = page.elements("title")
    if titles and "<" in (titles[0].text or ""):
        return True
    last = next((element for element in reversed(page.element) if element is not None), None)
    if last is not None and last.tag in RAW and "</" in (last.text or ""):
        return True
    in_head = [script for script in page.elements("script") if _is_in_head(script)]
    if in_head and "<body" in (in_head[-1].text or ""):
        return True
    words = int(page.words.sum())
    if words < MIN_WORDS:
        return True
    rows = page.rows(HIDING) if any(map(page.elements, HIDING)) else ()
    return len(rows) > 0 and bool((page.subtree(page.words)[rows] > MAX_HIDDEN * words).any())


def _is_in_head(element: etree._Element) -> bool:
    parent = element.getparent()
    return parent is not None and parent.tag == "head"


def close_tags(source: bytes) -> bytes:
    """The page with its unclosed tags closed, or without those that only hide.

    >>> close_tags(b"<title>Rain<meta name=a><body><p>It rains.")
    b'<title>Rain</title><meta name=a><body><p>It rains.'
    >>> close_tags(b"<title>Rain</title><!-- a <b> --><script>a<b</script><p>It rains.")
    b'<title>Rain</title><!-- a <b> --><script>a<b</script><p>It rains.'
    """
    bodies = [found.start() for found in _BODY.finditer(source)]
    body = bodies[0] if len(bodies) == 1 else -1
    is_complete = _LAST_TAG.search(source) is not None
    ends = Ends(source)
    parts: list[bytes] = []
    written = place = 0
    while found := _OPEN.search(source, place):
        place = found.end()
        name = (found[1] or found[2]).lower().decode()
        end = ends.after(name, place)
        if name in HIDING:
            if end < 0:
                parts.append(source[written : found.start()])
                written = place
            continue
        stop = end if end >= 0 else len(source)
        inner = _PAGE_TAG.search(source, place, stop)
        is_open = (end < 0 and (name not in CODE or is_complete)) or place <= body < end
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


class Ends:
    """Where the contents of tags end; each end is looked for once."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.known: dict[str, int] = {}

    def after(self, name: str, place: int) -> int:
        """Where the next end of a tag or comment begins, -1 if there is none."""
        known = self.known.get(name, 0)
        if 0 <= known < place:
            pattern = _COMMENT_END if name == "!--" else _end_tag(name)
            found = pattern.search(self.source, place)
            known = self.known[name] = found.start() if found else -1
        return known


def _end_tag(name: str) -> re.Pattern[bytes]:
    return re.compile(rf"</{name}[\s/>]".encode(), re.IGNORECASE)
