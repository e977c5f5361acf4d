"""Site jobs for Scrapyd: each site that is due is scheduled there, with its lease.

The job itself holds the lease (`worker_lease`). A job that Scrapyd starts too late finds that the
lease is another's, and asks for nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

from newsclean.cluster.queue import Lease, LeaseTerms, Outcome, SiteJob, SiteQueue
from newsclean.cluster.queue_connection import QueueError
from newsclean.cluster.worker import POLL, Stop, worker_name
from newsclean.cluster.worker_lease import MAX_PAUSE, MIN_PAUSE

if TYPE_CHECKING:
    from collections.abc import Callable

#: Seconds until an answer of Scrapyd is given up.
TIMEOUT = 30


class ScrapydError(Exception):
    """Scrapyd cannot be reached, or refuses what it was asked for."""


@dataclass(frozen=True)
class Scrapyd:
    """A Scrapyd server, by its address."""

    address: str
    project: str = "newsclean"

    def __post_init__(self) -> None:
        if urlsplit(self.address).scheme not in ("http", "https"):
            raise ValueError(f"{self.address!r} is not an address: http://HOST:6800")

    def is_ready(self) -> bool:
        """Whether a job would start at once, or nearly so."""
        return not self._ask("daemonstatus").get("pending", 0)

    def schedule(self, lease: Lease, arguments: list[tuple[str, str]]) -> None:
        given = [("project", self.project), ("spider", "news"), *arguments]
        given.append(("jobid", f"{lease.site}-{lease.token}"))
        given.append(("setting", f"NEWSCLEAN_LEASE={lease.to_json()}"))
        self._ask("schedule", urlencode(given).encode())

    def _ask(self, name: str, data: bytes | None = None) -> dict[str, Any]:
        request = Request(f"{self.address.rstrip('/')}/{name}.json", data)
        try:
            with urlopen(request, timeout=TIMEOUT) as response:
                answer: dict[str, Any] = json.load(response)
        except HTTPError as error:
            with error:
                words = error.read(1000).decode("utf-8", "replace")
            raise ScrapydError(f"Scrapyd refuses {name}: {error.code} {words}") from None
        except (OSError, ValueError) as error:
            raise ScrapydError(f"Scrapyd does not answer: {error}") from None
        if answer.get("status") != "ok":
            raise ScrapydError(f"Scrapyd refuses {name}: {answer.get('message', answer)}")
        return answer


@dataclass
class ScrapydWorker:
    """Schedules sites at a Scrapyd server, one whenever none waits there."""

    queue: SiteQueue
    terms: LeaseTerms
    scrapyd: Scrapyd
    #: settings and arguments of each job, as pairs that schedule.json takes
    arguments: list[tuple[str, str]]
    say: Callable[[str], None]
    is_once: bool = False
    is_until_empty: bool = False
    stop: Stop = field(default_factory=Stop)
    exit_code: int = 0

    def run(self) -> int:
        """How many sites were scheduled."""
        name, numbers = worker_name(), count(1)
        holder, pause, scheduled = "", MIN_PAUSE, 0
        while not self.stop.times:
            holder = holder or f"{name}/{next(numbers)}"
            try:
                taken = self.queue.take(holder, self.terms) if self.scrapyd.is_ready() else None
                if taken is not None:
                    holder = ""
                    self._schedule(*taken)
                    scheduled += 1
                if self.is_once or (self.is_until_empty and not self.queue.unfinished()):
                    break
                pause = MIN_PAUSE
                self.stop.wait(POLL)
            except (QueueError, ScrapydError) as error:
                if pause == MIN_PAUSE:
                    self.say(f"{error}; trying again")
                self.stop.wait(pause)
                pause = min(2 * pause, MAX_PAUSE)
        return scheduled

    def _schedule(self, job: SiteJob, lease: Lease) -> None:
        where = ("site", job.name) if job.url is None else ("url", job.url)
        try:
            self.scrapyd.schedule(lease, [where, *self.arguments])
        except ScrapydError as error:
            self.queue.finish(lease, Outcome.GIVEN_BACK, str(error))
            raise
        self.say(f"{job.name}: scheduled as {lease.site}-{lease.token}")
