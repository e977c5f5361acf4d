"""End tags in the middle of a page: browsers read on after them, libxml2 drops what follows.

A page that was pasted into another one, an advertisement for instance, brings its own `</body>` and
`</html>`. HTML allows to omit both, so they are taken out where text follows.
"""

import re

# In this form the search has a fixed beginning to look for, and is fast.
_END = re.compile(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])\s*>")
# What is left open reaches to the end, so that the search for an end is not repeated each time.
_NO_TEXT = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*(?:>|\Z)|\s+",
    re.DOTALL | re.IGNORECASE,
)


def has_text_after_end_tag(source: bytes) -> bool:
    """Whether there is text after the first end tag of the body or the page.

    >>> has_text_after_end_tag(b"<body><p>Rain</p></body></html><!-- 12 ms -->")
    False
    >>> has_text_after_end_tag(b"<body><div><html>Buy!</html></div><p>Rain</p></body></html>")
    True
    """
    end = _END.search(source)
    return end is not None and bool(_NO_TEXT.sub(b"", source[end.end() :]))


def without_early_end_tags(source: bytes) -> bytes:
    """The page without its end tags of body and page, if there is text after them.

    >>> without_early_end_tags(b"<div><body>Buy!</body></div><p>Rain</p></body>")
    b'<div><body>Buy!</div><p>Rain</p>'
    """
    return _END.sub(b"", source) if has_text_after_end_tag(source) else source
