"""Rules beside the trees, for pages of which a corpus has hardly any."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsclean.articles.trees import Case

#: Why a page is surely none, as short names for logs and stats.
TOO_SHORT = "too-short"
NOT_SURE = "not-sure"
URL = "url"

#: Fewer words than this are a caption or a notice.
FEWEST_WORDS = 40
#: The same for words of which the method was not sure, or that stand where the address says that
#: the page is something else.
FEWEST_IF_DOUBTFUL = 150
#: A method that is less sure than this of what it chose is not sure.
LEAST_SURE = 0.9
#: What articles call themselves; a page that says so is left to the trees.
ARTICLES = ("posting", "article")
#: A page with so little beside its text, and so much of it in paragraphs, is bare text.
MOST_LINKS = 25
MOST_FIELDS = 3
MOST_LINKED = 0.3
LEAST_CHOSEN = 0.4
LEAST_IN_PARAGRAPHS = 0.3
#: So probably at least is bare text an article: enough for every threshold.
BARE_TEXT = 0.3


def surely_not(case: Case) -> str | None:
    """Why a page is surely no article, whatever the trees say of it; None if it may be one."""
    words: float = case["chosen words"]  # type: ignore[assignment]
    says_so = case["type"] in ARTICLES
    if words < FEWEST_WORDS:
        return TOO_SHORT
    few = words < FEWEST_IF_DOUBTFUL
    if case["last resort"] and (few or not says_so):
        return NOT_SURE
    if few and not says_so and not is_bare_text(case):
        sureness: float | None = case["sureness"]  # type: ignore[assignment]
        if sureness is not None and sureness < LEAST_SURE:
            return NOT_SURE
        if case["url reserved"] not in (None, "none"):
            return URL
    return None


def ruled(case: Case, probability: float) -> float:
    """The probability of the trees, as far as no rule knows better."""
    if surely_not(case):
        return 0.0
    return max(probability, BARE_TEXT) if is_bare_text(case) else probability


def in_words(case: Case, probability: float) -> str | None:
    """The rule that overruled the trees' probability for a case, if one did."""
    reason = surely_not(case)
    if reason == TOO_SHORT:
        return f"fewer than {FEWEST_WORDS} words"
    if reason == NOT_SURE and case["last resort"]:
        return "text found as a last resort"
    if reason == NOT_SURE:
        return f"fewer than {FEWEST_IF_DOUBTFUL} words, of which the method was not sure"
    if reason == URL:
        return f"fewer than {FEWEST_IF_DOUBTFUL} words at an address of something else"
    return "little else than running text" if ruled(case, probability) != probability else None


def is_bare_text(case: Case) -> bool:
    """Whether a page is little else than running text; trees learned from pages with menus."""
    return bool(
        case["links"] <= MOST_LINKS  # type: ignore[operator]
        and case["fields"] <= MOST_FIELDS  # type: ignore[operator]
        and case["link share"] <= MOST_LINKED  # type: ignore[operator]
        and case["chosen share"] >= LEAST_CHOSEN  # type: ignore[operator]
        and case["paragraph share"] >= LEAST_IN_PARAGRAPHS  # type: ignore[operator]
        and case["type"] in (*ARTICLES, "none")
    )
