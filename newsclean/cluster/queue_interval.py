"""How long a site waits between two runs: always the same, or by how much is new on it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_SPAN = re.compile(r"(\d{1,6})([smhdw])")
#: More frequent runs find nothing more, and burden the sites.
MIN_SECONDS = 1
ONCE = "once"
#: How a run that is not to be repeated is weighed against those that are.
ONCE_SECONDS = 3600.0


@dataclass(frozen=True)
class Interval:
    """Seconds between two runs, at least and at most; both 0 for a single run."""

    least: float
    most: float

    @classmethod
    def of(cls, text: str) -> Interval:
        """From what somebody has typed; ValueError if that is not an interval.

        >>> Interval.of("90m"), Interval.of("15m-1d")
        (Interval(least=5400, most=5400), Interval(least=900, most=86400))
        """
        if text.strip() == ONCE:
            return cls(0, 0)
        found = [_SPAN.fullmatch(part.strip()) for part in text.split("-")]
        ends = [int(match[1]) * _UNITS[match[2]] for match in found if match]
        if len(found) > 2 or len(ends) != len(found) or ends[0] > ends[-1]:
            raise ValueError(
                f"{text!r} is not an interval: it takes 30m, 6h, 1d, a span like 15m-1d, or once"
            )
        if ends[0] < MIN_SECONDS:
            raise ValueError(f"{text!r}: an interval is {MIN_SECONDS} second or more")
        return cls(ends[0], ends[-1])

    @property
    def is_once(self) -> bool:
        return self.most == 0

    @property
    def first(self) -> float:
        """The interval of a site of which nothing is known yet."""
        return ONCE_SECONDS if self.is_once else self.least

    def after(self, current: float, articles: int) -> float:
        """The next interval: half as long after a run with articles, else twice; -1 for none.

        >>> hourly = Interval.of("15m-6h")
        >>> hourly.after(3600, articles=3), hourly.after(3600, articles=0)
        (1800.0, 7200)
        >>> hourly.after(900, articles=3), Interval.of("once").after(3600, 1)
        (900, -1)
        """
        if self.is_once:
            return -1
        return min(max(current / 2 if articles else current * 2, self.least), self.most)
