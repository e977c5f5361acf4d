"""The runs of a memory's crawls: which one this process is, and which have ended."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from newsclean.memory.database import Database


class Run(NamedTuple):
    """One run of a job; runs of the same job take over each other's pages."""

    id: int
    job: str


class Runs:
    """The runs that are alive or have left something."""

    def __init__(self, database: Database) -> None:
        self.database = database
        #: the run that this process is, 0 before it has started
        self.current = 0

    def add(self, job: str) -> int:
        """A new run, alive as long as this process has the memory open."""
        ((run,),) = self.database.query(
            "INSERT INTO run (job, started) VALUES (?, ?) RETURNING id", (job, time.time())
        )
        self.database.lock_run(run)
        return int(run)

    def dead(self) -> list[Run]:
        """The runs whose processes have ended, killed or not."""
        runs = [Run(*row) for row in self.database.query("SELECT id, job FROM run")]
        return [run for run in runs if not self.database.is_run_alive(run.id)]

    def remove_if_empty(self, run: int) -> None:
        """Forget a run that has left neither pages nor pending deliveries."""
        self.database.execute(
            "DELETE FROM run WHERE id = ? "
            "AND NOT EXISTS (SELECT 1 FROM stored_page WHERE stored_page.run = run.id) "
            "AND NOT EXISTS (SELECT 1 FROM pending_delivery WHERE pending_delivery.run = run.id)",
            (run,),
        )
