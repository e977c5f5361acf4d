"""What tells comments, a second article and a copy."""

import numpy as np

from newsclean.extraction.methods.hybrid.context import BlockContext
from newsclean.extraction.methods.hybrid.features import reply_features, second_article_features
from newsclean.extraction.page import Page

from .stories import paragraph


def features_of(html: str) -> tuple[list[str], dict[str, np.ndarray]]:
    context = BlockContext(Page.from_html(html))
    return context.page.blocks.text, {
        **reply_features(context),
        **second_article_features(context),
    }


STORY = "".join(f"<p>{paragraph('Oslo', number)}</p>" for number in range(4))
COMMENTS = "".join(
    f"<li class=c><div><b>Reader {n}</b><div>1{n}.03.2026, 1{n}:30</div><p>I was there, and it was "
    f"quite different from what you tell, for the {n}th time.</p><a href=#>Reply</a></div></li>"
    for n in range(5)
)


def test_boxes_of_one_shape_with_dates_and_replies_differ_from_paragraphs() -> None:
    texts, found = features_of(f"<div>{STORY}</div><ul>{COMMENTS}</ul>")
    comment = next(n for n, text in enumerate(texts) if text.startswith("I was there"))
    assert found["boxes dated"][comment] == found["boxes answered"][comment] == 1
    assert found["boxes alike"][comment] == np.log1p(5)
    assert found["running before boxes"][comment] > 0.3
    assert found["boxes dated"][0] == found["boxes answered"][0] == 0


def test_boxes_without_dates_are_only_boxes() -> None:
    items = "".join(f"<li><p>{paragraph('Moss', n)}</p></li>" for n in range(4))
    texts, found = features_of(f"<div>{STORY}</div><ul>{items}</ul>")
    assert (found["boxes dated"] == 0).all()
    assert found["boxes alike"][len(texts) - 1] == np.log1p(4)


def test_a_second_headline_with_a_date_begins_a_second_article() -> None:
    head = "<h1>Rain in {}</h1><div>14.03.2026, 18:30</div>"
    articles = [f"<article>{head.format(town)}{STORY}</article>" for town in ("Oslo", "Moss")]
    texts, found = features_of("".join(articles))
    second = texts.index("Rain in Moss")
    counted = found["dated headlines before"]
    assert (counted[:second] == 1).all()
    assert (counted[second:] == 2).all()
    assert found["articles ended before"].tolist() == [0] * second + [1] * (len(texts) - second)
    assert found["running since dated headline"][second - 1] > 0
    assert found["running since dated headline"][second] == 0


def test_a_text_that_was_there_before_is_a_copy() -> None:
    _, found = features_of(f"<div>{STORY}</div><div>{STORY}<p>Rain</p></div>")
    assert found["copy of a block before"].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 0]
