"""What clean HTML may contain, read by the standard library's parser.

It shares neither code nor lists with newsclean, so that a mistake there is seen here.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

TAGS = set(
    "a abbr b blockquote br caption cite code dd del dl dt em figcaption figure h2 h3 h4 h5 h6 i "
    "img ins kbd li mark ol p pre q rp rt rtc ruby s small strong sub sup table tbody td tfoot th "
    "thead tr u ul".split()
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
ADDRESSES = {
    "cite": ("http:", "https:"),
    "href": ("http:", "https:", "mailto:"),
    "src": ("http:", "https:"),
}
NUMBERS = {"start", "colspan", "rowspan", "width", "height"}

#: What browsers leave out of an address before they read its scheme.
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u200b\u2028\u2029\ufeff]")


def violations(html: str) -> list[str]:
    """What clean HTML contains and should not.

    >>> violations("<p>Rain <a href='javascript:x'>now</a></p><script>x</script>")
    ["<a href='javascript:x'>", '<script>']
    """
    parser = AllowListParser()
    parser.feed(html)
    parser.close()
    return parser.found


class AllowListParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.found.append(f"<{tag}>")
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.found.append(f"<{tag}> has an attribute twice")
        for name, value in attrs:
            if name not in ATTRIBUTES.get(tag, ()):
                self.found.append(f"<{tag} {name}>")
            elif name in ADDRESSES:
                address = _IGNORED.sub("", value or "").lower()
                if not address.startswith(ADDRESSES[name]):
                    self.found.append(f"<{tag} {name}={value!r}>")
            elif name in NUMBERS and not re.fullmatch(r"-?\d+", value or ""):
                self.found.append(f"<{tag} {name}={value!r}>")

    def handle_comment(self, data: str) -> None:
        self.found.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.found.append(f"<!{decl}>")

    def unknown_decl(self, data: str) -> None:
        self.found.append(f"<![{data}]>")

    def handle_pi(self, data: str) -> None:
        self.found.append(f"<?{data}>")
