"""On how many neighbors the text of a page appears, or the label before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from newsclean.extraction.neighborhood import NeighborSupport


class Support(NamedTuple):
    """Neighbors that have a text, and how many there are."""

    pages: int
    of: int
    #: whether it is the label before the text that they have
    is_label: bool = False

    def __str__(self) -> str:
        """
        >>> str(Support(4, 5)), str(Support(3, 5, is_label=True))
        ('on 4 of 5 neighbors', 'label on 3 of 5 neighbors')
        """
        return f"{'label ' * self.is_label}on {self.pages} of {self.of} neighbors"


def support_of(neighbors: NeighborSupport, place: int) -> Support:
    """The support of the text at a place of `page.text_rows`."""
    own = int(neighbors.texts[neighbors.keys.of_text[place]])
    label = int(neighbors.keys.label_of_text[place])
    if label >= 0 and int(neighbors.texts[label]) > own:
        return Support(int(neighbors.texts[label]), neighbors.count, is_label=True)
    return Support(own, neighbors.count)
