"""The JSON-LD of a page, as news sites really write it: parse what can be parsed."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml import etree

MAX_SCRIPT = 2_000_000  # characters
MAX_SALVAGE = 100_000

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
    r'"(@type|headline|description|datePublished|dateModified|inLanguage|articleSection)"\s*:\s*'
    r'"(.{1,1000}?)"(?=\s*(?:,\s*"|\}|$))',
    re.S,
)


@dataclass(frozen=True, slots=True)
class JsonLdScript:
    """One script with JSON-LD."""

    source: str
    #: the JSON values in it
    values: list[object]
    #: whether it is one JSON value as a whole; if not, the values are what could be salvaged
    is_valid: bool


def json_ld_scripts(scripts: Iterable[etree._Element]) -> list[JsonLdScript]:
    """The JSON-LD among a page's `<script>` elements, parsed."""
    return [
        parse_json_ld(script.text or "")
        for script in scripts
        if "ld+json" in (script.get("type") or "").lower()
    ]


def parse_json_ld(source: str) -> JsonLdScript:
    """The JSON values in a script's text; never raises.

    >>> parse_json_ld('<!-- {"a": 1,} {"b": "x' + chr(10) + 'y"} -->').values
    [{'a': 1}, {'b': 'x\\ny'}]
    """
    if len(source) > MAX_SCRIPT:
        return JsonLdScript(source, [], is_valid=False)
    try:
        return JsonLdScript(source, [_DECODER.decode(source)], is_valid=True)
    except (ValueError, RecursionError):
        return JsonLdScript(source, _salvaged(source), is_valid=False)


def _salvaged(source: str) -> list[object]:
    """The values of a script that is not valid JSON."""
    text = _WRAPPING.sub(" ", source)
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
    """The values that follow each other in a text, and what is left from the first error on."""
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
