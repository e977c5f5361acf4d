"""Comments of readers by their structure, in any language: lines that name who wrote when.

"Posted by Ann, 3 March 2024 9:15", "~ann [2024-03-03 09:15]" and a name above a line with date and
time have nothing in common but their shape: short lines in elements alike, each with a date, a time
of day and a person, and between them text. After an article, three such lines by three people are
comments. What says "posted by" is not known: it is what most lines of the series share.

An interview has names without times, a live blog times without names or of few people, a page of
letters is signed without a time of day; these stay.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.extraction.metadata.dates import is_date_word, is_relative_day, month_named
from newsclean.extraction.metadata.page_sources import read_linked_data
from newsclean.extraction.text import count_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.methods.hybrid.context import BlockContext
    from newsclean.extraction.page.columns import Mask

#: A series has at least this many lines, by as many people.
_MIN_LINES = 3
#: Of its lines at least this share names somebody, and of these names this share is different: few
#: reporters write the many entries of a live blog.
_MIN_NAMED = 0.5
_MIN_DIFFERENT = 0.25
#: Words and characters of a line at most, digits at least.
_MAX_LINE_WORDS = 16
_MAX_LINE = 140
_MIN_DIGITS = 3
#: Words and characters of a name, and words of one in a line of its own.
_MAX_NAME_WORDS = 5
_MAX_NAME = 40
_MAX_OWN_WORDS = 3
#: Lines beside the one with the time, in which the name may be; of them this share is alike.
_BESIDE = (-1, 1, -2)
_MIN_BESIDE = 0.7
#: Words that are on more than this share of the lines are not part of a name.
_MAX_SHARED = 0.5
#: Words between two lines of the series, in the median.
_MIN_BETWEEN = 5
#: Words of the article before the series.
_MIN_WORDS_BEFORE = 50
#: Of the text before the series, this share in boxes signed alike makes the page a thread.
_MIN_SIGNED = 1 / 3
#: What a page of posts declares itself to be, and the ends of the names of articles.
_THREADS = frozenset({"DiscussionForumPosting", "QAPage"})
_ARTICLES = ("Article", "Posting")

#: Lines in these are headlines: of the entries of a live blog, or of other articles.
_HEADLINES = frozenset({"h1", "h2", "h3"})

#: 9:15, 9h15, 9시 15; and 09.15, unless it is a price as in "EUR 09.15".
_CLOCK = re.compile(
    r"(?<![\d.:])(?:(\d{1,2})(?:[:h]|[时時点點시] ?)"
    r"|(?<![$€£¥₹])(?<![A-Z]{3})(?<![A-Z]{3}\s)(\d\d)\.)"
    r"(\d\d)(?![.\d]*\d)"
)
_MAX_HOUR, _MAX_MINUTE = 23, 59
#: A year, 3.4.24, or a month as China, Japan and Korea write it.
_DATE = re.compile(r"(?<!\d)(?:\d{4}(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d\d(?!\d))|\d[月월]")
_WORD = re.compile(r"[^\W\d_][^\s\d]*")
_NUMBER = re.compile(r"\d+")
_SIGNS = ".,:;|()[]{}«»„“”\"'-–—•·~/"
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？")


def comments(context: BlockContext, chosen: Mask) -> Mask:
    """Return which of the chosen blocks are comments, or come after them."""
    found = np.zeros(len(context), dtype=bool)
    lines = _lines_with_time(context, chosen)
    if len(lines) < _MIN_LINES or any("LiveBlogPosting" in it.source for it in context.json_ld):
        return found
    words = context.words * chosen
    named = [
        (series, offset)
        for series in _series(context, lines)
        if (offset := _place_of_names(context, series)) is not None
    ]
    if not named or _is_thread(context, min(series for series, _ in named), words):
        return found
    for series, offset in named:
        start = _start(context, series, words) + min(offset, 0)
        end = _end(context, series)
        found[start:end] |= chosen[start:end]
        # After a list amid the article, the article goes on in elements like those before it.
        own = context.slots[:start][chosen[:start]]
        found[end:] |= chosen[end:] & ~np.isin(context.slots[end:], own)
    return found


def _lines_with_time(context: BlockContext, chosen: Mask) -> list[int]:
    """Return the short lines with a date and a time of day, if chosen text follows the first."""
    if not chosen.any():
        return []
    words = context.words * chosen
    is_after = np.cumsum(words) - words >= _MIN_WORDS_BEFORE
    blocks = np.flatnonzero(is_after & _is_short(context))
    if len(blocks) < _MIN_LINES or not chosen[blocks[0] :].any():
        return []
    return _with_time(context, blocks.tolist())


def _is_short(context: BlockContext) -> Mask:
    digits = context.letters["digits"] * context.lengths
    short: Mask = (digits >= _MIN_DIGITS) & (context.words <= _MAX_LINE_WORDS)
    return short


def _with_time(context: BlockContext, blocks: Iterable[int]) -> list[int]:
    texts = context.page.blocks.text
    return [block for block in blocks if _has_time(texts[block])]


def _has_time(line: str) -> bool:
    """Return whether a line has a date and one time of day; two are those of a programme.

    >>> _has_time("~ann [2024-03-03 09:15]"), _has_time("Ann, 3 marca 9:15"), _has_time("Ann, 9:15")
    (True, True, False)
    >>> _has_time("Ann, wczoraj, 9:15")
    True
    """
    clocks = _CLOCK.findall(line) if len(line) <= _MAX_LINE else []
    if len(clocks) != 1:
        return False
    hour, dotted_hour, minute = clocks[0]
    if int(hour or dotted_hour) > _MAX_HOUR or int(minute) > _MAX_MINUTE:
        return False
    if _DATE.search(line):
        return True
    words = [word.strip(_SIGNS) for word in _WORD.findall(line)]
    return any(month_named(word) or is_relative_day(word) for word in words)


def _series(context: BlockContext, lines: Iterable[int]) -> Iterator[list[int]]:
    """Yield the lines in elements alike: of one tag and class, or in parents of one tag and class.

    The class of every other comment may differ: `odd`, `by-author`.
    """
    alike: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for block in lines:
        kind, outer = _kind(context, block), _kind(context, block, above=1)
        if kind[0] not in _HEADLINES:
            alike[kind].append(block)
            alike["", kind[0], *outer].append(block)
    for series in alike.values():
        if len(series) >= _MIN_LINES and _words_between(context, series) >= _MIN_BETWEEN:
            yield series


def _kind(context: BlockContext, block: int, above: int = 0) -> tuple[str, str]:
    """Return the tag and the class, without numbers, of the element around a block or above it."""
    branches, page = context.branches, context.page
    branch = int(branches.of_block[0, block])
    for _ in range(above):
        branch = max(int(branches.parent[branch]), 0)
    row = int(branches.row[branch])
    element: Any = page.element[row]
    return page.tag[row], _NUMBER.sub("", element.get("class") or "")


def _words_between(context: BlockContext, series: Sequence[int]) -> float:
    total = context.before[2]
    return median(float(total[b] - total[a + 1]) for a, b in pairwise(series))


def _place_of_names(context: BlockContext, series: Sequence[int]) -> int | None:
    """Return where enough different people are named: in the lines (0), or so many beside them."""
    texts = context.page.blocks.text
    if _are_people(_names([texts[block] for block in series]), _MIN_NAMED * len(series)):
        return 0
    for offset in _BESIDE:
        if _are_people(_names_beside(context, series, offset), _MIN_BESIDE * len(series)):
            return offset
    return None


def _are_people(names: Sequence[str], enough: float) -> bool:
    different = len({*names})
    return len(names) >= enough and different >= max(_MIN_LINES, _MIN_DIFFERENT * len(names))


def _names(lines: Sequence[str]) -> list[str]:
    """Return what is left of each line without its date and the words that the lines share.

    >>> _names(["By Ann at 3 May 2024", "By Bob Ray at 3 May 2024", "By Cy at 4 May 2024"])
    ['Ann', 'Bob Ray', 'Cy']
    """
    by_line = [[found.strip(_SIGNS) for found in _WORD.findall(line)] for line in lines]
    shared = Counter(word for words in by_line for word in {*words})
    names = (
        " ".join(
            word
            for word in words
            if word and shared[word] <= _MAX_SHARED * len(lines) and not _is_of_date(word)
        )
        for words in by_line
    )
    return [name for name in names if name and _may_be_name(name, _MAX_NAME_WORDS)]


def _is_of_date(word: str) -> bool:
    return is_date_word(word) or is_relative_day(word)


def _names_beside(context: BlockContext, series: Iterable[int], offset: int) -> list[str]:
    """Return the names in lines of their own before or after those of a series."""
    beside = [block + offset for block in series if 0 <= block + offset < len(context)]
    kinds = Counter(_kind(context, block) for block in beside)
    kind, _ = kinds.most_common(1)[0]
    if kind[0] in _HEADLINES:
        return []
    texts = context.page.blocks.text
    return [
        texts[block]
        for block in beside
        if _kind(context, block) == kind
        and not texts[block].endswith(_SENTENCE_ENDS)
        and _may_be_name(texts[block], _MAX_OWN_WORDS)
    ]


def _may_be_name(text: str, words: int) -> bool:
    has_letter = any(map(str.isalpha, text))
    return has_letter and len(text) <= _MAX_NAME and count_words(text) <= words


def _end(context: BlockContext, series: Sequence[int]) -> int:
    """Return the first block after the innermost element around all lines."""
    branches = context.branches
    branch = int(branches.of_block[0, series[0]])
    while branch > 0 and branches.high[branch] <= series[-1]:
        branch = int(branches.parent[branch])
    return int(branches.high[branch])


def _is_thread(context: BlockContext, series: Sequence[int], words: NDArray[np.float64]) -> bool:
    """Whether the page is itself a thread, a question with answers or a list of signed entries."""
    return _is_declared_thread(context, series, words) or _is_signed_before(context, series, words)


def _is_declared_thread(
    context: BlockContext, series: Sequence[int], words: NDArray[np.float64]
) -> bool:
    """Whether the page says so in JSON-LD, and of no article, or in microdata around its text."""
    types = {_type_name(name) for name in read_linked_data(context.json_ld, ()).types}
    if types & _THREADS and not any(name.endswith(_ARTICLES) for name in types - _THREADS):
        return True
    branches = context.branches
    branch = int(branches.of_block[0, series[0]])
    while branch >= 0:
        element: Any = context.page.element[int(branches.row[branch])]
        if _type_name(element.get("itemtype") or "") in _THREADS:
            return bool(words[: branches.low[branch]].sum() < _MIN_WORDS_BEFORE)
        branch = int(branches.parent[branch])
    return False


def _type_name(written: str) -> str:
    """Return the last part of a type's name.

    >>> _type_name("https://schema.org/QAPage")
    'QAPage'
    """
    return written.strip().rpartition("/")[2].rpartition(":")[2]


def _is_signed_before(
    context: BlockContext, series: Sequence[int], words: NDArray[np.float64]
) -> bool:
    """Whether much of the text before a series is in boxes with lines in the same places.

    These are the first posts of a thread, or the first entries of a list. The byline of an article
    is in another place than the lines of its comments.
    """
    branches = context.branches
    start = series[0]
    first = int(np.searchsorted(np.cumsum(words[:start]), _MIN_WORDS_BEFORE))
    short = np.flatnonzero(_is_short(context))
    early = _with_time(context, short[short <= first].tolist())
    if not early:
        return False
    places = _places(context)
    later: defaultdict[int, list[int]] = defaultdict(list)
    for block in _with_time(context, short[short >= start].tolist()):
        later[places[branches.of_block[0, block]]].append(block)
    signed = np.zeros(start, dtype=bool)
    for block in early:
        branch = int(branches.of_block[0, block])
        alike = later[places[branch]]
        if len(alike) < _MIN_LINES - 1:
            continue
        while branch > 0 and branches.high[branches.parent[branch]] <= alike[-1]:
            branch = int(branches.parent[branch])
        signed[branches.low[branch] : branches.high[branch]] = True
    return bool(words[:start][signed].sum() > _MIN_SIGNED * words[:start].sum())


def _places(context: BlockContext) -> list[int]:
    """Return a number for each branch: the same for those with the same tags and first classes."""
    numbers: dict[tuple[int, str, str], int] = {}
    found: list[int] = []
    branches, page = context.branches, context.page
    for row, parent in zip(branches.row.tolist(), branches.parent.tolist(), strict=True):
        element: Any = page.element[row]
        name = _NUMBER.sub("", (element.get("class") or "").strip().partition(" ")[0])
        above = found[parent] if parent >= 0 else -1
        found.append(numbers.setdefault((above, page.tag[row], name), len(numbers)))
    return found


def _start(context: BlockContext, series: Sequence[int], words: NDArray[np.float64]) -> int:
    """Return the first block of the comments with these signed lines."""
    if words[series[0] : series[1]].sum() > words[: series[0]].sum():
        series = series[1:]  # the first is the byline of the article
    heading = _heading_before(context, series)
    is_short = words[heading : series[0]].sum() <= max(
        words[a:b].sum() for a, b in pairwise(series)
    )
    return heading if is_short and words[:heading].sum() >= _MIN_WORDS_BEFORE else series[0]


def _heading_before(context: BlockContext, series: Sequence[int]) -> int:
    """Return the heading of comments that are signed below their text, else the first line.

    Between it and the first line is the text of the first comment, in elements like those of the
    others. A heading after that line, or others alike before it, are those of the article.
    """
    first, second = series[:2]
    inside = {_kind(context, block) for block in range(first + 1, series[-1])}
    block = first - 1
    while block > 0 and not context.in_heading[block] and _kind(context, block) in inside:
        block -= 1
    if not context.in_heading[block] or context.in_heading[first:second].any():
        return first
    headings = np.flatnonzero(context.in_heading[:block]).tolist()
    kind = _kind(context, block)
    return first if any(_kind(context, other) == kind for other in headings) else block
