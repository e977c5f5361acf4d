"""A judgement in words: what spoke for an article and what against, and the paths through trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.articles.judgement import paths, total_changes
from newsclean.articles.model import shipped
from newsclean.articles.rules import rule_in_words
from newsclean.extraction import Extractor
from newsclean.lab.trees.drawing import condition, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.articles.trees import Value
    from newsclean.page import Page

#: At most this many attributes are named for and against.
MAX_NAMED = 5


def explain_page(page: Page, trees: int = 3) -> Iterator[str]:
    """Lines that say why a page is an article, or is not one."""
    extraction = Extractor()(page)
    judgement = extraction.judgement
    model = shipped()["pages"]
    verdict = "an article" if judgement.is_article else f"no article ({judgement.reason})"
    yield f"{verdict}: probability {judgement.probability:.3f}, needed {model.threshold:g}"
    case = model.case_of(extraction.article_features, extraction.page_words)
    rule = rule_in_words(case, model.ensemble.probability(case))
    if rule:
        yield f"by rule, whatever the trees say: {rule}"
    elif judgement.is_article and model.ensemble.probability(case) < model.threshold:
        yield "by rule, whatever its address says: the page is an article by all else"
    found = paths(model, case)
    changes = total_changes(reason for path in found for reason in path)
    ranked = sorted(changes, key=lambda name: -abs(changes[name]))
    for word, sign in (("for", 1), ("against", -1)):
        named = [name for name in ranked if sign * changes[name] > 0][:MAX_NAMED]
        if named:
            yield f"what speaks {word} an article:"
        for name in named:
            yield f"  {changes[name]:+.2f}  {name}: {_shown(case[name])}"
    # The trees that were moved most say most.
    order = sorted(range(len(found)), key=lambda i: -abs(sum(r.change for r in found[i])))
    for place in order[:trees]:
        yield f"tree {place + 1} of {len(found)}:"
        for depth, reason in enumerate(found[place]):
            yield f"  {'  ' * depth}{condition(reason, reason.outcome)}  ({reason.change:+.2f})"


def _shown(value: Value) -> str:
    if value is None:
        return "unknown"
    return value if isinstance(value, str) else number(float(value))
