"""Two rules beside the trees, for pages of which a corpus has hardly any."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsclean.articles.c45 import Case

#: Fewer words than this are a caption or a notice.
FEWEST_WORDS = 40
#: The same for words that no method was sure of.
FEWEST_AS_LAST_RESORT = 100
#: A page with so little beside its text, and so much of it in paragraphs, is bare text.
MOST_LINKS = 25
MOST_FIELDS = 3
MOST_LINKED = 0.3
LEAST_CHOSEN = 0.4
LEAST_IN_PARAGRAPHS = 0.3
#: So probably at least is bare text an article: enough for every threshold.
BARE_TEXT = 0.3


def ruled(case: Case, probability: float) -> float:
    """The probability of the trees, as far as no rule knows better."""
    if is_too_short(case):
        return 0.0
    return max(probability, BARE_TEXT) if is_bare_text(case) else probability


def is_too_short(case: Case) -> bool:
    """Whether so few words were chosen that they are no article."""
    return bool(case["chosen words"] < FEWEST_WORDS)  # type: ignore[operator]


def is_bare_text(case: Case) -> bool:
    """Whether a page is little else than running text; trees learned from pages with menus."""
    return bool(
        case["links"] <= MOST_LINKS  # type: ignore[operator]
        and case["fields"] <= MOST_FIELDS  # type: ignore[operator]
        and case["link share"] <= MOST_LINKED  # type: ignore[operator]
        and case["chosen share"] >= LEAST_CHOSEN  # type: ignore[operator]
        and case["paragraph share"] >= LEAST_IN_PARAGRAPHS  # type: ignore[operator]
        and case["type"] in ("posting", "article", "none")
    )
