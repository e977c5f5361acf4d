"""End tags in the midst of a page: browsers go on behind them, libxml2 drops what follows.

A page that was pasted into another one, an advertisement for instance, brings its own `</body>` and
`</html>`. Both may be left out anywhere, and so they are where text follows.
"""

import re

# In this form the search has a fixed beginning to look for, and is fast.
_END = re.compile(rb"</(?:[bB][oO][dD][yY]|[hH][tT][mM][lL])\s*>")
# What is left open reaches to the end: so that looking for an end does not begin again each time.
_NO_TEXT = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*(?:>|\Z)|\s+",
    re.DOTALL | re.IGNORECASE,
)


def goes_on(source: bytes) -> bool:
    """Whether text stands behind the first end tag of the body or the page.

    >>> goes_on(b"<body><p>Rain</p></body></html><!-- 12 ms -->")
    False
    >>> goes_on(b"<body><div><html>Buy!</html></div><p>Rain</p></body></html>")
    True
    """
    end = _END.search(source)
    return end is not None and bool(_NO_TEXT.sub(b"", source[end.end() :]))


def without_ends(source: bytes) -> bytes:
    """The page without the end tags behind which it goes on.

    >>> without_ends(b"<div><body>Buy!</body></div><p>Rain</p></body>")
    b'<div><body>Buy!</div><p>Rain</p>'
    """
    return _END.sub(b"", source) if goes_on(source) else source
