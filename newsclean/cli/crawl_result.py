"""What a crawl has done, of one process or of several: a summary for people, and an exit code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from newsclean.cli.errors import UNREADABLE, UNUSABLE, USAGE
from newsclean.cli.terminal import for_terminal
from newsclean.memory.site_report import FEW, PARTIAL, SiteReport, exit_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STORAGE, BUSY, INTERRUPTED = 4, 7, 130
#: The worst first.
EXIT_ORDER = (INTERRUPTED, STORAGE, BUSY, USAGE, UNREADABLE, UNUSABLE, FEW, PARTIAL, 0)
#: Sites that are listed when all is well with them.
MAX_SITES_SHOWN = 5

PREFIX = "newsclean/"
DROPPED = "dropped/"


@dataclass
class CrawlResult:
    exit_code: int = 0
    seconds: float = 0.0
    #: the stats of newsclean, without its prefix
    counts: Counter[str] = field(default_factory=Counter)
    #: how each site is, as `SiteReport.to_dict` writes it
    sites: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of(
        cls, stats: Mapping[str, Any], seconds: float, sites: Iterable[SiteReport] = ()
    ) -> CrawlResult:
        """Of the stats of a spider that was closed, and its report."""
        ours = {
            name.removeprefix(PREFIX): value
            for name, value in stats.items()
            if name.startswith(PREFIX) and isinstance(value, int)
        }
        reports = [report.to_dict() for report in sites]
        return cls(exit_code_of(stats, has_report=bool(reports)), seconds, Counter(ours), reports)

    @classmethod
    def together(cls, results: Iterable[CrawlResult], seconds: float) -> CrawlResult:
        """Of several processes."""
        whole = cls(seconds=seconds)
        for result in results:
            whole.counts.update(result.counts)
            whole.sites += result.sites
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

    @property
    def reports(self) -> list[SiteReport]:
        """How each site is, those in trouble first."""
        reports = map(SiteReport.from_dict, self.sites)
        return sorted(reports, key=lambda report: (not report.state.is_trouble, report.site))

    def show(
        self,
        output: str,
        *,
        sites: int = 0,
        bad_files: int = 0,
        what: str = "new or changed articles",
    ) -> int:
        """Print a summary; the exit code of the command."""
        of_sites = f" of {sites} sites" if sites > 1 else ""
        print(
            f"{self.counts['articles']:,} {what}{of_sites} "
            f"in {self.seconds:,.1f} s, in {for_terminal(output)}"
        )
        if self.dropped:
            number = sum(self.dropped.values())
            print(f"{number:,} {'page' if number == 1 else 'pages'} dropped:")
        for reason, count in self.dropped.items():
            print(f"{count:8,} {for_terminal(reason)}")
        if failed := self.counts["sections/failed"]:
            print(f"{failed:,} {'section' if failed == 1 else 'sections'} without articles")
        if left := self.counts["parked/left"]:
            print(f"{left:,} pages wait in the memory for the next crawl")
        if bad_files:
            print(f"{bad_files:,} site files left out")
        if self.exit_code == INTERRUPTED:
            print("interrupted: the same command completes the crawl")
        reports = self.reports
        for report in reports:
            if report.state.is_trouble or len(reports) <= MAX_SITES_SHOWN or report.notes:
                print(for_terminal(report.line()))
        of_sites_code = exit_code(report.state for report in reports)
        return worst(worst(self.exit_code, of_sites_code), UNREADABLE if bad_files else 0)


def exit_code_of(stats: Mapping[str, Any], *, has_report: bool = False) -> int:
    """The exit code for how a spider was closed; a report says more of sites that have failed."""
    from newsclean.spiders.news import ALL_FAILED
    from newsclean.spiders.saved_page_spiders import NO_PAGES

    reason = stats.get("finish_reason")
    if stats.get(f"{PREFIX}domain_busy"):
        return BUSY
    if stats.get(f"{PREFIX}storage_failed"):
        return STORAGE
    if reason == "start_error":  # the log has the error
        return STORAGE
    if reason == "shutdown":
        return INTERRUPTED
    if reason == NO_PAGES:
        return UNUSABLE
    if reason == ALL_FAILED and not has_report:
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
