"""Runs of sites, one a day."""

from collections.abc import Sequence

from newsclean.memory.site_health import SiteCounts, SiteRun, State

DAY = 86400.0
#: Noon of a Monday.
NOW = 1_700_481_600.0 - 1_700_481_600.0 % DAY + DAY / 2


def daily(
    site: str, new: Sequence[int], state: State = State.GOOD, unchanged: int = 0
) -> list[SiteRun]:
    """Runs at noon of each day until today, the last of them in a state."""
    days = len(new) - 1
    runs = [
        SiteRun(n + 1, site, NOW - (days - n) * DAY, 2.0, State.GOOD, SiteCounts(new=each))
        for n, each in enumerate(new)
    ]
    last = SiteCounts(new=new[-1], unchanged=unchanged)
    return [*runs[:-1], runs[-1]._replace(state=state, counts=last)]
