"""What Markdown would read as markup, written so that it is read as it is."""

from __future__ import annotations

import re

#: Schemes of links and pictures; the HTML was sanitised before, which is not relied on.
SAFE_URL = re.compile(r"(?:https?://|mailto:)", re.I)

ESCAPE = r"\\\g<0>"
_SPECIAL = re.compile(r"[\\`*\[\]<~]|&(?=[#\w]|\Z)|(?<![^\W_])_|_(?![^\W_])")
#: What begins a heading, a quote, a table, a list, or underlines a heading or a table's head.
_BLOCK_START = re.compile(r"[#>|]|[-+](?:\s|\Z)|:?-+:?\s*\Z|=+\s*\Z")
_NUMBERED = re.compile(r"([0-9]{1,9})[.)](?:\s|\Z)")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_PLAIN_URL = re.compile(r"[^\s()<>\\\x00-\x1f\x7f]+\Z")
_NOT_IN_URL = re.compile(r"[\s\x00-\x1f\x7f]")
_NOT_IN_BRACKETS = re.compile(r"[\\<>]")
_BACKTICKS = re.compile("`+")


def escaped(text: str) -> str:
    """Words that may be anywhere in a line.

    >>> print(escaped("5 * 6 [of snake_case] &amp; _x_"))
    5 \\* 6 \\[of snake_case\\] \\&amp; \\_x\\_
    """
    return _SPECIAL.sub(ESCAPE, text)


def paragraph(text: str) -> str:
    """Inline Markdown as a paragraph: no line of it begins a list, a heading or a quote.

    >>> paragraph("1. May")
    '1\\\\. May'
    """
    return "\n".join(map(_protected, text.split("\n")))


def _protected(line: str) -> str:
    if numbered := _NUMBERED.match(line):
        return f"{numbered[1]}\\{line[numbered.end(1) :]}"
    return f"\\{line}" if _BLOCK_START.match(line) else line


def safe_url(url: str | None) -> str | None:
    """An address as Markdown writes it, None if it is not one that a reader may follow."""
    if not url or not SAFE_URL.match(url):
        return None
    url = _NOT_IN_URL.sub(
        lambda found: f"%{ord(found[0]):02X}" if found[0] < "\x80" else "%20", url
    )
    if not _PLAIN_URL.match(url):
        url = f"<{_NOT_IN_BRACKETS.sub(ESCAPE, url)}>"
    return _ENTITY.sub(ESCAPE, url)


def code_span(text: str) -> str:
    """A code span, whatever backticks are in it.

    >>> print(code_span("a`b"), code_span("`"))
    ``a`b`` `` ` ``
    """
    fence = "`" * (longest_backticks(text) + 1)
    # One space at each end is taken off again.
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{space}{text}{space}{fence}"


def longest_backticks(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)
