"""Scrapy's JOBDIR after a kill.

Scrapy writes the state of its request queue when it closes; a killed process leaves a queue that
cannot be read, and every new request that goes into it fails; and a filter that holds back what the
lost queue had. Both are put aside.
"""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

logger = logging.getLogger(__name__)

LEFT_BY_KILL = ("requests.queue", "requests.seen")
MARK = "newsclean.running"


class JobFolder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mend(self) -> None:
        """Put queue and filter aside if the last run did not come to its end.

        The filter remembers requests that never came; what is fetched twice goes out once.
        """
        if not (self.folder / MARK).exists():
            return
        for name in LEFT_BY_KILL:
            path, aside = self.folder / name, self.folder / f"{name}.damaged"
            if aside.is_dir():
                shutil.rmtree(aside, ignore_errors=True)
            if path.exists():
                path.replace(aside)
        logger.warning(
            "the last run in %s was killed: its requests cannot be trusted and are put aside; "
            "the spider begins anew",
            self.folder,
        )

    def mark(self) -> None:
        """A run begins."""
        (self.folder / MARK).touch()

    def unmark(self) -> None:
        """A run has come to its end."""
        (self.folder / MARK).unlink(missing_ok=True)
