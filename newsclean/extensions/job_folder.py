"""Scrapy's JOBDIR after a kill.

Scrapy writes the state of its request queue when it closes. A killed process leaves a queue that
cannot be read, to which no new request can be added, and a filter that refuses what the lost queue
held. Both are put aside.
"""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

logger = logging.getLogger(__name__)

LEFT_BY_KILL = ("requests.queue", "requests.seen")
RUNNING = "newsclean.running"


class JobFolder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def repair(self) -> None:
        """Put queue and filter aside if the last run did not come to its end.

        The filter remembers requests that never came; what is fetched twice is delivered once.
        """
        if not (self.folder / RUNNING).exists():
            return
        for name in LEFT_BY_KILL:
            path, aside = self.folder / name, self.folder / f"{name}.damaged"
            if aside.is_dir():
                shutil.rmtree(aside, ignore_errors=True)
            if path.exists():
                path.replace(aside)
        logger.warning(
            "the last run in %s was killed or has failed: its requests cannot be trusted and are "
            "put aside; the spider begins anew",
            self.folder,
        )

    def mark_running(self) -> None:
        (self.folder / RUNNING).touch()

    def mark_finished(self) -> None:
        (self.folder / RUNNING).unlink(missing_ok=True)
