"""What the other pages of a site tell of a page's metadata: the site's habits, as counts.

Each page teaches a few facts (`order:day`, `zone:2024-03:+01:00`, `author:annlee`, `byline:p.by`),
and asks on how many of its neighbors some others hold. Only hashes of them are kept, and counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import xxhash

#: Facts of one page that are kept.
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

    #: how many neighbors were asked
    pages: int = 0
    #: whether 3/4/2024 is in April, None if they do not show it
    day_first: bool | None = None
    #: the offset that the dates of the page's month have, as `+01:00`, if it is one
    zone: str | None = None
    #: how many neighbors have each name, as a comparison key, for an author
    authors: Mapping[str, int] = field(default_factory=dict)
    #: how many neighbors have the name of their author in each slot
    bylines: Mapping[str, int] = field(default_factory=dict)


NO_FACTS = SiteFacts()


def facts_from_counts(counts: Mapping[str, int], pages: int) -> SiteFacts:
    """What the answers to a page's questions mean.

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


def fact_hash(name: str) -> int:
    """The key under which a fact is counted."""
    return xxhash.xxh3_64_intdigest(f"fact:{name}".encode("utf-8", "surrogatepass"))


def known(
    day_first: bool | None, date: str | None, authors: Sequence[str], slots: Sequence[str] = ()
) -> list[str]:
    """What a page teaches: the order of its dates, the zone of its own, its names, their slots."""
    found = [] if day_first is None else [_DAY_FIRST if day_first else _MONTH_FIRST]
    if date is not None and has_offset(date):
        found.append(f"zone:{date[:7]}:{date[-6:]}")
    found += (f"byline:{slot}" for slot in slots)
    return [*found, *(f"author:{key}" for key in authors)][:MAX_FACTS]


def asked(date: str | None, authors: Sequence[str], slots: Sequence[str] = ()) -> list[str]:
    """What a page asks: the order of dates, the zone if its date has none, its names and slots."""
    questions = [_DAY_FIRST, _MONTH_FIRST, *(f"author:{key}" for key in authors)]
    questions += (f"byline:{slot}" for slot in slots)
    if date is not None and "T" in date and not has_offset(date):
        questions += [f"zone:{date[:7]}:{offset}" for offset in _OFFSETS]
    return questions


def has_offset(date: str) -> bool:
    """Whether a date in ISO 8601 says its offset from UTC."""
    return "T" in date and date[-6] in "+-"
