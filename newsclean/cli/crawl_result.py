"""What a crawl has done, of one process or of several: a summary for people, and an exit code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE
from newsclean.cli.terminal import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STORAGE, INTERRUPTED = 4, 130
#: The worst first.
EXIT_ORDER = (INTERRUPTED, STORAGE, USAGE, UNREADABLE, UNUSABLE, 0)

PREFIX = "newsclean/"
DROPPED = "dropped/"


@dataclass
class CrawlResult:
    exit_code: int = 0
    seconds: float = 0.0
    #: the stats of newsclean, without its prefix
    counts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, stats: Mapping[str, Any], seconds: float) -> CrawlResult:
        """Of the stats of a spider that was closed."""
        ours = {
            name.removeprefix(PREFIX): value
            for name, value in stats.items()
            if name.startswith(PREFIX) and isinstance(value, int)
        }
        return cls(exit_code_of(stats), seconds, Counter(ours))

    @classmethod
    def together(cls, results: Iterable[CrawlResult], seconds: float) -> CrawlResult:
        """Of several processes."""
        whole = cls(seconds=seconds)
        for result in results:
            whole.counts.update(result.counts)
            whole.exit_code = worst(whole.exit_code, result.exit_code)
        return whole

    @property
    def dropped(self) -> dict[str, int]:
        """How many pages were dropped, by reason, the most frequent first."""
        return {
            name.removeprefix(DROPPED): count
            for name, count in self.counts.most_common()
            if name.startswith(DROPPED)
        }

    def show(self, output: str, *, sites: int = 0, bad_files: int = 0) -> int:
        """Print a summary; the exit code of the command."""
        of_sites = f" of {sites} sites" if sites > 1 else ""
        print(
            f"{self.counts['articles']:,} new or changed articles{of_sites} "
            f"in {self.seconds:,.1f} s, in {for_terminal(output)}"
        )
        if self.dropped:
            number = sum(self.dropped.values())
            print(f"{number:,} {'page' if number == 1 else 'pages'} dropped:")
        for reason, count in self.dropped.items():
            print(f"{count:8,} {for_terminal(reason)}")
        if failed := self.counts["sections/failed"]:
            print(f"{failed:,} sections without articles")
        if left := self.counts["parked/left"]:
            print(f"{left:,} pages wait in the memory for the next crawl")
        if bad_files:
            print(f"{bad_files:,} site files left out")
        if self.exit_code == INTERRUPTED:
            print("interrupted: the same command completes the crawl")
        return worst(self.exit_code, UNREADABLE if bad_files else 0)


def exit_code_of(stats: Mapping[str, Any]) -> int:
    """The exit code for how a spider was closed."""
    from newsclean.spiders.news import ALL_FAILED

    reason = stats.get("finish_reason")
    if stats.get(f"{PREFIX}storage_failed"):
        return STORAGE
    if reason == "shutdown":
        return INTERRUPTED
    if reason == ALL_FAILED:
        # A page that has arrived, and cannot be used as a section.
        is_read = any(name.startswith(f"{PREFIX}{DROPPED}section-") for name in stats)
        return UNUSABLE if is_read else UNREADABLE
    return 0


def worst(code: int, other: int) -> int:
    """The worse of two exit codes.

    >>> worst(1, 3), worst(0, 1), worst(130, 4)
    (3, 1, 130)
    """
    return min(code, other, key=lambda c: EXIT_ORDER.index(c) if c in EXIT_ORDER else 1)
