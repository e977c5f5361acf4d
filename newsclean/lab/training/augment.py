"""Pages made of pages: what a corpus has too few of, without new labels.

A page gets the comments, the side column or the article of another page, loses its class names, or
is written in the tags of old pages. Its gold text stays what it was. The other page is of a
publisher of the same fold: no model sees a page's publisher by way of such a piece.
"""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from newsclean.lab.evaluate.corpus import read_page
from newsclean.lab.folds import fold_of
from newsclean.lab.training.examples import example_of
from newsclean.methods.hybrid import hints
from newsclean.page import Page, PageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from newsclean.lab.training.examples import Example
    from newsclean.page.columns import Column, Mask

#: The collection under which made pages are weighted; each kind is a part of it.
COLLECTION = "augmented"
#: Words of a piece that is worth inserting.
MIN_PIECE, MAX_PIECE = 40, 5000
#: The article's box is the smallest with this share of its words.
ARTICLE_SHARE = 0.9


@dataclass(frozen=True, eq=False)
class Labelled:
    """A page whose blocks are known to be the article's, or not."""

    page: Page
    is_article: Mask

    def of_rows(self, values: Column) -> tuple[Column, Column]:
        """Words in each row's subtree, and those of the article."""
        article = np.zeros(len(self.page), dtype=np.int64)
        article[self.page.text_rows] = self.is_article[self.page.blocks.of_text]
        return self.page.subtree(values), self.page.subtree(values * article)

    def article_box(self) -> etree._Element | None:
        """The smallest element that holds most of the article."""
        _, own = self.of_rows(self.page.words)
        boxes = np.flatnonzero((own >= ARTICLE_SHARE * max(own[0], 1)) & ~self.page.is_text)
        return self.page.element[int(boxes[-1])] if len(boxes) and own[0] else None

    def named_box(self, kind: str) -> etree._Element | None:
        """The largest element without a word of the article whose names hint at a kind."""
        every, own = self.of_rows(self.page.words)
        fit = np.flatnonzero((own == 0) & (every >= MIN_PIECE) & (every <= MAX_PIECE))
        for row in fit[np.argsort(-every[fit], kind="stable")].tolist():
            element: etree._Element | None = self.page.element[row]
            if element is not None and _hints_at(element, kind):
                return element
        return None


def _hints_at(element: etree._Element, kind: str) -> bool:
    counts, _ = hints.read_names(str(element.tag), element.get("class"), element.get("id"))
    field = len(hints.AROUND) + hints.KINDS.index(kind)
    return bool(counts >> field * hints.FIELD & 1)


def with_comments(page: Labelled, other: Labelled) -> bool:
    """Put the comments of another page after the article, or into its box."""
    return _insert(page.article_box(), other.named_box("comment"), inside=True)


def with_side_column(page: Labelled, other: Labelled) -> bool:
    return _insert(page.article_box(), other.named_box("related"), inside=False)


def with_second_article(page: Labelled, other: Labelled) -> bool:
    return _insert(page.article_box(), other.article_box(), inside=False)


def _insert(box: etree._Element | None, piece: etree._Element | None, *, inside: bool) -> bool:
    if box is None or piece is None or piece.tag in ("html", "body"):
        return False
    copied = deepcopy(piece)
    copied.tail = None
    if inside or box.getparent() is None or box.tag == "body":
        box.append(copied)
    else:
        box.addnext(copied)
    return True


def without_names(page: Labelled, other: Labelled) -> bool:
    """Leave out all class names and identifiers."""
    for element in page.page.root.iter(etree.Element):
        for name in ("class", "id"):
            element.attrib.pop(name, "")
    return True


def with_old_tags(page: Labelled, other: Labelled) -> bool:
    """Paragraphs as lines with empty ones between them, subheadings as bold lines."""
    for element in list(page.page.root.iter("p", "h2", "h3", "h4", "section", "article", "main")):
        if element.tag in ("section", "article", "main"):
            element.tag = "div"
            continue
        element.tag = "font" if element.tag == "p" else "b"
        tail, element.tail = element.tail, None
        for _ in range(2):
            after = etree.Element("br")
            element.addnext(after)
            after.tail, tail = tail, None
    return True


#: All kinds, by name.
AUGMENTATIONS: dict[str, Callable[[Labelled, Labelled], bool]] = {
    "comments": with_comments,
    "side column": with_side_column,
    "second article": with_second_article,
    "no names": without_names,
    "old tags": with_old_tags,
}


def is_augmented(example: Example) -> bool:
    """Whether a page was made of pages."""
    return example.gold.collection.startswith(f"{COLLECTION}:")


def augmented_examples(
    examples: Sequence[Example],
    donors: Sequence[Example],
    kinds: Sequence[str],
    count: int,
    seed: int = 1,
) -> list[Example]:
    """At most `count` pages that are changed with pieces of donors; one seed, one list."""
    random = np.random.default_rng(seed)
    by_fold: dict[int, list[Example]] = defaultdict(list)
    for example in donors:
        by_fold[fold_of(example.gold.site)].append(example)
    made: list[Example] = []
    for number in range(count if kinds else 0):
        example = examples[int(random.integers(len(examples)))]
        others = by_fold[fold_of(example.gold.site)]
        other = others[int(random.integers(len(others)))]
        found = augmented(example, other, kinds[number % len(kinds)])
        if found is not None:
            made.append(found)
    return made


def augmented(example: Example, other: Example, kind: str) -> Example | None:
    """A page changed by a kind of augmentation; None if the pages have nothing for it."""
    try:
        pages = [Page.from_html(read_page(e.gold.path), e.gold.url) for e in (example, other)]
    except PageError:
        return None
    labelled = [
        Labelled(page, e.is_article)
        for page, e in zip(pages, (example, other), strict=True)
        if len(page.blocks) == len(e.is_article)
    ]
    if len(labelled) < 2 or not AUGMENTATIONS[kind](*labelled):
        return None
    html = etree.tostring(pages[0].root, encoding="unicode", method="html")
    gold = replace(
        example.gold,
        collection=f"{COLLECTION}: {kind}",
        id=f"{example.gold.id} {kind} {other.gold.id}",
        digest=f"{example.gold.digest} {kind} {other.gold.digest}",
    )
    return example_of(gold, html)
