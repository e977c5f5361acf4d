"""Rules beside the trees, for pages of which a corpus has hardly any."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsclean.articles.trees import Case

#: Why a page is surely not an article, as short names for logs and stats.
TOO_SHORT = "too-short"
NOT_SURE = "not-sure"
URL = "url"
NOT_FOUND = "not-found"

#: Fewer words than this are a caption or a notice.
MIN_WORDS = 40
#: The same for words of which the method was not sure, or that appear where the address says that
#: the page is something else.
MIN_WORDS_IF_DOUBTFUL = 150
#: A method that is less sure than this of what it chose is not sure.
MIN_CONFIDENCE = 0.9
#: What articles call themselves; a page that says so is left to the trees.
ARTICLES = ("posting", "article")
#: A page with at most this beside its text, and at least this of it in paragraphs, is bare text.
MAX_LINKS = 25
MAX_FIELDS = 3
MAX_LINK_SHARE = 0.3
MIN_CHOSEN_SHARE = 0.4
MIN_PARAGRAPH_SHARE = 0.3
#: Above this, a method is sure of what it chose, as far as a signed and dated page is concerned.
MIN_CONFIDENCE_OF_SIGNED = 0.95
#: A page with all signs of an article is one, whatever its address says, if it is at least this
#: likely by all else.
MIN_PROBABILITY_ANYWHERE = 0.9
#: What a rule calls an article is one with at least this probability: enough for every threshold.
MIN_PROBABILITY = 0.5


def surely_not(case: Case) -> str | None:
    """Why a page is surely no article, whatever the trees say of it; None if it may be one."""
    words: float = case["chosen words"]  # type: ignore[assignment]
    says_so = case["type"] in ARTICLES
    if words < MIN_WORDS:
        return TOO_SHORT
    if case["not found"]:
        return NOT_FOUND
    few = words < MIN_WORDS_IF_DOUBTFUL
    if case["last resort"] and (few or not says_so):
        return NOT_SURE
    if few and not says_so and not is_bare_text(case):
        confidence: float | None = case["confidence"]  # type: ignore[assignment]
        if confidence is not None and confidence < MIN_CONFIDENCE:
            return NOT_SURE
        if case["url reserved"] not in (None, "none") and not is_signed_or_dated_twice(case):
            return URL
    return None


def with_rules(case: Case, probability: float) -> float:
    """The probability of the trees, as far as no rule knows better."""
    if surely_not(case):
        return 0.0
    return max(probability, MIN_PROBABILITY) if _surely_one(case) else probability


def _surely_one(case: Case) -> str | None:
    """Why a page is an article, whatever the trees say of it; None if a rule does not know."""
    if is_bare_text(case):
        return "little else than running text"
    if is_signed_and_dated(case):
        return "an author and a date, the date in the address too, and a text that is sure"
    return None


def is_clear(case: Case) -> bool:
    """Whether a page has all signs of an article but for its address."""
    confidence: float | None = case["confidence"]  # type: ignore[assignment]
    return is_signed_or_dated_twice(case) or bool(
        case["date"]
        and case["type"] in ARTICLES
        and case["chosen words"] >= MIN_WORDS_IF_DOUBTFUL  # type: ignore[operator]
        and confidence is not None
        and confidence >= MIN_CONFIDENCE
    )


def rule_in_words(case: Case, probability: float) -> str | None:
    """The rule that overruled the trees' probability for a case, if one did."""
    reason = surely_not(case)
    if reason == TOO_SHORT:
        return f"fewer than {MIN_WORDS} words"
    if reason == NOT_FOUND:
        return "it says that there is no such page"
    if reason == NOT_SURE and case["last resort"]:
        return "text found as a last resort"
    if reason == NOT_SURE:
        return f"fewer than {MIN_WORDS_IF_DOUBTFUL} words, of which the method was not sure"
    if reason == URL:
        return f"fewer than {MIN_WORDS_IF_DOUBTFUL} words at an address of something else"
    return _surely_one(case) if with_rules(case, probability) != probability else None


def is_bare_text(case: Case) -> bool:
    """Whether a page is little else than running text; trees learned from pages with menus."""
    return bool(
        case["links"] <= MAX_LINKS  # type: ignore[operator]
        and case["fields"] <= MAX_FIELDS  # type: ignore[operator]
        and case["link share"] <= MAX_LINK_SHARE  # type: ignore[operator]
        and case["chosen share"] >= MIN_CHOSEN_SHARE  # type: ignore[operator]
        and case["paragraph share"] >= MIN_PARAGRAPH_SHARE  # type: ignore[operator]
        and case["type"] in (*ARTICLES, "none")
    )


def is_signed_and_dated(case: Case) -> bool:
    """Whether a page has an author and a date, which its address repeats, over a sure text."""
    return bool(case["url date"] and case["authors"]) and _is_sure_and_dated(case)


def is_signed_or_dated_twice(case: Case) -> bool:
    """Whether a page has a date, and an author or the date in its address, over a sure text."""
    return bool(case["url date"] or case["authors"]) and _is_sure_and_dated(case)


def _is_sure_and_dated(case: Case) -> bool:
    confidence: float | None = case["confidence"]  # type: ignore[assignment]
    return bool(
        case["date"]
        and confidence is not None
        and confidence >= MIN_CONFIDENCE_OF_SIGNED
        and case["type"] in (*ARTICLES, "none", "website")
    )
