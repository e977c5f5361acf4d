"""The runs of each site: when, how long, what they brought, and how the site was."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from newsclean.memory.site_health import SiteCounts, SiteRun, State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.memory.database import Database

#: Runs of a site that are kept: every hour for two months.
MAX_RUNS = 1500


class SiteRuns:
    """All runs of all sites that are kept."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def start(self, run: int, sites: Iterable[str]) -> list[str]:
        """Note that a run has begun with these sites; those that another run has at work.

        Runs whose processes are gone without a word are marked as killed.
        """
        now, names = time.time(), list(sites)

        def note() -> set[str]:
            running = self.database.query(
                "SELECT run, site FROM site_run WHERE state = ?", (State.RUNNING,)
            )
            alive = [(r, s) for r, s in running if self.database.is_run_alive(r)]
            killed = [(State.KILLED, r) for r in {r for r, _ in running} - {r for r, _ in alive}]
            self.database.execute_many(
                "UPDATE site_run SET state = ? WHERE run = ? AND state = 'running'", killed
            )
            self.database.execute_many(
                "INSERT INTO site_run (run, site, started, state, counts) "
                "VALUES (?, ?, ?, ?, '{}') " + _REPLACE_RUN,
                [(run, site, now, State.RUNNING) for site in names],
            )
            return {s for r, s in alive if r != run}

        busy = self.database.atomically(note)
        return [site for site in names if site in busy]

    def finish(self, runs: Iterable[SiteRun]) -> None:
        """Write down how a run has ended; the oldest runs of its sites are forgotten.

        The last good run is kept: it says since when a site has been in trouble.
        """
        every = list(runs)

        def write() -> None:
            for run in every:
                counts = json.dumps(run.counts.to_dict())
                self.database.execute(
                    "INSERT INTO site_run (run, site, started, seconds, state, counts, expected) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?) " + _REPLACE_RUN,
                    (run.run, run.site, run.started, run.seconds, run.state, counts, run.expected),
                )
                self.database.execute(
                    "DELETE FROM site_run WHERE site = ? AND run NOT IN "
                    "(SELECT run FROM site_run WHERE site = ? ORDER BY run DESC LIMIT ?) "
                    "AND run <> (SELECT coalesce(max(run), 0) FROM site_run "
                    "WHERE site = ? AND state = ?)",
                    (run.site, run.site, MAX_RUNS, run.site, State.GOOD),
                )

        self.database.atomically(write)

    def drop_unreported(self, run: int) -> None:
        """Forget the sites of which a run that has ended has nothing to report."""
        statement = "DELETE FROM site_run WHERE run = ? AND state = ?"
        self.database.execute(statement, (run, State.RUNNING))

    def history(self, site: str | None = None) -> dict[str, list[SiteRun]]:
        """The runs of each site, or of one, the oldest first."""
        condition, values = ("", ()) if site is None else ("WHERE site = ? ", (site,))
        rows = self.database.query(
            "SELECT run, site, started, seconds, state, counts, expected FROM site_run "
            f"{condition}ORDER BY site, run",
            values,
        )
        by_site: dict[str, list[SiteRun]] = {}
        for row in rows:
            try:
                run = _site_run(*row)
            except ValueError:
                self.database.damaged.note("site_run", tuple(row[:2]))
            else:
                by_site.setdefault(run.site, []).append(run)
        return by_site

    def alerted(self) -> dict[str, str]:
        """The sites of which somebody was told that they are broken, and in which state."""
        rows = self.database.query("SELECT site, state FROM site_alert")
        return dict(rows)

    def set_alerted(self, site: str, state: State) -> None:
        """Somebody was told how a site is: broken, or recovered."""
        if state.is_trouble:
            statement = (
                "INSERT INTO site_alert (site, state, since) VALUES (?, ?, ?) "
                "ON CONFLICT (site) DO UPDATE SET state = excluded.state, since = excluded.since"
            )
            self.database.execute(statement, (site, state, time.time()))
        else:
            self.database.execute("DELETE FROM site_alert WHERE site = ?", (site,))

    def forget(self, site: str) -> None:
        """Forget all runs of a site."""
        self.database.execute("DELETE FROM site_run WHERE site = ?", (site,))
        self.database.execute("DELETE FROM site_alert WHERE site = ?", (site,))


_REPLACE_RUN = (
    "ON CONFLICT (site, run) DO UPDATE SET started = excluded.started, "
    "seconds = excluded.seconds, state = excluded.state, counts = excluded.counts, "
    "expected = excluded.expected"
)


def _site_run(
    run: int,
    site: str,
    started: float,
    seconds: float | None,
    state: str,
    counts: str,
    expected: float | None,
) -> SiteRun:
    """A row as it is stored; ValueError if it is damaged."""
    found = SiteCounts.from_dict(json.loads(counts))
    return SiteRun(run, site, started, seconds, State(state), found, expected)
