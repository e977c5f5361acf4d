"""A line that shows how far a crawl is, for as long as it runs, if a person looks at it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as Line


class Progress:
    """Counts articles on standard error; without a terminal it shows nothing."""

    def __init__(self) -> None:
        self._line = new_line() if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        if self._line is not None:
            self._line.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._line is not None:
            self._line.stop()

    def update(self, articles: int) -> None:
        """Show how many articles there are now."""
        if self._line is not None:
            self._line.update(self._line.task_ids[0], completed=articles)


def new_line() -> Line:
    from rich.console import Console  # only a terminal needs it
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.completed:,} articles"), TimeElapsedColumn()
    line = Progress(*columns, console=Console(stderr=True), transient=True)
    line.add_task("", total=None)
    return line
