"""Predict whether a page is an article: decision trees, and rules for pages that a corpus lacks.

In go the features and words of a page, out comes a `Prediction`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

from newsclean.extraction.is_article.page_features import ARTICLE_TYPES, MIN_WORDS, URL_FEATURES
from newsclean.extraction.is_article.trees import shipped

if TYPE_CHECKING:
    from newsclean.extraction.is_article.page_features import PageWords
    from newsclean.extraction.is_article.trees import Case

#: Why a page is not an article, as short names for logs and stats.
NO_TEXT = "no-text"
TOO_SHORT = "too-short"
MOSTLY_LINKS = "mostly-links"
NOT_SURE = "not-sure"
NOT_FOUND = "not-found"
URL = "url"
#: The features behind each reason.
REASONS = {
    TOO_SHORT: "chosen words; chosen share; paragraph words; longest paragraph",
    NOT_SURE: "confidence; last resort",
    NOT_FOUND: "not found",
    "no-paragraphs": "paragraphs; paragraph share; paragraphs together; words per block",
    MOSTLY_LINKS: (
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

#: The shortest article if the method was not sure of the text, or if the URL is of another kind.
_MIN_WORDS_IF_DOUBTFUL = 150
#: Below this confidence, a method is not sure of the text that it chose.
_MIN_CONFIDENCE = 0.9
#: The same for a page with author and date.
_MIN_CONFIDENCE_OF_SIGNED = 0.95
#: With a larger share of the chosen words in links, a page is a list. No article of the corpora has
#: more than 0.6.
_MAX_CHOSEN_LINK_SHARE = 0.7
#: Limits of a page that is little else than running text.
_MAX_LINKS = 25
_MAX_FIELDS = 3
_MAX_LINK_SHARE = 0.3
_MIN_CHOSEN_SHARE = 0.4
_MIN_PARAGRAPH_SHARE = 0.3
#: A page with all signs of an article is one, whatever its URL says, if the trees give it this
#: probability without the URL.
_MIN_PROBABILITY_ANYWHERE = 0.9
#: The least probability of a page that a rule calls an article: enough for every threshold.
MIN_PROBABILITY = 0.6


@dataclass(frozen=True)
class Prediction:
    is_article: bool
    #: from 0 to 1
    probability: float
    #: a name of `REASONS`, or empty for an article
    reason: str = ""


NO_ARTICLE = Prediction(False, 0.0, NO_TEXT)


def predict(features: Case, words: PageWords) -> Prediction:
    """Predict whether a page with these features and words is an article.

    The URL is evidence, not proof: a page that is clearly an article by everything else is one.
    """
    model = shipped()["pages"]
    reason = _surely_not(features)
    if reason:
        return Prediction(False, 0.0, reason)
    case = model.case_of(features, words)
    probability = with_rules(case, model.ensemble.probability(case))
    if probability >= model.threshold:
        return Prediction(True, probability)
    if _is_clear(features):
        anywhere = {**features, **dict.fromkeys(URL_FEATURES)}
        case_anywhere = model.case_of(anywhere, replace(words, address=frozenset()))
        if model.ensemble.probability(case_anywhere) >= _MIN_PROBABILITY_ANYWHERE:
            return Prediction(True, model.threshold)
    changes = model.ensemble.changes(case)
    against = min(changes.items(), key=lambda pair: pair[1], default=("", 0.0))
    return Prediction(False, probability, REASON_OF.get(against[0], "other"))


def with_rules(case: Case, probability: float) -> float:
    """Return the probability of the trees, or that of a rule which overrules them."""
    if _surely_not(case):
        return 0.0
    return max(probability, MIN_PROBABILITY) if _surely_one(case) else probability


def rule_in_words(case: Case, probability: float) -> str | None:
    """Return the rule, if any, that overruled the trees' probability for a case."""
    reason = _surely_not(case)
    if reason == TOO_SHORT:
        return f"fewer than {MIN_WORDS} words"
    if reason == NOT_FOUND:
        return "the page says that it was not found"
    if reason == MOSTLY_LINKS:
        return "most of the chosen words are in links"
    if reason == NOT_SURE and case["last resort"]:
        return "text found as a last resort"
    if reason == NOT_SURE:
        return f"fewer than {_MIN_WORDS_IF_DOUBTFUL} words, and the method was not sure of them"
    if reason == URL:
        return f"fewer than {_MIN_WORDS_IF_DOUBTFUL} words, and a URL that is not an article's"
    return _surely_one(case) if with_rules(case, probability) != probability else None


def _surely_not(case: Case) -> str | None:
    """Return why a page is not an article, whatever the trees say, or None."""
    words = _number(case, "chosen words")
    says_so = case["type"] in ARTICLE_TYPES
    if words < MIN_WORDS:
        return TOO_SHORT
    if case["not found"]:
        return NOT_FOUND
    if _number(case, "chosen link share") > _MAX_CHOSEN_LINK_SHARE:
        return MOSTLY_LINKS
    few = words < _MIN_WORDS_IF_DOUBTFUL
    if case["last resort"] and (few or not says_so):
        return NOT_SURE
    if few and not says_so and not _is_bare_text(case):
        if _number(case, "confidence") < _MIN_CONFIDENCE:
            return NOT_SURE
        if case["url reserved"] not in (None, "none") and not _is_signed_or_dated_twice(case):
            return URL
    return None


def _surely_one(case: Case) -> str | None:
    """Return why a page is an article, whatever the trees say, or None."""
    if _is_bare_text(case):
        return "hardly anything but running text"
    if is_signed_and_dated(case):
        return "an author, a date that is also in the URL, and a text of which the method was sure"
    return None


def _is_clear(case: Case) -> bool:
    """Whether a page has all signs of an article except for its URL."""
    return _is_signed_or_dated_twice(case) or bool(
        case["date"]
        and case["type"] in ARTICLE_TYPES
        and _number(case, "chosen words") >= _MIN_WORDS_IF_DOUBTFUL
        and _number(case, "confidence") >= _MIN_CONFIDENCE
    )


def _is_bare_text(case: Case) -> bool:
    """Whether a page is little else than running text; the trees only know pages with menus."""
    return (
        _number(case, "links") <= _MAX_LINKS
        and _number(case, "fields") <= _MAX_FIELDS
        and _number(case, "link share") <= _MAX_LINK_SHARE
        and _number(case, "chosen share") >= _MIN_CHOSEN_SHARE
        and _number(case, "paragraph share") >= _MIN_PARAGRAPH_SHARE
        and case["type"] in (*ARTICLE_TYPES, "none")
    )


def is_signed_and_dated(case: Case) -> bool:
    """Whether a page has an author, a date that its URL repeats, and a sure text."""
    return bool(case["url date"] and case["authors"]) and _is_sure_and_dated(case)


def _is_signed_or_dated_twice(case: Case) -> bool:
    """Whether a page has a date, an author or the date in its URL, and a sure text."""
    return bool(case["url date"] or case["authors"]) and _is_sure_and_dated(case)


def _is_sure_and_dated(case: Case) -> bool:
    return bool(
        case["date"]
        and _number(case, "confidence") >= _MIN_CONFIDENCE_OF_SIGNED
        and case["type"] in (*ARTICLE_TYPES, "none", "website")
    )


def _number(case: Case, name: str) -> float:
    """Return a feature, or NaN if it is missing, so that every comparison is false."""
    value = case[name]
    return nan if value is None or isinstance(value, str) else value
