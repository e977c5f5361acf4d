"""The judgement of a page: an article or not, how probably, and what spoke against it most."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from newsclean.extraction.is_article.page_features import (
    ADDRESS,
    MIN_PROBABILITY_ANYWHERE,
    NOT_FOUND,
    NOT_SURE,
    TOO_SHORT,
    URL,
    is_clear,
    surely_not,
    with_rules,
)
from newsclean.extraction.is_article.trees import shipped

if TYPE_CHECKING:
    from newsclean.extraction.is_article.page_wording import PageWords
    from newsclean.extraction.is_article.trees import Case


#: Why a page is no article, as short names for logs and stats, by what was asked of it.
NO_TEXT = "no-text"
REASONS = {
    TOO_SHORT: "chosen words; chosen share; paragraph words; longest paragraph",
    NOT_SURE: "confidence; last resort",
    NOT_FOUND: "not found",
    "no-paragraphs": "paragraphs; paragraph share; paragraphs together; words per block",
    "mostly-links": (
        "link share; headline links; linked headings; links; chosen link share; articles; times; "
        "list items; headings"
    ),
    "other-type": "type; template; generator; article tags; frame words",
    "no-headline": "h1; h1 words; headline words",
    "no-date-or-author": "date; authors",
    "fields-and-prices": "fields; code; prices; phone numbers; offers",
    "other-wording": (
        "reader words; house words; report words; past words; offer words; text words"
    ),
    URL: (
        "url path segments; url words; url number; url date; url slash; url article; url reserved"
    ),
}
REASON_OF = {
    attribute: reason for reason, names in REASONS.items() for attribute in names.split("; ")
}


@dataclass(frozen=True)
class Judgement:
    is_article: bool
    #: how likely the page is an article, from 0 to 1
    probability: float
    #: why not, as a short name for logs and stats; empty for an article
    reason: str = ""


#: Of a page without any chosen text, whatever else it has.
NO_ARTICLE = Judgement(False, 0.0, NO_TEXT)


def judge(features: Case, words: PageWords) -> Judgement:
    """Whether a page is an article, by its features and its words.

    Its address is evidence and no proof: a page that is clearly an article by all else is one.
    """
    model = shipped()["pages"]
    reason = surely_not(features)
    if reason:
        return Judgement(False, 0.0, reason)
    case = model.case_of(features, words)
    probability = with_rules(case, model.ensemble.probability(case))
    if probability >= model.threshold:
        return Judgement(True, probability)
    if is_clear(features):
        anywhere = {**features, **dict.fromkeys(ADDRESS)}
        case_anywhere = model.case_of(anywhere, replace(words, address=frozenset()))
        if model.ensemble.probability(case_anywhere) >= MIN_PROBABILITY_ANYWHERE:
            return Judgement(True, model.threshold)
    changes = model.ensemble.changes(case)
    against = min(changes.items(), key=lambda pair: pair[1], default=("", 0.0))
    return Judgement(False, probability, REASON_OF.get(against[0], "other"))
