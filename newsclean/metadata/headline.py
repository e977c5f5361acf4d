"""The headline, chosen among what the head, the JSON-LD and the page itself call it."""

import re
from collections.abc import Iterable, Sequence

from newsclean.metadata.dates import iso_date
from newsclean.metadata.text import fold, sameness

MAX_HEADLINE = 400
AGREEMENT = 0.4
"""How alike an h1 must be to what the head calls the page, to be taken for its headline.

The h1 is what readers see; the head's titles are often cut, or reworded for search engines.
"""

_SEPARATOR = re.compile(r"\s+(?:[|\-–—·•:»«/~]|::|\|\|)\s+|\s*[|»]\s*|:\s+")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}", re.I)


def choose_headline(
    named: Iterable[object], h1: Iterable[str], title: str, site_names: Iterable[str]
) -> str | None:
    """Return the headline: the h1 that agrees with the head, else what the head calls the page.

    `named` are the values of JSON-LD, OpenGraph and the like, the most trusted first.
    """
    sites = {key for key in map(sameness, site_names) if key}
    shown = [line for line in (fold(text, MAX_HEADLINE + 100) for text in h1) if line]
    shown = [line for line in shown if len(line) <= MAX_HEADLINE and sameness(line) not in sites]
    for value in [*named, title]:
        line = without_site(fold(value, MAX_HEADLINE), shown, sites)
        if not line or sameness(line) in sites:
            continue
        likeness, best = max(
            ((agreement(line, text), text) for text in shown), default=(0.0, ""), key=_first
        )
        return best if likeness >= AGREEMENT else line
    return shown[0] if shown else None


def agreement(one: str, other: str) -> float:
    """Return how alike two lines are, from 0 to 1, in any script: Dice over pairs of letters.

    >>> agreement("Rain on Monday", "Rain on Monday!")
    1.0
    """
    a, b = _pairs(one), _pairs(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def without_site(line: str, shown: Sequence[str], sites: set[str]) -> str:
    """Cut the site's name off a title where it is safe: it is known, or an h1 is the rest.

    A host name or a date at either end goes, too.

    >>> without_site("Rain on Monday | Daily News", [], {"dailynews"})
    'Rain on Monday'
    >>> without_site("Rain - a poem", [], {"dailynews"})
    'Rain - a poem'
    >>> without_site("Rain on Monday - Weather", ["Rain on Monday"], set())
    'Rain on Monday'
    """
    headlines = {sameness(text) for text in shown if 2 * len(text) > len(line)}
    if sameness(line) in headlines:
        return line
    separators = list(_SEPARATOR.finditer(line))
    for found in reversed(separators[:3] + separators[3:][-3:]):
        before, after = line[: found.start()].strip(), line[found.end() :].strip()
        for rest, part in ((before, after), (after, before)):
            if rest and (sameness(rest) in headlines or _is_site(part, sites)):
                return without_site(rest, shown, sites)
    return line


def _is_site(part: str, sites: set[str]) -> bool:
    return sameness(part) in sites or bool(_HOST.fullmatch(part)) or iso_date(part) is not None


def _pairs(line: str) -> set[str]:
    letters = sameness(line)
    return {letters[i : i + 2] for i in range(len(letters) - 1)} or {letters} - {""}


def _first(pair: tuple[float, str]) -> float:
    return pair[0]
