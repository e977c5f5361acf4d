"""How the work of a job is divided.

It follows from the input alone, so that a job that is taken up again, on a cluster of another size
perhaps, has the same output partitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from newsclean.cluster.files import is_local

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Pages of a local file that a task works on; a file that has to be copied is one task.
UNIT_PAGES = 250
#: Pages from which on an output partition is full.
PARTITION_PAGES = 10_000


class JobError(Exception):
    """A job that cannot be done as it was asked for."""


@dataclass(frozen=True)
class Units:
    """Units of work: pages of one file that follow each other, in the order of the input.

    >>> units = Units.of(["a.warc.gz", "b.warc.gz"], [300, 10], size=250)
    >>> units.number(0, 299), units.number(1, 0), units.total
    (1, 2, 3)
    """

    #: the number of the first unit of each file, and of all units
    starts: tuple[int, ...]
    #: pages in a unit of each file
    steps: tuple[int, ...]

    @classmethod
    def of(cls, files: Sequence[str], pages: Sequence[int], size: int = UNIT_PAGES) -> Units:
        steps = tuple(
            size if is_local(path) else max(number, 1)
            for path, number in zip(files, pages, strict=True)
        )
        counts = (-(-number // step) for number, step in zip(pages, steps, strict=True))
        return cls(tuple(accumulate(counts, initial=0)), steps)

    @property
    def total(self) -> int:
        return self.starts[-1]

    def number(self, file: int, row: int) -> int:
        """The unit of a page."""
        return self.starts[file] + row // self.steps[file]


class Partition(NamedTuple):
    """Files whose articles are written together: from the first up to, not with, the last."""

    number: int
    start: int
    stop: int

    @property
    def name(self) -> str:
        return f"part={self.number:05}"


def partitions_of(pages: Sequence[int], size: int = PARTITION_PAGES) -> list[Partition]:
    """Output partitions of whole files.

    >>> [partition[1:] for partition in partitions_of([6, 5, 1, 20, 3], size=10)]
    [(0, 2), (2, 4), (4, 5)]
    """
    found: list[Partition] = []
    start = gathered = 0
    for file, number in enumerate(pages):
        gathered += number
        if gathered >= size or file == len(pages) - 1:
            found.append(Partition(len(found), start, file + 1))
            start, gathered = file + 1, 0
    return found
