"""Headline, authors, date and keywords against the gold, beside other tools."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from newsclean.extraction.text import comparison_key, counted
from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.evaluate.measures import Mean, means
from newsclean.lab.evaluate.peers import FIELD_PEERS, Fields, Source, quiet
from newsclean.lab.evaluate.score_tables import NOTHING, Table
from newsclean.lab.evaluate.systems import extraction_of
from newsclean.lab.folds import fold_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from newsclean.lab.evaluate.corpus import Corpus, Gold
    from newsclean.lab.evaluate.systems import System

FIELDS = ("headline", "authors", "date", "keywords")

_BETWEEN_NAMES = re.compile(r"[,;&|]|\s(?:and|und|et|y)\s", re.I)


class Answer(NamedTuple):
    """What a system said of one field of one page."""

    page: str
    site: str
    collection: str
    system: str
    field: str
    gold: str | list[str]
    found: str | list[str] | None
    right: bool
    error: str | None = None


@dataclass(frozen=True)
class Figures:
    """How often a system is right: of all pages with gold, and of those on which it answered."""

    collection: str
    field: str
    system: str
    pages: int
    given: int
    recall: Mean
    precision: Mean | None


def measure(
    corpus: Corpus,
    systems: Sequence[System],
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> list[Answer]:
    """What each system says of all pages of which the gold says something."""
    golds = [gold for gold in corpus.golds if any(_gold_fields(gold))]
    golds.sort(key=lambda gold: (gold.collection, gold.site))
    answers: list[Answer] = []
    for number, gold in enumerate(golds):
        progress(number, len(golds))
        for system in systems:
            answers += _page_answers(gold, corpus.others(gold), system)
    progress(len(golds), len(golds))
    return answers


def _page_answers(gold: Gold, others: Sequence[Gold], system: System) -> Iterator[Answer]:
    """The answers of one system on one page; one that raises has found nothing."""
    error = None
    try:
        with quiet():
            found = _found(gold, others, system)
    except Exception as problem:  # a peer may raise anything
        found, error = Fields(), f"{type(problem).__name__}: {problem}"[:200]
    gives = FIELD_PEERS[system.name].names if system.is_peer else FIELDS
    given = {"headline": found.headline, "authors": found.authors}
    given |= {"date": found.date, "keywords": found.keywords}
    for name, value in zip(FIELDS, _gold_fields(gold), strict=True):
        if value and name in gives:
            answer = given[name]
            right = bool(answer) and _IS_RIGHT[name](value, answer)
            yield Answer(
                gold.name, gold.site, gold.collection, system.label, name,
                value, answer or None, right, error,
            )  # fmt: skip


def _gold_fields(gold: Gold) -> tuple[str | list[str], ...]:
    """What the gold says of headline, authors, date and keywords, empty where it does not."""
    return gold.title or "", list(gold.authors), gold.date or "", list(gold.topics)


def _found(gold: Gold, others: Sequence[Gold], system: System) -> Fields:
    if system.is_peer:
        return FIELD_PEERS[system.name].fields(Source(read_page(gold.path)), gold.url)
    article = extraction_of(gold, others, system, gold.url).article(html_body=False)
    return Fields(article.headline, article.authors, article.date_published, article.keywords)


def _is_same_headline(gold: str, found: str) -> bool:
    """Whether two headlines have the same letters and digits.

    >>> _is_same_headline("Rain – “again”", "Rain: 'Again'")
    True
    """
    return comparison_key(gold) == comparison_key(found)


def are_same_authors(gold: Iterable[str], found: Iterable[str]) -> bool:
    """Whether two lists hold the same names, in any order.

    An entry with several names counts as several. Of one entry, single words after the first name
    are degrees and suffixes, and do not count.

    >>> are_same_authors(["Ann Lee, PhD", "Bob Ray"], ["Bob Ray & Ann Lee"])
    True
    """
    return _names(gold) == _names(found)


def _names(entries: Iterable[str]) -> set[str]:
    names = set()
    for entry in entries:
        for place, part in enumerate(_BETWEEN_NAMES.split(entry)):
            if not place or len(part.split()) > 1:
                names.add(comparison_key(part))
    return names - {""}


def is_same_day(gold: str, found: str) -> bool:
    """Whether two dates are of one day: as both are written, or in the zone of the gold.

    >>> is_same_day("2024-03-01 00:30:00+01:00", "2024-02-29T23:30:00+00:00")
    True
    >>> is_same_day("2015-11", "2015-11-05")
    True
    """
    if gold[:10] == found[: len(gold[:10])]:
        return True
    try:
        one, other = datetime.fromisoformat(gold), datetime.fromisoformat(found)
    except ValueError:
        return False
    if one.tzinfo is None or other.tzinfo is None:
        return False
    return other.astimezone(one.tzinfo).date() == one.date()


def are_same_keywords(gold: Iterable[str], found: Iterable[str]) -> bool:
    """Whether two lists hold the same keywords, in any order."""
    return {*map(comparison_key, gold)} == {*map(comparison_key, found)}


_IS_RIGHT: dict[str, Callable[[Any, Any], bool]] = {
    "headline": _is_same_headline,
    "authors": are_same_authors,
    "date": is_same_day,
    "keywords": are_same_keywords,
}


def summarise(answers: Iterable[Answer]) -> list[Figures]:
    """The figures of each collection, field and system."""
    groups: dict[tuple[str, str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        groups[answer.collection, answer.field, answer.system].append(answer)
    summary = []
    for (collection, name, system), group in groups.items():
        given = [answer for answer in group if answer.found]
        summary.append(
            Figures(
                collection, name, system, len(group), len(given),
                _share(group), _share(given) if given else None,
            )
        )  # fmt: skip
    return summary


def _share(answers: Sequence[Answer]) -> Mean:
    return means([[float(answer.right)] for answer in answers])[0]


def field_tables(summary: Sequence[Figures]) -> list[Table]:
    """A table for each field that a collection has: a row a system."""
    tables = []
    for collection, name in dict.fromkeys((one.collection, one.field) for one in summary):
        rows = [
            [one.system, interval(one.recall), interval(one.precision), str(one.given)]
            for one in summary
            if (one.collection, one.field) == (collection, name)
        ]
        pages = next(s.pages for s in summary if (s.collection, s.field) == (collection, name))
        title = f"{collection}, {name}: {counted(pages, 'page')}"
        tables.append(Table(title, ["", "right", "right where given", "given"], rows))
    return tables


def interval(mean: Mean | None) -> str:
    return NOTHING if mean is None else f"{mean.mean:.3f} ({mean.low:.3f}–{mean.high:.3f})"


def as_json(answers: Sequence[Answer], summary: Sequence[Figures]) -> dict[str, Any]:
    """The figures, and of each page whether each system was right; no text of a page."""
    return {
        "figures": [
            {
                "collection": one.collection, "field": one.field, "system": one.system,
                "pages": one.pages, "given": one.given,
                "right": one.recall._asdict(),
                "right_where_given": one.precision._asdict() if one.precision else None,
            }
            for one in summary
        ],
        "pages": [
            {
                "page": a.page, "fold": fold_of(a.site), "system": a.system, "field": a.field,
                "given": a.found is not None, "right": a.right, "error": a.error,
            }
            for a in answers
        ],
    }  # fmt: skip
