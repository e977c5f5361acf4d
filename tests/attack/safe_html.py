"""What clean HTML may hold, read by a parser that newsclean does not use.

The lists are written out here: a tag that newsclean came to allow by mistake is not one of them.
"""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urlsplit

TAGS = frozenset(
    """
    a abbr b blockquote br caption cite code dd del dl dt em figcaption figure h2 h3 h4 h5 h6 i img
    ins kbd li mark ol p pre q rp rt rtc ruby s small strong sub sup table tbody td tfoot th
    thead tr u ul
    """.split()
)
ATTRIBUTES = {
    "a": {"href", "rel"},
    "abbr": {"title"},
    "blockquote": {"cite"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
ADDRESSES = {("a", "href"), ("blockquote", "cite"), ("img", "src")}
SCHEMES = frozenset({"http", "https", "mailto"})


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.unsafe: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.unsafe.append(f"<{tag}>")
        for name, value in attrs:
            if name not in ATTRIBUTES.get(tag, set()):
                self.unsafe.append(f"<{tag} {name}>")
            elif (tag, name) in ADDRESSES and urlsplit(value or "").scheme not in SCHEMES:
                self.unsafe.append(f"<{tag} {name}={value!r}>")

    def handle_comment(self, data: str) -> None:
        self.unsafe.append("a comment")

    def handle_decl(self, decl: str) -> None:
        self.unsafe.append("a declaration")

    def unknown_decl(self, data: str) -> None:
        self.unsafe.append("a declaration")

    def handle_pi(self, data: str) -> None:
        self.unsafe.append("a processing instruction")


def unsafe_parts(html: str) -> list[str]:
    """What of this HTML is not in the lists.

    >>> unsafe_parts("<p>Rain <a href='javascript:x'>now</a></p><script>x</script>")
    ["<a href='javascript:x'>", '<script>']
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.unsafe
