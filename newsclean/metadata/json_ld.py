"""JSON-LD as news sites really write it: parse what can be parsed, find the page's article."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from newsclean.metadata.urls import address

MAX_SCRIPT = 2_000_000  # characters
MAX_SALVAGE = 100_000
MAX_NODES = 5_000
MAX_VALUES = 200
PAGE_KEYS = frozenset({"@graph", "mainEntity", "mainEntityOfPage"})
POSTINGS = frozenset({"Report", "Review", "CriticReview"})

Node = dict[str, object]

_DECODER = json.JSONDecoder(strict=False)  # raw newlines and tabs inside strings are common
_WRAPPING = re.compile(r"<!--|-->|(?:/\*|//)?[ \t]{0,4}(?:<!\[CDATA\[|\]\]>)\s*(?:\*/)?")
_BETWEEN = re.compile(r"[\s;,]*")
_STRING_OR_SLIP = re.compile(
    r'"(?:[^"\\]|\\.)*+"?'  # kept but for its wrong escapes: nothing in a string is a slip
    r"|,(?=\s*[,}\]])"
    r"|/\*.*?(?:\*/|\Z)|//[^\n]*",
    re.S,
)
_WRONG_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.))', re.S)
_PLAIN_FIELD = re.compile(
    r'"(@type|headline|description|datePublished|dateModified|inLanguage)"\s*:\s*'
    r'"(.{1,1000}?)"(?=\s*(?:,\s*"|\}|$))',
    re.S,
)


@dataclass(slots=True)
class LinkedData:
    """The nodes that speak of the page: its article and its WebPage, empty where there is none."""

    article: Node = field(default_factory=dict)
    web_page: Node = field(default_factory=dict)
    web_site: Node = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    by_id: dict[str, Node] = field(default_factory=dict)

    def values(self, value: object) -> Iterator[str | Node]:
        """Yield the strings and nodes of a value that may be one, a list, or a reference.

        Numbers come as strings: an epoch is a date too.
        """
        pending = [value]
        for _ in range(MAX_VALUES):
            if not pending:
                return
            current = pending.pop(0)
            if isinstance(current, list):
                pending[:0] = current[:MAX_VALUES]
            elif isinstance(current, dict):
                reference = current.get("@id")
                known = self.by_id.get(reference) if isinstance(reference, str) else None
                if "@value" in current:
                    pending.insert(0, current["@value"])
                else:
                    yield current if len(current) > 2 or known is None else known
            elif isinstance(current, int | float) and not isinstance(current, bool):
                yield str(current)
            elif isinstance(current, str):
                yield current

    def strings(self, value: object, *keys: str) -> Iterator[str]:
        """Yield the strings of a value; of a node, those under the first of `keys` it has."""
        for item in self.values(value):
            if isinstance(item, str):
                yield item
            else:
                held = next((item[key] for key in keys if item.get(key)), None)
                yield from (text for text in self.values(held) if isinstance(text, str))


def type_names(node: Node) -> list[str]:
    """Return a node's `@type` values as written."""
    written = node.get("@type")
    listed = written if isinstance(written, list) else [written]
    return [name for name in listed[:20] if isinstance(name, str) and name]


def is_article(node: Node) -> bool:
    """Tell whether a node is an article or a subtype of one.

    >>> is_article({"@type": "https://schema.org/ReportageNewsArticle"})
    True
    >>> is_article({"@type": ["WebPage", "FAQPage"]})
    False
    """
    short = [re.split(r"[/#:]", name)[-1] for name in type_names(node)]
    return any(name.endswith(("Article", "Posting")) or name in POSTINGS for name in short) and (
        "JobPosting" not in short
    )


def read_linked_data(scripts: Iterable[str], addresses: Iterable[str | None]) -> LinkedData:
    """Read the scripts of one page; `addresses` are the page's own, to know its article by."""
    data = LinkedData()
    own = {address(url) for url in addresses if url}
    articles: list[tuple[bool, bool, Node]] = []
    for node, about_page in _nodes(parsed for script in scripts for parsed in parse(script)):
        identity = node.get("@id")
        if isinstance(identity, str) and len(node) > 1:
            data.by_id.setdefault(identity, node)
        names = type_names(node)
        if about_page:
            data.types += [name for name in names if name not in data.types]
        if is_article(node):
            matches = bool(own and own & _addresses(node))
            # An article inside a list or another node is a related one, unless it says otherwise.
            if about_page or matches:
                articles.append((matches, about_page, node))
        elif any(name.endswith("Page") for name in names) and not data.web_page and about_page:
            data.web_page = node
        elif any(name.endswith("WebSite") for name in names) and not data.web_site:
            data.web_site = node
    if articles:
        data.article = max(articles, key=lambda found: found[:2])[2]  # the first of the best
    return data


def parse(script: str) -> list[object]:
    """Return the JSON values in a script's text; never raises.

    >>> parse('<!-- {"a": 1,} {"b": "x' + chr(10) + 'y"} -->')
    [{'a': 1}, {'b': 'x\\ny'}]
    """
    if len(script) > MAX_SCRIPT:
        return []
    try:
        return [_DECODER.decode(script)]
    except (ValueError, RecursionError):
        pass
    text = _WRAPPING.sub(" ", script)
    if '"' not in text and "&quot;" in text:
        text = html.unescape(text)
    values, rest = _decode_all(text)
    if not rest:
        return values
    more, rest = _decode_all(_STRING_OR_SLIP.sub(_mended, rest))
    values += more
    if rest and (fields := dict(reversed(_PLAIN_FIELD.findall(rest[:MAX_SALVAGE])))):
        values.append(fields)
    return values


def _decode_all(text: str) -> tuple[list[object], str]:
    """Decode one value after another; return them, and what is left from the first error on."""
    values: list[object] = []
    position = _end_of_gap(text, 0)
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return values, text[position:]
        values.append(value)
        position = _end_of_gap(text, position)
    return values, ""


def _end_of_gap(text: str, position: int) -> int:
    gap = _BETWEEN.match(text, position)
    return gap.end() if gap else position


def _mended(found: re.Match[str]) -> str:
    token = found[0]
    if not token.startswith('"'):
        return ""
    return _WRONG_ESCAPE.sub(lambda e: e[0] if e[1] else e[2], token) if "\\" in token else token


def _nodes(roots: Iterable[object]) -> Iterator[tuple[Node, bool]]:
    """Yield every node, level by level, and whether it speaks of the page itself."""
    pending: list[tuple[object, bool]] = [(root, True) for root in roots]
    for number, (value, about_page) in enumerate(pending):
        if number > MAX_NODES:
            return
        if isinstance(value, list):
            pending += [(item, about_page) for item in value if isinstance(item, dict | list)]
        elif isinstance(value, dict):
            yield value, about_page
            pending += [
                (held, about_page and key in PAGE_KEYS)
                for key, held in value.items()
                if isinstance(held, dict | list)
            ]


def _addresses(node: Node) -> set[str]:
    entity = node.get("mainEntityOfPage")
    if isinstance(entity, dict):
        entity = entity.get("@id") or entity.get("url")
    found = {address(url) for url in (node.get("url"), node.get("@id"), entity)}
    return found - {""}
