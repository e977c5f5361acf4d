"""Scrapy's JOBDIR after a kill.

Scrapy writes the state of its request queue when it closes; a killed process leaves a queue that
cannot be read, and every new request that goes into it fails. Such a queue is put aside.
"""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

logger = logging.getLogger(__name__)

QUEUE = "requests.queue"
MARK = "newsclean.running"


class JobFolder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mend(self) -> None:
        """Put the request queue aside if the last run did not come to its end."""
        queue = self.folder / QUEUE
        if not (self.folder / MARK).exists() or not queue.exists():
            return
        aside = self.folder / f"{QUEUE}.damaged"
        shutil.rmtree(aside, ignore_errors=True)
        queue.rename(aside)
        logger.warning(
            "the last run in %s was killed: its request queue cannot be trusted and is now %s; "
            "the spider finds its requests anew",
            self.folder,
            aside.name,
        )

    def mark(self) -> None:
        """A run begins."""
        (self.folder / MARK).touch()

    def unmark(self) -> None:
        """A run has come to its end."""
        (self.folder / MARK).unlink(missing_ok=True)
