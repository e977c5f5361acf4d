"""Pages that show hardly any text until a browser has run their scripts.

Some hold their text in JSON-LD or in the state of a framework: `stated_text` finds it. The JSON is
read as data, nothing is executed, and its text is sanitised like any other text of a page. Others
are application shells, which only a browser can fill: `is_app_shell` tells.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from copy import deepcopy
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from lxml import etree

from newsclean.extraction.page.markup_repair import excess_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newsclean.extraction.page.columns import Page


#: Fewer words than this in blocks of some length are hardly any text.
MAX_SHOWN = 60
MIN_BLOCK_WORDS = 10
#: The text of scripts has at least this many words, and this many times those shown.
_MIN_STATED = 120
_MIN_TIMES = 3
#: A string of fewer words is not prose, unless it is a sentence.
_MIN_PROSE_WORDS = 8
_MIN_SENTENCE_WORDS = 3
#: One string with this share of the characters at its place is the text; else all of them are.
_WHOLE_SHARE = 0.6
_MAX_SCRIPT = 5_000_000  # characters, of all scripts together
_MAX_VALUES = 300_000
_MAX_PARAGRAPHS = 5000
#: Maximum values of one script that are not JSON: for each, all before it is read again.
_MAX_FAILURES = 100
_MAX_ENDING = 300  # characters

_JSON_LD, _STATE = "json-ld", "state"

_DECODER = json.JSONDecoder(strict=False)
_ASSIGNED = re.compile(
    r"(?:window|self|globalThis)(?:\.\w{1,80}|\[[\"'][^\"']{1,80}[\"']\])\s?=\s?"
)
#: The end of a sentence, and what may follow it: quotes, brackets, end tags.
_SENTENCE_END = re.compile(r"[.!?…。！？؟।][\"'”’»)\]]{0,3}(?:\s|</?\w{1,20}>){0,10}$")
#: A string that begins so continues the one before it: an editor has split them at a link.
_GOES_ON = re.compile(r"[\s,.;:!?)]")
_PARSED = re.compile(r"JSON\.parse\(\s?(?=\")")
#: Characters that a tree cannot hold.
_XML_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

# Application shells. Sizes are bytes of UTF-8: a Chinese character counts as three letters.

#: A page that shows less content than this is empty.
_HARDLY_ANY = 200
#: A page on which an element waits for its scripts may show this much of its frame …
_MAX_FRAME = 1_000
#: … and this much in its menus and footers: a longer text is content, whatever its tag.
_MAX_AROUND = 3_000
#: A link with a shorter text is an entry of a menu, not a headline.
_MIN_HEADLINE = 20

_MENUS = frozenset({"nav", "footer"})
#: Ids of the elements that frameworks fill.
_ROOTS = frozenset(
    "root app main-app app-root react-root __next __nuxt ___gatsby svelte q-app ember-app".split()
)
#: Elements inside one that still waits for its content.
_WAITING = frozenset({"script", "style", "noscript", "template", "svg", "link"})
#: Types of scripts that are run.
_RUN_TYPES = frozenset({"", "module", "text/javascript", "application/javascript"})


class _StatedText(NamedTuple):
    """Text that a page does not show, and where it is."""

    source: str
    #: plain, or HTML
    texts: list[str]


def stated_text(scripts: Iterable[etree._Element], shown: int) -> _StatedText | None:
    """Return the long text in a page's scripts; `shown` is the number of words that it shows."""
    enough = max(_MIN_STATED, _MIN_TIMES * shown)
    left = _MAX_SCRIPT
    states: list[object] = []
    for script in scripts:
        source = script.text or ""
        kind = (script.get("type") or "").lower()
        left -= len(source)
        if left < 0:
            break
        if "ld+json" in kind:
            bodies = [text for path, text in _strings(_decoded(source)) if _is_body(path)]
            if bodies and _words(longest := max(bodies, key=len)) >= enough:
                return _StatedText(_JSON_LD, [longest])
        elif len(source) >= enough * 4:
            states += [_decoded(source)] if "json" in kind else _assigned(source)
    texts = _longest_place(states)
    return _StatedText(_STATE, texts) if sum(map(_words, texts)) >= enough else None


def with_stated_text(root: etree._Element, stated: _StatedText) -> etree._Element:
    """Return a copy of the tree that shows the text, as the page's scripts would."""
    copy = deepcopy(root)
    body = copy.find("body")
    article = etree.SubElement(copy if body is None else body, "article")
    for text in stated.texts:
        text = _XML_UNFIT.sub("", text)
        if "<" in text and ">" in text and (parts := _parsed(text)):
            article.extend(parts)
            continue
        for line in text.split("\n")[:_MAX_PARAGRAPHS]:
            if line.strip():
                etree.SubElement(article, "p").text = line
    return copy


def _parsed(text: str) -> list[etree._Element]:
    """Parse HTML, a whole page or a part of one; nothing if it is too complex."""
    source = f"<html><body>{text}".encode()
    if excess_of(source):
        return []
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:
        return []
    parts = [] if root is None else list(root)
    for part in parts:
        part.tag = "div"
    return parts


def _decoded(source: str) -> object:
    try:
        return _DECODER.decode(source.strip())
    except (ValueError, RecursionError):
        return None


def _assigned(source: str) -> list[object]:
    """Return the JSON values that a script assigns to global names."""
    found: list[object] = []
    end = failures = 0
    for match in _ASSIGNED.finditer(source):
        start = match.end()
        parsed = _PARSED.match(source, start)
        start = parsed.end() if parsed else start
        if start < end or source[start : start + 1] not in ("{", "[", '"'):
            continue
        try:
            value, end = _DECODER.raw_decode(source, start)
        except (ValueError, RecursionError):
            end = start + 1
            failures += 1
            if failures == _MAX_FAILURES:
                break
            continue
        found.append(_decoded(value) if isinstance(value, str) else value)
    return found


