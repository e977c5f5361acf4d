"""Correct the chosen blocks by the structure of the page and by the names of its boxes.

An article is mostly one stretch, has whole tables, appears once on its page, and comes first if
others follow it. Each function takes the chosen blocks and returns a better choice.

The network weighs names with all other features: a comment of three paragraphs, an author's box or
a caption may read so much like the article that its name is outweighed. If the rest of the choice
is an article by itself, the name decides. So do notices in the place of an embed that ask for
consent to show external content: they are sentences between the paragraphs.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from newsclean.extraction.methods.hybrid import hints
from newsclean.extraction.page.columns import CELLS, data_tables
from newsclean.extraction.text import SPACELESS, comparison_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newsclean.extraction.methods.hybrid.context import BlockContext
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

    _Floats = NDArray[np.float64]

#: The last stretch of chosen blocks is not part of the article if more than this many other blocks
#: come before it, and it has less than this share of the words and no block of this probability.
_MAX_GAP = 12
_MIN_TAIL_SHARE = 0.3
_SURE = 0.9
#: Minimum probability of a heading between two chosen blocks, and of a line of at most this many
#: words without a link, which may be a heading without the tag.
_MIN_HEADING = 0.3
_MIN_LINE = 0.35
_MAX_LINE_WORDS = 10
#: Dates in `<time>` above the first block of this many words are not part of the text.
_TIMES = frozenset({"time"})
_MIN_PARAGRAPH_WORDS = 15
#: A table of data is chosen as a whole if more than this share of its words is chosen …
_TABLE_SHARE = 0.5
_TABLES = frozenset({"table"})
#: … and its cells hold at most this many texts each, on average.
_MAX_TEXTS = 1.5
#: The page holds its article twice if this share of the chosen words is repeated, in at least this
#: many different texts of at least this many words each.
_MIN_COPIED_SHARE = 0.4
_MIN_COPIED_TEXTS = 3
_MIN_COPIED_WORDS = 8
#: Maximum copies of a text: lines of more copies are repeated by the article itself.
_MAX_VERSIONS = 3
#: A block of at least this many words is a copy in one piece of `_MIN_COPIED_TEXTS` other blocks:
#: of their runs of five words it has this share, and they have that share of its own runs.
_MIN_COPY_WORDS = 150
_RUN = 5
_MIN_SAID = 0.8
_MIN_SAME = 0.5
#: A quick check before: it has the middle of some of this many next longest blocks, as many
#: characters before and after it.
_MAX_PROBED = 12
_PROBE = 15
#: If other articles follow, the box of the page's own one has at least this many chosen words.
_MIN_ARTICLE_WORDS = 100
_HEADLINES = frozenset({"h1"})
#: The date of an article is among this many blocks after its headline.
_MAX_BLOCKS_TO_DATE = 6
#: A headline that was chosen with the body is among this many first chosen blocks; a shorter text
#: is part of a title by chance.
_MAX_FIRST_BLOCKS = 12
_MIN_HEADING_LENGTH = 10
_ARTICLES = frozenset({"article"})
_HEADINGS = frozenset({"h1", "h2", "h3"})
#: The headline of an `<article>` is among its first blocks.
_MAX_BLOCKS_TO_HEADLINE = 3
_MAX_NAME = 300  # characters of an id and a class
#: Names of the boxes of other articles.
_NEXT = re.compile(
    r"(?<![a-z])(?:next|second|third|fourth|fifth|following|2nd|3rd)[-_]?"
    r"(?:article|story|post)s?(?![a-z])"
    r"|(?<![a-z])(?:article|story|post)[-_]?(?:next|second|third|fourth|fifth)(?![a-z])"
)
_NUMBER = re.compile(r"\d+")
#: A character of a script without spaces counts as a word.
_WORD = re.compile(f"[{SPACELESS}]|[^\\s{SPACELESS}]+")


#: Maximum probability of a block in such a box, or of a notice.
MAX_PROBABILITY = 0.1
#: Comments come after at least this many words of the article.
_MIN_WORDS_BEFORE_COMMENTS = 50
#: Comments may hold most of the choice only in at least this many boxes of the name side by side: a
#: column of opinions may be named `comment` as a whole.
_MIN_COMMENTS = 3
_COMMENTS, _COMMENT_AREA = "comments", "comment area"
#: For `boxes`: any box around a block counts.
_ANYWHERE = 0
#: A longer text is about consent, and does not ask for it.
_MAX_NOTICE_WORDS = 130
#: Every notice has one of these; other texts are not searched.
_STEMS = (
    "extern", "estern", "ekstern", "eingebettet", "embedded", "third", "tiers", "intégré",
    "terceros", "incrustad", "terze", "derden", "terceiros", "zewnętrzn",
)  # fmt: skip
#: What the notice is about, and what it asks for.
_EXTERNAL_CONTENT = re.compile(
    r"extern\w{0,2} (?:redaktionell\w{0,2} )?inhalt|eingebettet\w{0,2} inhalt"
    r"|(?:external|embedded|third[- ]party) (?:content|media)"
    r"|contenus? (?:externes?|tiers|intégrés?)|contenidos? (?:externos?|de terceros|incrustados?)"
    r"|contenut\w (?:estern|di terze)|conteúdos? (?:externos?|de terceiros)"
    r"|externe (?:inhoud|content)|inhoud van derden|eksternt? innhold|eksternt? indhold"
    r"|externt innehåll|treści zewnętrzn"
)
_CONSENT = re.compile(
    r"einverstanden|einwillig|zustimm|personenbezogen|anzeigen lassen|datenschutz"
    r"|consent|agree|cookie|privacy|personal data|acceptez|accepter|données personnelles"
    r"|aceptar|consentimiento|datos personales|accett|consenso|dati personali"
    r"|aceitar|dados pessoais|toestemming|akkoord|samtyk|samtyck|zgod"
)
#: The kinds by number; 0 is none.
BOX_KINDS = ("", *hints.BOXES, *hints.NAMED_BOXES)
_FIRST_FIELD = len(hints.AROUND) + len(hints.KINDS)


def without_tail(context: BlockContext, chosen: Mask, probability: _Floats) -> Mask:
    """Remove a doubtful short stretch far after the others."""
    blocks = np.flatnonzero(chosen)
    gaps = np.flatnonzero(np.diff(blocks) > _MAX_GAP)
    if not len(gaps):
        return chosen
    tail = blocks[gaps[-1] + 1 :]
    little = context.words[tail].sum() < _MIN_TAIL_SHARE * context.words[blocks].sum()
    if not little or probability[tail].max() >= _SURE:
        return chosen
    without = chosen.copy()
    without[tail] = False
    return without


def with_headings(context: BlockContext, chosen: Mask, probability: _Floats) -> Mask:
    """Add each likely heading between two chosen blocks.

    Between a heading and the text above it there may be one other block: the caption of a picture.
    """
    likely = probability >= _MIN_HEADING
    if not likely.any():
        return chosen
    below, above = np.zeros((2, len(chosen)), dtype=bool)
    below[:-1], above[1:] = chosen[1:], chosen[:-1]
    near = above.copy()
    near[2:] |= chosen[:-2]
    line = (context.words <= _MAX_LINE_WORDS) & (context.linked == 0) & (probability >= _MIN_LINE)
    line &= _is_beside_both(context)
    found: Mask = (context.in_heading & likely & near | line & above) & below
    return chosen | found


def _is_beside_both(context: BlockContext) -> Mask:
    """Return which blocks share their box with the blocks before and after.

    The line below a picture is in a box of its own with the picture.
    """
    page = context.page
    row = page.blocks.row
    box = page.parent[page.parent[row]]
    beside = np.zeros(len(row), dtype=bool)
    beside[1:-1] = (box[1:-1] <= row[:-2]) & (row[2:] < page.end[box[1:-1]])
    return beside


def whole_tables(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """Add the rest of each table of data of which most is chosen.

    Tables that hold the columns of an old page have comments and menus in them, too.
    """
    tables = page.rows(_TABLES)
    if not len(tables):
        return chosen
    whole = chosen.copy()
    data = data_tables(page, np.ones(len(page), dtype=bool))
    cells = page.rows(CELLS)
    for table in tables[data[tables]].tolist():
        edges = table, page.end[table] + 1
        low, high = np.searchsorted(page.blocks.row, edges).tolist()
        held = np.diff(np.searchsorted(cells, edges)).item()
        words = context.words[low:high]
        if (
            high - low <= _MAX_TEXTS * held
            and (words * chosen[low:high]).sum() > _TABLE_SHARE * words.sum()
        ):
            whole[low:high] = True
    return whole


def without_repeated_copy(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """Remove the later versions on a page that holds its article twice.

    Such pages have one version for wide screens, and one for narrow screens or print. Lines that an
    article repeats itself stay: the refrain of a poem, the same sentence under each picture.
    """
    blocks = np.flatnonzero(chosen).tolist()
    texts, words = page.blocks.text, context.words
    if len(blocks) - len({texts[block] for block in blocks}) < _MIN_COPIED_TEXTS:
        return chosen
    keys = [comparison_key(texts[block], " ") for block in blocks]
    counts = Counter(keys)
    seen: set[str] = set()
    copies = []
    repeated: dict[str, float] = {}
    for block, key in zip(blocks, keys, strict=True):
        is_long = words[block] >= _MIN_COPIED_WORDS
        if key in seen and (counts[key] <= _MAX_VERSIONS or not is_long):
            copies.append(block)
            if is_long:
                repeated[key] = words[block]
        seen.add(key)
    said_once = words[chosen].sum() - words[copies].sum()
    said_twice = sum(repeated.values())
    if len(repeated) < _MIN_COPIED_TEXTS or said_twice < _MIN_COPIED_SHARE * said_once:
        return chosen
    without = chosen.copy()
    without[copies] = False
    return without


def without_copy_in_one_block(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """Remove a block that holds the text of the others in one piece.

    Syndicated texts, texts behind paywalls and copies for machines are such blocks. A paragraph
    among paragraphs is none: there the author repeats himself.
    """
    words = context.words
    if not (words >= _MIN_COPY_WORDS).any():
        return chosen
    blocks = np.flatnonzero(chosen & (words >= _MIN_COPIED_WORDS))
    if len(blocks) <= _MIN_COPIED_TEXTS:
        return chosen
    longest = blocks[np.argsort(-words[blocks], kind="stable")].tolist()
    large = [block for block in longest[:_MAX_VERSIONS] if words[block] >= _MIN_COPY_WORDS]
    if not any(_may_be_copy(page, longest[place:][:_MAX_PROBED]) for place in range(len(large))):
        return chosen
    runs = {block: _runs(page.blocks.text[block]) for block in blocks.tolist()}
    without = chosen.copy()
    for copy in large:
        own, place = runs[copy], _place(page, context, copy)
        said = {
            block: shared
            for block, others in runs.items()
            if len(others) < len(own) and len(shared := others & own) >= _MIN_SAID * len(others)
        }
        is_apart = all(_place(page, context, block) != place for block in said)
        if (
            is_apart
            and len(said) >= _MIN_COPIED_TEXTS
            and len(set().union(*said.values())) >= _MIN_SAME * len(own)
        ):
            without[copy] = False
            del runs[copy]
    return without


def _may_be_copy(page: Page, blocks: list[int]) -> bool:
    """Return whether the first block has a few words from the middle of some others."""
    copy, *others = (page.blocks.text[block] for block in blocks)
    whole = comparison_key(copy, " ")
    found = 0
    for text in others:
        middle = len(text) // 2
        found += comparison_key(text[max(middle - _PROBE, 0) : middle + _PROBE], " ") in whole
    return found >= _MIN_COPIED_TEXTS


def _place(page: Page, context: BlockContext, block: int) -> tuple[int, str]:
    """Return the box around the paragraph of a block, and the tag of the paragraph."""
    row = int(context.rows[0, block])
    return page.parents[row], page.tag[row]


def _runs(text: str) -> set[tuple[str, ...]]:
    """Return the runs of five words of a text, without punctuation and case."""
    key = comparison_key(text, " ")
    words = key.split() if key.isascii() else _WORD.findall(key)
    return set(zip(*(words[place:] for place in range(_RUN)), strict=False))


def without_later_articles(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """Remove other articles that follow the page's own.

    Pages that continue with the next story have each story in a box of the same name, with its own
    headline and date. The boxes of sections of one article have no dates.
    """
    without = chosen.copy()
    for article in _later_articles(page, context, chosen):
        low, high = _blocks_below(page, article)
        without[low:high] = False
    heads = page.rows(_HEADLINES).tolist()
    if len(heads) < 2:
        return without
    own = -1
    for head, before, after in zip(heads, [-1, *heads], [*heads[1:], len(page)], strict=False):
        if own < 0:
            box = _box_of(page, head, before, after)
            low, high = _blocks_below(page, box)
            if context.words[low:high][chosen[low:high]].sum() >= _MIN_ARTICLE_WORDS:
                own = box
            continue
        other = _box_of(page, head, before, after)
        if _are_alike(page, own, other) and _is_dated(context, head):
            low, high = _blocks_below(page, other)
            without[low:high] = False
    return without


def _later_articles(page: Page, context: BlockContext, chosen: Mask) -> list[int]:
    """Return the `<article>`s after the page's own, or in it, that are other articles.

    Each begins with a headline, and its name says that it is the next one; or it has a date, and
    its headline is an h1 or its id differs from the page's own by a number. That excludes entries
    of a live blog, sections and lists.
    """
    articles = page.rows(_ARTICLES)
    if len(articles) < 2:
        return []
    heads = _first_headings(page, articles)
    own = next((row for row, head in heads.items() if _is_own(page, context, head)), -1)
    if own < 0:
        return []
    found = [
        row
        for row, head in heads.items()
        if row > own
        and (
            _NEXT.search(_name(page, row))
            or (
                (page.tag[head] in _HEADLINES or _are_numbered(page, own, row))
                and _is_dated(context, head)
            )
        )
    ]
    own_words = context.words * chosen
    for row in found:
        low, high = _blocks_below(page, row)
        own_words[low:high] = 0
    low, high = _blocks_below(page, own)
    return found if own_words[low:high].sum() >= _MIN_ARTICLE_WORDS else []


def _first_headings(page: Page, articles: Column) -> dict[int, int]:
    """Return the first heading of each `<article>` that begins with one."""
    headings = page.rows(_HEADINGS)
    place = np.searchsorted(headings, articles)
    first = np.append(headings, len(page))[place]
    blocks_before = np.subtract(*np.searchsorted(page.blocks.row, (first, articles)))
    begins = (first <= page.end[articles]) & (blocks_before < _MAX_BLOCKS_TO_HEADLINE)
    return dict(zip(articles[begins].tolist(), first[begins].tolist(), strict=True))


def _is_own(page: Page, context: BlockContext, head: int) -> bool:
    """Return whether a headline is that of the page."""
    low, high = _blocks_below(page, head)
    headline = comparison_key(" ".join(page.blocks.text[low:high]), " ")
    return page.tag[head] in _HEADLINES or (bool(headline) and headline in context.title)


def _name(page: Page, row: int) -> str:
    element: Any = page.element[row]
    return " ".join((element.get(key) or "")[:_MAX_NAME].lower() for key in ("id", "class"))


def _are_numbered(page: Page, own: int, other: int) -> bool:
    """Return whether the ids of two elements differ by a number only."""
    first: Any = page.element[own]
    second: Any = page.element[other]
    one, two = ((element.get("id") or "")[:_MAX_NAME] for element in (first, second))
    return (
        one != two and bool(_NUMBER.search(one)) and _NUMBER.sub("#", one) == _NUMBER.sub("#", two)
    )


def _box_of(page: Page, head: int, before: int, after: int) -> int:
    """Return the largest element around a headline without the one before and the next one."""
    box = head
    while (above := page.parents[box]) > before and page.end[above] < after:
        box = above
    return box


def _blocks_below(page: Page, row: int) -> tuple[int, int]:
    """Return the first block below an element, and the first one after it."""
    low, high = np.searchsorted(page.blocks.row, (row, page.end[row] + 1)).tolist()
    return low, high


def _are_alike(page: Page, box: int, other: int) -> bool:
    """Return whether two elements have the same parent, tag and class."""
    if page.parents[box] != page.parents[other] or page.tag[box] != page.tag[other]:
        return False
    first: Any = page.element[box]
    second: Any = page.element[other]
    return bool(first.get("class") == second.get("class"))


def _is_dated(context: BlockContext, head: int) -> bool:
    """Return whether a date comes soon after a headline."""
    low, start = _blocks_below(context.page, head)
    return low < start and bool(context.dated[start : start + _MAX_BLOCKS_TO_DATE].any())


def without_headline(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """Remove first blocks in an h1 that repeat the title; without a title, the first one."""
    rows = page.rows(_HEADLINES)
    if not len(rows):
        return chosen
    texts, inside = page.blocks.text, page.below(rows)[page.blocks.row]
    if context.title:
        first = np.flatnonzero(chosen)[:_MAX_FIRST_BLOCKS]
        heads = [
            block
            for block in first[inside[first]].tolist()
            if len(text := comparison_key(texts[block], " ")) >= _MIN_HEADING_LENGTH
            and text in context.title
        ]
    else:
        first = np.flatnonzero(chosen)[:1]
        heads = first[inside[first]].tolist()
    if not heads or len(heads) == np.count_nonzero(chosen):
        return chosen
    without = chosen.copy()
    without[heads] = False
    return without


def without_dates_above(page: Page, context: BlockContext, chosen: Mask) -> Mask:
    """Remove lines in a `<time>` above the first paragraph."""
    rows = page.rows(_TIMES)
    if not len(rows):
        return chosen
    paragraphs = np.flatnonzero(chosen & (context.words >= _MIN_PARAGRAPH_WORDS))
    above = int(paragraphs[0]) if len(paragraphs) else 0
    dates = chosen[:above] & page.below(rows)[page.blocks.row[:above]]
    if not dates.any():
        return chosen
    without = chosen.copy()
    without[:above] &= ~dates
    return without


@dataclass(frozen=True)
class _Reach:
    """How far out a box may be around a block, and how much of the choice it may hold."""

    #: number of the nearest boxes with more and more text
    boxes: int
    #: of the chosen words; a name that holds more does not mean what it says
    max_share: float = 0.2


_REACH: dict[str, _Reach] = {
    _COMMENTS: _Reach(_ANYWHERE, 0.5),
    _COMMENT_AREA: _Reach(_ANYWHERE, 1.0),
    "dialog": _Reach(_ANYWHERE),
    "action": _Reach(2),
    "notice": _Reach(2),
    "details": _Reach(2),
    "author": _Reach(2),
    "signature": _Reach(1),
    "caption": _Reach(1, 0.25),
}


def kinds_of_boxes(context: BlockContext, chosen: Mask) -> NDArray[np.int8]:
    """Return the position in `BOX_KINDS` of the box that removes each chosen block, else 0."""
    found = np.zeros(len(context), dtype=np.int8)
    if not chosen.any():  # so on a page with too many blocks, for which nothing is computed
        return found
    fields = context.around[_FIRST_FIELD:]
    words = context.words * chosen
    total = float(words.sum())
    for number in np.flatnonzero(fields[:, 0].any(axis=1)).tolist():
        kind = BOX_KINDS[number + 1]
        inside = _inside(fields[number], _REACH[kind].boxes, chosen) & (found == 0)
        if not inside.any():
            continue
        holds_little = words[inside].sum() <= _REACH[kind].max_share * total
        if kind == _COMMENTS and not holds_little:
            holds_little = _separate_boxes(context, _FIRST_FIELD + number, inside) >= _MIN_COMMENTS
        if kind in (_COMMENTS, _COMMENT_AREA):
            holds_little &= words[: inside.argmax()].sum() >= _MIN_WORDS_BEFORE_COMMENTS
        if holds_little:
            found[inside] = number + 1
    return found


def _separate_boxes(context: BlockContext, field: int, blocks: Mask) -> int:
    """Count the boxes of a kind around these blocks, of nested ones the innermost."""
    counts = context.branch_counts[:, field].tolist()
    innermost: list[int] = []
    for branch, parent in enumerate(context.branches.parent.tolist()):
        is_named = parent < 0 or counts[branch] > counts[parent]
        innermost.append(branch if is_named else innermost[parent])
    return len({innermost[branch] for branch in context.branches.of_block[0][blocks].tolist()})


def _inside(counts: NDArray[np.int16], boxes: int, chosen: Mask) -> Mask:
    """Return which chosen blocks are in a box of a kind.

    `counts` is the number of such elements around the block, its parent and grandparent. A name of
    the page as a whole, such as `comments-open`, is around all blocks and does not count.
    """
    outer = counts[boxes] if boxes else counts[0][chosen].min(initial=np.iinfo(np.int16).max)
    inside: Mask = chosen & (counts[0] > outer)
    return inside


def consent_notices(context: BlockContext, chosen: Mask) -> Mask:
    """Return which of the chosen blocks ask for consent to show an embed."""
    found = np.zeros(len(context), dtype=bool)
    texts = context.page.blocks.text
    blocks = np.flatnonzero(chosen & (context.words <= _MAX_NOTICE_WORDS)).tolist()
    lines = "\n".join([texts[block] for block in blocks]).lower()
    if any(stem in lines for stem in _STEMS):
        for block in blocks:
            found[block] = asks_for_consent(texts[block].lower())
    return found


def asks_for_consent(text: str) -> bool:
    """Return whether a text in lower case asks for consent to show external content.

    >>> asks_for_consent("to see this embedded content, you must agree to the use of cookies")
    True
    >>> asks_for_consent("the court ruled on embedded content of three newspapers")
    False
    """
    return bool(_EXTERNAL_CONTENT.search(text) and _CONSENT.search(text))
