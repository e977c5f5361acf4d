"""The habits of a site that help to read the metadata of its pages, as counts over neighbors.

Each page contributes a few facts (`order:day`, `zone:2024-03:+01:00`, `author:annlee`,
`byline:p.by`) and asks for how many of its neighbors some others hold. Only hashes are stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import xxhash

#: Facts that one page contributes.
MAX_FACTS = 12
#: Neighbors that must agree on the zone of their dates.
_MIN_ZONE_PAGES = 3

_DAY_FIRST, _MONTH_FIRST = "order:day", "order:month"
#: All offsets from UTC that clocks have.
_OFFSETS = tuple(
    f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    for minutes in (*range(-12 * 60, 14 * 60 + 1, 30), 345, 525, 765)
)


@dataclass(frozen=True)
class SiteFacts:
    """Habits of a site, counted over the neighbors of a page."""

    #: the number of neighbors
    pages: int = 0
    #: whether 3/4/2024 is in April, None if unknown
    day_first: bool | None = None
    #: the offset of the dates in the page's month, as `+01:00`, if all agree
    zone: str | None = None
    #: how many neighbors have each author, by comparison key
    authors: Mapping[str, int] = field(default_factory=dict)
    #: how many neighbors have their author's name in each slot
    bylines: Mapping[str, int] = field(default_factory=dict)


NO_FACTS = SiteFacts()


def known(
    day_first: bool | None, date: str | None, authors: Sequence[str], slots: Sequence[str] = ()
) -> list[str]:
    """Return the facts that a page contributes: order of dates, zone, authors and their slots."""
    found = [] if day_first is None else [_DAY_FIRST if day_first else _MONTH_FIRST]
    if date is not None and has_offset(date):
        found.append(f"zone:{date[:7]}:{date[-6:]}")
    found += (f"byline:{slot}" for slot in slots)
    return [*found, *(f"author:{key}" for key in authors)][:MAX_FACTS]


def asked(date: str | None, authors: Sequence[str], slots: Sequence[str] = ()) -> list[str]:
    """Return the facts that a page asks about: order of dates, missing zone, names, slots."""
    questions = [_DAY_FIRST, _MONTH_FIRST, *(f"author:{key}" for key in authors)]
    questions += (f"byline:{slot}" for slot in slots)
    if date is not None and "T" in date and not has_offset(date):
        questions += [f"zone:{date[:7]}:{offset}" for offset in _OFFSETS]
    return questions


def fact_hash(name: str) -> int:
    """Return the key under which a fact is counted."""
    return xxhash.xxh3_64_intdigest(f"fact:{name}".encode("utf-8", "surrogatepass"))


def facts_from_counts(counts: Mapping[str, int], pages: int) -> SiteFacts:
    """Return what the counts of the facts that a page asked about mean.

    >>> facts_from_counts({"order:day": 3, "order:month": 0, "author:annlee": 1}, 4).day_first
    True
    """
    day, month = counts.get(_DAY_FIRST, 0), counts.get(_MONTH_FIRST, 0)
    zones = {name: count for name, count in counts.items() if name.startswith("zone:") and count}
    zone = None
    if len(zones) == 1:
        name, count = zones.popitem()
        zone = name.split(":", 2)[2] if count >= _MIN_ZONE_PAGES else None
    return SiteFacts(
        pages,
        None if bool(day) == bool(month) else day > 0,
        zone,
        _counts_of("author:", counts),
        _counts_of("byline:", counts),
    )


def _counts_of(prefix: str, counts: Mapping[str, int]) -> dict[str, int]:
    return {
        name.removeprefix(prefix): count
        for name, count in counts.items()
        if name.startswith(prefix) and count
    }


def has_offset(date: str) -> bool:
    """Whether an ISO 8601 date has an offset from UTC."""
    return "T" in date and date[-6] in "+-"
