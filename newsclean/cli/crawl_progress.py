"""A line that shows how far a crawl is, for as long as it runs, if a person looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import Progress as Line
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from types import TracebackType


class Progress:
    """Counts articles on standard error; without a terminal it shows nothing."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = SpinnerColumn(), TextColumn("{task.completed:,} articles"), TimeElapsedColumn()
        self._line = Line(
            *columns, console=console, transient=True, disable=not console.is_terminal
        )
        self._task = self._line.add_task("", total=None)

    def __enter__(self) -> Self:
        self._line.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._line.stop()

    def update(self, articles: int) -> None:
        """Show how many articles there are now."""
        self._line.update(self._task, completed=articles)
