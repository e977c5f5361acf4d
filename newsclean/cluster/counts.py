"""What tasks count, exactly, however often Spark runs one of them."""

from __future__ import annotations

from typing import Any

Counts = dict[str, dict[str, Any]]


class LatestCounts:
    """An accumulator of what each part of the work has counted, under its name.

    Spark runs a task again when a worker dies, and counts of a plain accumulator would be added
    twice. A part counts the same each time: what it says later takes the place of what it said.
    """

    def zero(self, value: Counts) -> Counts:
        return {}

    def addInPlace(self, value1: Counts, value2: Counts) -> Counts:  # noqa: N802 as Spark calls it
        value1.update(value2)
        return value1


def total_counts(parts: Counts, name: str) -> dict[str, int]:
    """The sum over all parts of what they have counted under a name, by reason.

    >>> parts = {"0": {"left_out": {"damaged": 1}}, "1": {"left_out": {"damaged": 2}}}
    >>> total_counts(parts, "left_out")
    {'damaged': 3}
    """
    total: dict[str, int] = {}
    for part in parts.values():
        for reason, number in part.get(name, {}).items():
            total[reason] = total.get(reason, 0) + number
    return dict(sorted(total.items()))
