"""The headline, chosen among what the head, the JSON-LD and the page itself call it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from lxml.html import HtmlElement

from newsclean.metadata.dates import iso_date
from newsclean.metadata.text import comparison_key, single_line
from newsclean.metadata.urls import url_key

MAX_HEADLINE = 400
MAX_LINKS = 100  # among which one to the front page is looked for; it is at the top
MAX_NAME = 100  # of a site, as such a link gives it
MAX_LOGOS = 3
MAX_PIECES = 20
#: How alike an h1 must be to what the head calls the page, to be taken for its headline. The h1
#: is what readers see; the head's titles are often cut, or reworded for search engines.
MIN_AGREEMENT = 0.4
#: An only h1 of at least this many words is a headline, whatever the head says.
MIN_LONG_H1_WORDS = 8
#: A shorter one may be a section's name: it needs this many words, and twice as many as the head.
MIN_SHORT_H1_WORDS = 4

_SEPARATOR = re.compile(r"\s+(?:[|\-–—·•:»«/~]|::|\|\|)\s+|\s*[|»]\s*|:\s+")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}", re.I)


def choose_headline(
    named: Iterable[object], h1: Iterable[str], title: str, site_names: Iterable[str]
) -> str | None:
    """The headline: the h1 that agrees with the head, else what the head calls the page.

    The head may also say less than the h1, or nothing: a title of "Bridge", or of a site's name
    that only the h1 shows to be one. `named` are the values of JSON-LD, OpenGraph and the
    like, the most trusted first.
    """
    sites = {key for key in map(comparison_key, site_names) if key}
    shown = [line for line in (single_line(text, MAX_HEADLINE + 100) for text in h1) if line]
    shown = [
        line for line in shown if len(line) <= MAX_HEADLINE and comparison_key(line) not in sites
    ]
    for value in [*named, title]:
        line = without_site(single_line(value, MAX_HEADLINE), shown, sites)
        if not line or comparison_key(line) in sites:
            continue
        likeness, best = max(
            ((agreement(line, text), text) for text in shown), default=(0.0, ""), key=_first
        )
        if likeness >= MIN_AGREEMENT:
            return best
        if len(shown) == 1 and _says_more(shown[0], line):
            return shown[0]
        return next((text for text in shown if _has_all_words_of(text, line)), line)
    return shown[0] if shown else None


def front_page_names(links: Iterable[HtmlElement], url: str | None) -> Iterator[str]:
    """The texts of the links to the site's front page: its logo says its name."""
    labels = url_key(url).partition("/")[0].split(".")
    hosts = [".".join(labels[i:]) for i in range(len(labels) - 1)]
    hosts += [f"www.{host}" for host in hosts]
    homes = {"", *(f"{scheme}//{host}" for host in hosts for scheme in ("", "http:", "https:"))}
    for link in islice(links, MAX_LINKS):
        href = link.get("href")
        if href and href.rstrip("/") in homes:
            texts = [link.get("title"), link.get("aria-label")]
            texts += [image.get("alt") for image in islice(link.iter("img"), MAX_LOGOS)]
            texts.append("".join(islice(link.itertext(), MAX_PIECES)))
            yield from (text for text in texts if text and len(text) <= MAX_NAME)


def agreement(one: str, other: str) -> float:
    """How alike two lines are, from 0 to 1, in any script: Dice over pairs of letters.

    >>> agreement("Rain on Monday", "Rain on Monday!")
    1.0
    """
    a, b = _letter_pairs(one), _letter_pairs(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def without_site(line: str, shown: Sequence[str], sites: set[str]) -> str:
    """A title without the site's name, where that is safe: it is known, or an h1 is the rest.

    An h1 that ends a title of longer parts is the site's name, its logo. A host name or a date
    at either end goes, too.

    >>> without_site("Rain on Monday | Daily News", [], {"dailynews"})
    'Rain on Monday'
    >>> without_site("Rain - a poem", [], {"dailynews"})
    'Rain - a poem'
    >>> without_site("Rain on Monday - Weather", ["Rain on Monday"], set())
    'Rain on Monday'
    """
    headings = set(map(comparison_key, shown))
    if comparison_key(line) in headings:
        return line
    longest = max(map(len, _SEPARATOR.split(line)))
    separators = list(_SEPARATOR.finditer(line))
    for found in reversed(separators[:3] + separators[3:][-3:]):
        before, after = line[: found.start()].strip(), line[found.end() :].strip()
        if after and comparison_key(after) in headings and len(after) >= longest:
            return after
        if before and (comparison_key(before) in headings or comparison_key(after) in headings):
            return without_site(before, shown, sites)
        for rest, part in ((before, after), (after, before)):
            if rest and _is_site(part, sites):
                return without_site(rest, shown, sites)
    return line


def _is_site(part: str, sites: set[str]) -> bool:
    return (
        comparison_key(part) in sites or bool(_HOST.fullmatch(part)) or iso_date(part) is not None
    )


def _says_more(text: str, line: str) -> bool:
    """Whether the only h1 is rather the headline than a line that is nothing like it."""
    words = len(text.split())
    return words >= MIN_LONG_H1_WORDS or words >= max(2 * len(line.split()), MIN_SHORT_H1_WORDS)


def _has_all_words_of(text: str, line: str) -> bool:
    """Whether a longer text has all words of a line."""
    words = set(text.casefold().split())
    return len(line) < len(text) and words.issuperset(line.casefold().split())


def _letter_pairs(line: str) -> set[str]:
    letters = comparison_key(line)
    return {letters[i : i + 2] for i in range(len(letters) - 1)} or {letters} - {""}


def _first(pair: tuple[float, str]) -> float:
    return pair[0]
