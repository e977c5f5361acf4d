"""The start list: publishers with their address, country and language, in `publishers.csv`.

Each row is a fact that was looked up in the public list that its column `source` names. Nothing was
crawled to make it.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from newsclean.error_hints import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_FILE = "publishers.csv"
#: ISO 3166 reserves UK for what it calls GB.
_COUNTRY_ALIASES = {"uk": "gb"}
#: Both written forms of Norwegian: the sources only say `no`.
_LANGUAGE_ALIASES = {"nb": "no", "nn": "no"}


class StartListError(ValueError):
    """No publisher of the start list is what was asked for."""


@dataclass(frozen=True)
class Publisher:
    name: str
    url: str
    #: ISO 3166 alpha-2, in capitals
    country: str
    #: the main language, BCP 47
    language: str
    #: the repository and the file in which the other fields were looked up
    source: str


@cache
def publishers() -> tuple[Publisher, ...]:
    """Return the whole list, sorted by country and name."""
    text = files(__package__).joinpath(_FILE).read_text("utf-8")
    return tuple(Publisher(**row) for row in csv.DictReader(text.splitlines()))


def matching(countries: Collection[str] = (), languages: Collection[str] = ()) -> list[Publisher]:
    """Return the publishers of any of the countries in any of the languages; all if none is given.

    `StartListError` if a country or a language is not in the list, or no publisher has both.

    >>> {publisher.country for publisher in matching(["no"], ["nb"])}
    {'NO'}
    """
    there = _known("country", countries, (one.country for one in publishers()), _country)
    spoken = _known("language", languages, (one.language for one in publishers()), _language)
    found = [one for one in publishers() if not there or _country(one.country) in there]
    chosen = [one for one in found if not spoken or _language(one.language) in spoken]
    if not chosen:
        others = Counter(one.language for one in found)
        raise StartListError(
            f"no publisher in {', '.join(countries)} whose language is {', '.join(languages)}; "
            f"there are {', '.join(f'{language} ({n})' for language, n in others.most_common())}"
        )
    return chosen


def _country(code: str) -> str:
    """Return a country code as codes are compared.

    >>> _country("NO"), _country("uk")
    ('no', 'gb')
    """
    return _COUNTRY_ALIASES.get(code.lower(), code.lower())


def _language(tag: str) -> str:
    """Return the language of a tag as languages are compared: without script and region.

    >>> _language("pt-BR"), _language("nb")
    ('pt', 'no')
    """
    language = tag.lower().replace("_", "-").partition("-")[0]
    return _LANGUAGE_ALIASES.get(language, language)


def _known(
    what: str, wanted: Collection[str], listed: Iterable[str], plain: Callable[[str], str]
) -> set[str]:
    """Return the codes that are wanted, as they are compared; all must be in the list."""
    known = sorted({plain(code) for code in listed})
    for code in wanted:
        if plain(code) not in known:
            raise StartListError(
                f"the start list has no publisher with the {what} {code!r}; did you mean "
                f"{nearest(plain(code), known)}? There are {', '.join(known)}"
            )
    return {plain(code) for code in wanted}