def _strings(value: object) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the strings of a JSON value in order, each with its path without list positions."""
    pending: list[tuple[tuple[str, ...], object]] = [((), value)]
    for _ in range(_MAX_VALUES):
        if not pending:
            return
        path, current = pending.pop()
        if isinstance(current, str):
            yield path, current
        elif isinstance(current, list):
            pending += [(path, item) for item in reversed(current)]
        elif isinstance(current, dict):
            pending += [((*path[-20:], str(key)), item) for key, item in reversed(current.items())]


def _is_body(path: tuple[str, ...]) -> bool:
    return bool(path) and path[-1] == "articleBody"


def _words(text: str) -> int:
    return len(text.split())


def _longest_place(states: list[object]) -> list[str]:
    """Return the prose at the path that has most of it."""
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for state in states:
        for path, text in _strings(state):
            places[path].append(text)
    texts = max(places.values(), key=_prose, default=[])
    if not _prose(texts):
        return []
    texts = list(dict.fromkeys(_joined(texts)))  # states repeat themselves
    longest = max(texts, key=len)
    if len(longest) >= _WHOLE_SHARE * sum(map(len, texts)) or _words(longest) >= _MIN_STATED:
        return [longest]
    return texts[:_MAX_PARAGRAPHS]


def _prose(texts: list[str]) -> int:
    """Count the characters of the texts that are prose."""
    return sum(len(text) for text in texts if _is_prose(text))


def _is_prose(text: str) -> bool:
    words = _words(text)
    return words >= _MIN_PROSE_WORDS or (
        words >= _MIN_SENTENCE_WORDS and _SENTENCE_END.search(text[-_MAX_ENDING:]) is not None
    )


def _joined(texts: Iterable[str]) -> list[str]:
    """Join the pieces of paragraphs that an editor has split.

    >>> _joined(["It rained, said", " Ann Lee", ". Nobody ", "laughed.", "Snow fell."])
    ['It rained, said Ann Lee. Nobody laughed.', 'Snow fell.']
    """
    paragraphs: list[list[str]] = []
    ended = True
    for text in texts:
        if not ended or (paragraphs and _GOES_ON.match(text)):
            paragraphs[-1].append(text)
        else:
            paragraphs.append([text])
        ended = not text[-1:].isspace()
    return ["".join(pieces) for pieces in paragraphs]


class _ShownText(NamedTuple):
    """How much text a page shows without scripts."""

    #: as content, which includes headlines that are links, but no menus
    content: int = 0
    #: in menus and footers, without their links
    around: int = 0
    #: in `<noscript>`: a notice, or all that the page says
    instead: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether the page is certainly no shell."""
        return (
            self.content >= _MAX_FRAME or self.around >= _MAX_AROUND or self.instead >= _MAX_FRAME
        )


def is_app_shell(page: Page) -> bool:
    """Return whether the content of a page is still to be made by its scripts.

    The page has scripts, and shows fewer than `_HARDLY_ANY` bytes of content, or fewer than
    `_MAX_FRAME` if an element waits to be filled or the page asks for JavaScript. A list of
    headlines is content; so is a long text in JSON-LD or in the state of its scripts.

    >>> from newsclean.extraction.page import Page
    >>> is_app_shell(Page.from_html("<div id=root></div><script src=/app.js></script>"))
    True
    >>> is_app_shell(Page.from_html("<div id=root></div>"))
    False
    """
    if page.text_source:  # its text was found in a script
        return False
    shown = _shown_text(page)
    if shown.is_enough or not any(map(_is_run, page.elements("script"))):
        return False
    return shown.content < _HARDLY_ANY or _has_waiting_element(page) or _asks_for_scripts(page)


def _shown_text(page: Page) -> _ShownText:
    noscript = page.below(page.rows(frozenset({"noscript"})))
    menus = page.below(page.rows(_MENUS)) & ~noscript
    sizes = np.zeros(len(page), dtype=np.int64)
    sizes[page.text_rows] = [
        len(text.strip().encode("utf-8", "replace")) for text in page.text.values()
    ]
    # All texts of a link together: a headline may consist of several.
    of_link = np.bincount(page.link[page.in_link], sizes[page.in_link], minlength=len(page))
    is_label = page.in_link & (of_link[page.link] < _MIN_HEADLINE)
    return _ShownText(
        content=int(sizes[~noscript & ~menus & ~is_label].sum()),
        around=int(sizes[menus & ~page.in_link].sum()),
        instead=int(sizes[noscript].sum()),
    )


def _is_run(script: etree._Element) -> bool:
    return (script.get("type") or "").strip().lower() in _RUN_TYPES


def _has_waiting_element(page: Page) -> bool:
    """Return whether an element for a framework to fill is empty."""
    other = ~page.tagged(_WAITING)  # includes texts
    is_empty = page.subtree(other) - other == 0
    elements = (page.element[row] for row in np.flatnonzero(is_empty).tolist())
    return any(element is not None and _is_root(element) for element in elements)


def _is_root(element: etree._Element) -> bool:
    """Return whether a framework fills this element: by its id, or as a custom element."""
    if (element.get("id") or "").lower() in _ROOTS:
        return True
    parent = element.getparent()
    return "-" in element.tag and parent is not None and parent.tag == "body"


def _asks_for_scripts(page: Page) -> bool:
    """Return whether the page asks for JavaScript in a `<noscript>`."""
    noscript = page.below(page.rows(frozenset({"noscript"})))
    return any("javascript" in text.lower() for row, text in page.text.items() if noscript[row])
