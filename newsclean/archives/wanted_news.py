"""Which news of an archive is wanted: a period, and sites with their subdomains."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from newsclean.discovery.public_addresses import host_name
from newsclean.urls import site_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_PERIOD = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")
#: What names a site, and may name a folder.
_SITE_NAME = re.compile(r"(?=.{1,200}\Z)[a-z0-9_-]+(\.[a-z0-9_-]+)*(:\d+)?")


@dataclass(frozen=True)
class Period:
    """Days, the first and the last included."""

    first: date
    last: date

    @classmethod
    def parse(cls, text: str) -> Period:
        """Read a month, a day, or two of them; ValueError if it is none.

        >>> print(Period.parse("2026-02"), Period.parse("2026-08-14"))
        2026-02-01..2026-02-28 2026-08-14..2026-08-14
        >>> print(Period.parse("2026-07-30..2026-08"))
        2026-07-30..2026-08-31
        """
        first, mark, last = text.strip().partition("..")
        period = cls(_days(first, text)[0], _days(last if mark else first, text)[1])
        if period.last < period.first:
            raise ValueError(f"{text!r} ends before it begins")
        return period

    def __str__(self) -> str:
        return f"{self.first}..{self.last}"

    def months(self) -> Iterator[tuple[int, int]]:
        """Yield the year and the number of each month."""
        first, last = (day.year * 12 + day.month - 1 for day in (self.first, self.last))
        for month in range(first, last + 1):
            yield month // 12, month % 12 + 1


def _days(text: str, whole: str) -> tuple[date, date]:
    found = _PERIOD.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        year, month, day = (int(part or 0) for part in found.groups())
        if day:
            return date(year, month, day), date(year, month, day)
        return date(year, month, 1), date(year, month, monthrange(year, month)[1])
    except ValueError:
        raise ValueError(
            f"{whole!r} is not a period: write 2026-08, 2026-08-14 or 2026-08-14..2026-09"
        ) from None


def site_name(text: str) -> str:
    """Return the name of a site that a user has typed; ValueError if it is none.

    >>> site_name("www.Example.org"), site_name("https://news.example.org/sport")
    ('example.org', 'news.example.org')
    >>> site_name("zürich.example")
    'xn--zrich-kva.example'
    """
    text = text.strip()
    is_name = "/" not in text
    site = site_in(f"http://{text}" if is_name else text)
    if "." not in site:
        raise ValueError(f"{text!r} is not the name of a site, such as example.org")
    return site


def site_in(url: str) -> str:
    """Return the site of a URL in its ASCII form; empty if it has none that can name a folder."""
    site = host_name(site_of(url) or "")
    return site if _SITE_NAME.fullmatch(site) else ""


def with_parents(site: str) -> Iterator[str]:
    """Yield a site and the domains above it.

    >>> list(with_parents("news.a.org"))
    ['news.a.org', 'a.org', 'org']
    """
    while site:
        yield site
        _, _, site = site.partition(".")


def is_of_site(site: str, wanted: frozenset[str]) -> bool:
    """Whether a site is wanted, or a subdomain of one that is.

    >>> [is_of_site(site, frozenset({"a.org"})) for site in ("a.org", "news.a.org", "ba.org")]
    [True, True, False]
    """
    return any(name in wanted for name in with_parents(site))
