"""What is around a picture: the elements that hold it and nothing of the text, and their words."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from newsclean.render.picture_names import is_named_as_site

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newsclean.page import Page
    from newsclean.page.columns import Mask

#: What is never in the box of one picture: the box would be the page's head, a teaser or a list.
OUTSIDE = frozenset("h1 h2 h3 h4 h5 h6 time form nav".split())
#: A picture in one of these is the site's, if it holds nothing of the article.
SITE = frozenset("nav footer form button aside menu template".split())

#: A box of pictures has at most this many words for each, and more words outside links than in.
MAX_BOX_WORDS = 80
#: A box is at most this many levels above its picture.
MAX_LEVELS = 40


class PictureBoxes:
    """The boxes of pictures on a page of which some texts are chosen."""

    def __init__(self, page: Page, chosen: Mask) -> None:
        self.page = page
        # Lists: single values are looked up, picture by picture.
        self.words_until = _prefix_sum(page.words)
        self._chosen_until = _prefix_sum(page.is_text & chosen)
        self._boxes: dict[int, int] = {}
        #: whether an element is named as the site's, and whether a picture is in such a one
        self._named_as_site: dict[int, bool] = {}
        self._of_site: dict[int, bool] = {}

    @cached_property
    def _linked_until(self) -> list[int]:
        return _prefix_sum(self.page.words * self.page.in_link)

    @cached_property
    def _outside_until(self) -> list[int]:
        return _prefix_sum(self.page.tagged(OUTSIDE))

    def box(self, row: int) -> int:
        """The largest element around a picture that holds nothing of the text."""
        if row in self._boxes:
            return self._boxes[row]
        page, box = self.page, row
        for _ in range(MAX_LEVELS):
            up = page.parents[box]
            if up < 0 or self._count(self._chosen_until, up) or page.tag[up] == "body":
                break
            box = up
        self._boxes[row] = box
        return box

    def frame(self, row: int, pictures: Sequence[int]) -> int:
        """The largest element around a picture that holds no other of these, and few words."""
        page = self.page
        for _ in range(MAX_LEVELS):
            up = page.parents[row]
            if (
                up < 0
                or page.tag[up] == "body"
                or self._count(self._chosen_until, up)
                or self.words_in(up) > MAX_BOX_WORDS
                or self.pictures_in(up, pictures) > 1
                or self.is_more_than_pictures(up)
            ):
                break
            row = up
        return row

    def is_of_site(self, row: int) -> bool:
        """Whether something around a picture, up to its box, is named as the site's."""
        if row not in self._of_site:
            self._of_site[row] = any(map(self._is_named_as_site, self._around(row)))
        return self._of_site[row]

    def _around(self, row: int) -> Iterator[int]:
        """The elements around a picture, from its parent to its box."""
        parents, box = self.page.parents, self.box(row)
        row = parents[row]
        while row >= box and row >= 0:
            yield row
            row = parents[row]

    def _is_named_as_site(self, row: int) -> bool:
        if row not in self._named_as_site:
            element = self.page.element[row]
            self._named_as_site[row] = self.page.tag[row] in SITE or (
                element is not None and is_named_as_site(element)
            )
        return self._named_as_site[row]

    def words_in(self, row: int) -> int:
        return self._count(self.words_until, row)

    def linked_words_in(self, row: int) -> int:
        return self._count(self._linked_until, row)

    def is_more_than_pictures(self, row: int) -> bool:
        """Whether an element holds what is never in the box of one picture."""
        return self._count(self._outside_until, row) > 0

    def pictures_in(self, row: int, pictures: Sequence[int]) -> int:
        """How many of these pictures, which are sorted, are in an element."""
        return bisect_right(pictures, self.page.ends[row]) - bisect_left(pictures, row)

    def _count(self, until: list[int], row: int) -> int:
        return until[self.page.ends[row] + 1] - until[row]


def _prefix_sum(values: NDArray[np.generic]) -> list[int]:
    total = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=total[1:])
    return total.tolist()
