"""The runs of a memory's crawls: which one this process is, and which have ended."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, NamedTuple

from newsclean.urls import site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from newsclean.memory.database import Database


class Run(NamedTuple):
    """One run of a job; runs of the same job take over each other's pages."""

    id: int
    job: str
    #: the files to which it appends lines; empty if nobody can look into its output
    outputs: tuple[str, ...] = ()
    #: the machine on which they are, None if it is this one
    host: str | None = None
    #: the table of the memory's own database to which it writes, empty if there is none
    table: str = ""
    #: the registered domains that it crawls
    domains: frozenset[str] = frozenset()


class Runs:
    """The runs that are alive or have left something."""

    def __init__(self, database: Database) -> None:
        self.database = database
        #: the run that this process is, 0 before it has started
        self.current = 0

    def add(
        self, job: str, outputs: Sequence[str] = (), table: str = "", domains: Iterable[str] = ()
    ) -> int:
        """A new run, alive as long as this process has the memory open."""
        packed = {
            "files": list(outputs),
            "host": self.database.host,
            "table": table,
            "domains": sorted(domains),
        }
        ((run,),) = self.database.query(
            "INSERT INTO run (job, started, outputs) VALUES (?, ?, ?) RETURNING id",
            (job, time.time(), json.dumps(packed)),
        )
        self.database.lock_run(run)
        return int(run)

    def all(self) -> list[Run]:
        """The runs that are alive or have left something, the oldest first."""
        rows = self.database.query("SELECT id, job, outputs FROM run ORDER BY id")
        return [self._run(*row) for row in rows]

    def dead(self, matters: Callable[[Run], bool] = lambda run: True) -> list[Run]:
        """The runs whose processes have ended, killed or not.

        Where that takes time to tell, it is waited for if the run `matters`.
        """
        runs = [run for run in self.all() if not self.database.is_run_alive(run.id)]
        return [run for run in runs if self.database.is_run_gone(run.id, wait=matters(run))]

    def sites_of(self, run: int) -> set[str]:
        """The sites of which a run has left pages or pending deliveries."""
        pages = self.database.query("SELECT DISTINCT site FROM stored_page WHERE run = ?", (run,))
        pending = self.database.query("SELECT url FROM pending_delivery WHERE run = ?", (run,))
        sites = {site for (site,) in pages} | {site_of(url) for (url,) in pending}
        return {site for site in sites if site is not None}

    def _run(self, run: int, job: str, outputs: str) -> Run:
        """A run as it is stored; one with a damaged row has neither a job nor outputs."""
        try:
            packed = json.loads(outputs)
        except ValueError:
            self.database.damaged.note("run", run)
            return Run(run, "")
        host = None if packed["host"] == self.database.host else packed["host"]
        domains = frozenset(packed.get("domains", ()))
        return Run(run, job, tuple(packed["files"]), host, packed["table"], domains)

    def remove_if_empty(self, run: int) -> None:
        """Forget a run that has left neither pages nor pending deliveries."""
        self.database.execute(
            "DELETE FROM run WHERE id = ? "
            "AND NOT EXISTS (SELECT 1 FROM stored_page WHERE stored_page.run = run.id) "
            "AND NOT EXISTS (SELECT 1 FROM pending_delivery WHERE pending_delivery.run = run.id)",
            (run,),
        )
