"""The runs of a memory's crawls: which one this process is, and which have ended."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from newsclean.memory.damage import are_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.memory.database import Database


class Run(NamedTuple):
    """One run of a job; runs of the same job take over each other's pages."""

    id: int
    job: str
    #: the files to which it appends lines; empty if nobody can look into its output
    outputs: tuple[str, ...] = ()


class Runs:
    """The runs that are alive or have left something."""

    def __init__(self, database: Database) -> None:
        self.database = database
        #: the run that this process is, 0 before it has started
        self.current = 0

    def add(self, job: str, outputs: Sequence[str] = ()) -> int:
        """A new run, alive as long as this process has the memory open."""
        ((run,),) = self.database.query(
            "INSERT INTO run (job, started, outputs) VALUES (?, ?, ?) RETURNING id",
            (job, time.time(), json.dumps(list(outputs))),
        )
        self.database.lock_run(run)
        return int(run)

    def dead(self) -> list[Run]:
        """The runs whose processes have ended, killed or not."""
        rows = self.database.query("SELECT id, job, outputs FROM run")
        return [self._run(*row) for row in rows if not self.database.is_run_alive(row[0])]

    def _run(self, run: int, job: Any, outputs: Any) -> Run:
        """A run as it is stored; one with a damaged row has neither a job nor outputs."""
        try:
            files = json.loads(outputs)
        except (TypeError, ValueError):
            files = None
        if not are_texts(job) or not isinstance(files, list) or not are_texts(*files):
            self.database.damaged.note("run", run)
            return Run(run, "")
        return Run(run, job, tuple(files))

    def remove_if_empty(self, run: int) -> None:
        """Forget a run that has left neither pages nor pending deliveries."""
        self.database.execute(
            "DELETE FROM run WHERE id = ? "
            "AND NOT EXISTS (SELECT 1 FROM stored_page WHERE stored_page.run = run.id) "
            "AND NOT EXISTS (SELECT 1 FROM pending_delivery WHERE pending_delivery.run = run.id)",
            (run,),
        )
