"""A judgement in words: what spoke for an article and what against, and the way through trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.articles.drawing import number
from newsclean.articles.judgement import judge, total_changes, ways
from newsclean.articles.model import shipped
from newsclean.articles.page_features import page_features
from newsclean.articles.rules import in_words
from newsclean.metadata import read_metadata
from newsclean.methods import method_named
from newsclean.render import body_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.articles.trees import Value
    from newsclean.page import Page

#: So many attributes are named for and against.
MOST_NAMED = 5


def explain_page(page: Page, trees: int = 3) -> Iterator[str]:
    """Lines that say why a page is an article, or is none."""
    metadata = read_metadata(page.elements, page.url)
    choice = method_named().choose(page, None)
    chosen = body_of(page, choice, metadata).text
    judgement = judge(page, chosen, metadata, choice)
    model = shipped()["pages"]
    verdict = "an article" if judgement.is_article else f"no article ({judgement.reason})"
    yield f"{verdict}: probability {judgement.probability:.3f}, needed {model.threshold:g}"
    case = page_features(page, chosen, metadata, choice)
    rule = in_words(case, model.ensemble.probability(case))
    if rule:
        yield f"by rule, whatever the trees say: {rule}"
    found = ways(model, case)
    changes = total_changes(reason for way in found for reason in way)
    ranked = sorted(changes, key=lambda name: -abs(changes[name]))
    for word, sign in (("for", 1), ("against", -1)):
        named = [name for name in ranked if sign * changes[name] > 0][:MOST_NAMED]
        if named:
            yield f"what speaks {word} an article:"
        for name in named:
            yield f"  {changes[name]:+.2f}  {name}: {_shown(case[name])}"
    # The trees that were moved most say most.
    order = sorted(range(len(found)), key=lambda i: -abs(sum(r.change for r in found[i])))
    for place in order[:trees]:
        yield f"tree {place + 1} of {len(found)}:"
        for depth, reason in enumerate(found[place]):
            yield f"  {'  ' * depth}{reason.answer}  ({reason.change:+.2f})"


def _shown(value: Value) -> str:
    if value is None:
        return "unknown"
    return value if isinstance(value, str) else number(float(value))
