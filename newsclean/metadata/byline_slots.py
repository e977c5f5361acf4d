"""Where a site has its bylines: the place stays from page to page, the names change.

A slot is the place of a line in the site's template, by the classes of the elements that hold it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from newsclean.metadata.bylines import names_of_line
from newsclean.metadata.headline_area import Lines
from newsclean.metadata.names import is_person
from newsclean.metadata.text import comparison_key

#: Slots of one page that are remembered, and asked for.
MAX_KNOWN = 2
MAX_ASKED = 24
#: Neighbors that had their author's name in a slot.
MIN_PAGES = 2
#: Characters of a line that may be a byline.
MAX_LINE = 100
#: Lines in one slot; more are a list of other articles.
MAX_LINES = 4
#: Lines of a page that are looked at.
MAX_SHOWN = 2000


def slots_of_names(shown: Lines, names: Iterable[str]) -> list[str]:
    """The slots in which a page shows its authors, the first ones."""
    wanted = {comparison_key(name): name.casefold() for name in names if is_person(name)}
    slots: dict[str, None] = {}
    for n, line in enumerate(islice(shown.text, MAX_SHOWN) if wanted else ()):
        if len(line) > MAX_LINE or not _has_any(line.casefold(), wanted.values()):
            continue
        if wanted.keys() & map(comparison_key, names_of_line(line)):
            slots |= dict.fromkeys(shown.slots(n))
            if len(slots) >= MAX_KNOWN:
                break
    return list(slots)[:MAX_KNOWN]


def possible_bylines(shown: Lines) -> dict[str, list[str]]:
    """The names in the slots of a page that may be its byline's; lists have none."""
    lines: dict[str, list[str]] = {}
    for n, line in enumerate(islice(shown.text, MAX_SHOWN)):
        if len(line) <= MAX_LINE and not line[:1].islower():
            for slot in shown.slots(n):
                lines.setdefault(slot, []).append(line)
    return dict(islice(_with_names(lines), MAX_ASKED))


def names_in_slots(bylines: Mapping[str, list[str]], pages: Mapping[str, int]) -> list[str]:
    """The names in the slot that most neighbors have their author's in, if enough have one.

    >>> names_in_slots({"a.link": ["Ann Lee"], "p.by": ["Bob Ray"]}, {"a.link": 1, "p.by": 3})
    ['Bob Ray']
    """
    most = max(bylines, key=lambda slot: pages.get(slot, 0), default="")
    return bylines[most] if pages.get(most, 0) >= MIN_PAGES else []


def _with_names(lines: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    for slot, texts in lines.items():
        if len(texts) <= MAX_LINES:
            names = dict.fromkeys(name for text in texts for name in names_of_line(text))
            if names:
                yield slot, list(names)


def _has_any(text: str, parts: Iterable[str]) -> bool:
    return any(part in text for part in parts)
