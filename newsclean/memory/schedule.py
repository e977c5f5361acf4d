"""When an address that was fetched before is due again: the older its article, the later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from newsclean.memory.fetches import LastFetch


@dataclass(frozen=True)
class RecheckSchedule:
    """All times in seconds."""

    #: the time between two fetches, as a share of the article's age
    share: float
    #: but never less than this
    min_interval: float
    #: nor more than this
    max_interval: float
    #: an article older than this is not fetched again
    max_age: float

    @classmethod
    def of(cls, settings: BaseSettings) -> Self:
        return cls(
            settings.getfloat("NEWSCLEAN_RECHECK_SHARE"),
            settings.getfloat("NEWSCLEAN_RECHECK_MIN"),
            settings.getfloat("NEWSCLEAN_RECHECK_MAX"),
            settings.getfloat("NEWSCLEAN_RECHECK_MAX_AGE"),
        )

    def is_due(self, last: LastFetch, now: float, changed: float | None = None) -> bool:
        """Whether an address is to be fetched again.

        What has `changed` since is due at any age, as soon as the least time between two fetches
        has passed: some sites call everything changed whenever they are asked. A change that is
        yet to come counts when it has come.

        >>> from newsclean.memory.fetches import LastFetch
        >>> hourly = RecheckSchedule(0.5, min_interval=900, max_interval=86400, max_age=864000)
        >>> fetched_at_once = LastFetch("", "", published=0.0, fetched=0.0)
        >>> [hourly.is_due(fetched_at_once, now) for now in (600, 900, 1_000_000)]
        [False, True, False]
        >>> fetched_after_an_hour = LastFetch("", "", published=0.0, fetched=3600.0)
        >>> [hourly.is_due(fetched_after_an_hour, now) for now in (5400, 7200)]
        [False, True]
        >>> [hourly.is_due(fetched_at_once, 1_000_000, changed) for changed in (0.0, 5.0, 2e6)]
        [False, True, False]
        """
        # A clock that was set back must not put off the next fetch for ever.
        passed = abs(now - last.fetched)
        if changed is not None and last.fetched < changed <= now and passed >= self.min_interval:
            return True
        age = max(0.0, now - last.published)
        if age > self.max_age:
            return False
        return passed >= min(max(age * self.share, self.min_interval), self.max_interval)
