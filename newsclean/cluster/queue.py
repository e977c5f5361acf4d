"""The queue of site jobs in Redis: who may crawl which site, and when.

A job is one site. Who takes it gets a lease with a fencing token, renews it as long as his crawl
lives, and says at last how it went. A lease that is not renewed expires, and the site is given to
another; whoever had it before can no longer say anything about it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from newsclean.cluster import queue_scripts as scripts
from newsclean.cluster.queue_connection import TIMEOUT, connect, redis_errors
from newsclean.cluster.queue_interval import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "newsclean"


class Outcome(StrEnum):
    DONE = "done"
    FAILED = "failed"
    #: not crawled to its end, and not for a reason of the site's
    GIVEN_BACK = "given back"


@dataclass(frozen=True)
class SiteJob:
    """A site to crawl again and again."""

    name: str
    #: the text of its site file
    file: str
    #: how often, as somebody has typed it
    every: str = "1h"
    #: the text of the file of its corrections
    corrections: str | None = None
    #: the address of which the site file was made, None if it was a file
    url: str | None = None
    #: registered domains, of which two crawls never ask the same at a time
    domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # It becomes the name of a file, and a value of an argument that takes several.
        if not self.name.isprintable() or self.name[:1] in ("", ".", "-"):
            raise ValueError(f"{self.name!r} is not a name for a site")
        if any(sign in self.name for sign in "/\\,"):
            raise ValueError(f"{self.name!r}: the name of a site has no slash and no comma")

    @property
    def interval(self) -> Interval:
        return Interval.of(self.every)

    def to_json(self) -> str:
        return json.dumps(self.__dict__, ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> SiteJob:
        fields = json.loads(text)
        return cls(**fields | {"domains": tuple(fields["domains"])})


@dataclass(frozen=True)
class LeaseTerms:
    """Under which a worker takes sites; all times in seconds."""

    #: how long a lease lasts from its last renewal
    seconds: float = 60.0
    #: failed runs after which a site is given up
    max_tries: int = 5
    #: how long a failed site waits the first time; then twice as long each time
    backoff: float = 60.0
    #: how long a site that was given back waits: its server is to have its rest
    rest: float = 5.0


@dataclass(frozen=True)
class Lease:
    """The right to crawl a site, until it expires."""

    site: str
    holder: str
    token: int
    terms: LeaseTerms
    queue: str = NAME

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Lease:
        """ValueError for what is no lease."""
        try:
            fields = json.loads(text)
            return cls(**fields | {"terms": LeaseTerms(**fields["terms"])})
        except (KeyError, TypeError) as error:
            raise ValueError(f"no lease: {error}") from None


@dataclass(frozen=True)
class JobStatus:
    """The state of a site in the queue; times are seconds since 1970."""

    name: str
    #: running, lost (its lease has expired), due, waiting, failed or done
    state: str
    #: when it is due, when its lease expires, or when it has failed or ended
    when: float
    #: failed tries since the last run that was done
    tries: int
    runs: int
    #: articles of the run that goes on, or of the last one
    articles: int
    holder: str = ""
    outcome: str = ""
    reason: str = ""
    every: str = ""
    #: seconds between two runs, as they are now
    interval: float = 0.0


class SiteQueue:
    """The queue by one client; each step is atomic, and may be repeated if no answer came."""

    def __init__(self, address: str, name: str = NAME, *, timeout: float = TIMEOUT) -> None:
        self.address = address
        self.name = name
        self._client = connect(address, timeout)
        # The braces keep all keys in one slot of a Redis cluster.
        self._keys = [f"{{{name}}}:{key}" for key in scripts.KEYS]
        self._scripts: dict[str, Any] = {}

    def close(self) -> None:
        self._client.close()

    def _run(self, script: str, *arguments: str | float) -> Any:
        known = self._scripts.get(script)
        if known is None:
            known = self._scripts[script] = self._client.register_script(script)
        with redis_errors(self.address):
            return known(keys=self._keys, args=list(arguments))

    def add(self, job: SiteJob) -> str:
        """Put a site into the queue: `added`, `changed` if it was there in other words, `known`."""
        first = job.interval.first
        return str(self._run(scripts.ADD, job.name, job.to_json(), first, " ".join(job.domains)))

    def take(self, holder: str, terms: LeaseTerms) -> tuple[SiteJob, Lease] | None:
        """The site that is most overdue, measured by its interval; None if none is due.

        Whoever asks again under the same name gets the same site again.
        """
        found = self._run(scripts.TAKE, holder, terms.seconds, terms.max_tries)
        if found is None:
            return None
        name, token, spec = found
        return SiteJob.from_json(spec), Lease(name, holder, int(token), terms, self.name)

    def holds(self, lease: Lease) -> bool:
        """Whether a lease was neither given to another nor given back."""
        return bool(self._run(scripts.HOLDS, lease.site, lease.holder, lease.token))

    def renew(self, lease: Lease, articles: int | None = None) -> bool:
        """Whether the lease is still held; then it lasts its whole time from now on."""
        whose = lease.site, lease.holder, lease.token
        known = "" if articles is None else articles
        return bool(self._run(scripts.RENEW, *whose, lease.terms.seconds, known))

    def finish(self, lease: Lease, outcome: Outcome, reason: str = "", articles: int = 0) -> bool:
        """Say how a run went; False if the lease is no longer held: then nothing has changed."""
        waits = {Outcome.FAILED: lease.terms.backoff, Outcome.GIVEN_BACK: lease.terms.rest}
        if outcome is Outcome.DONE:
            waits[outcome] = self._next_interval(lease.site, articles)
        whose = lease.site, lease.holder, lease.token
        how = outcome, reason, articles, waits[outcome], lease.terms.max_tries
        return bool(self._run(scripts.FINISH, *whose, *how))

    def _next_interval(self, site: str, articles: int) -> float:
        with redis_errors(self.address), self._client.pipeline() as pipeline:
            pipeline.hget(self._key("specs"), site)
            pipeline.hget(self._key("intervals"), site)
            spec, current = pipeline.execute()
        if spec is None:
            return -1
        interval = SiteJob.from_json(spec).interval
        return interval.after(float(current or interval.first), articles)

    def retry(self, names: Sequence[str] = ()) -> list[str]:
        """Have sites due at once, all that have failed if none is named; those that are."""
        return list(self._run(scripts.RETRY, *names))

    def remove(self, names: Sequence[str]) -> int:
        return int(self._run(scripts.REMOVE, *names))

    def unfinished(self) -> int:
        """How many sites are due, are being crawled, or wait for another try."""
        return int(self._run(scripts.UNFINISHED))

    def last_run(self, site: str) -> str:
        """How the last run of a site was, in words."""
        with redis_errors(self.address):
            text: Any = self._client.hget(self._key("states"), site)
        state = json.loads(text or "{}")
        words = f"{state.get('outcome', 'forgotten')}, {int(state.get('articles', 0)):,} articles"
        return f"{words} ({state['reason']})" if state.get("reason") else words

    def statuses(self) -> list[JobStatus]:
        """All sites, by name."""
        kinds = "due", "leases", "failed"
        with redis_errors(self.address), self._client.pipeline() as pipeline:
            pipeline.time()
            for kind in kinds:
                pipeline.zrange(self._key(kind), 0, -1, withscores=True)
            for kind in ("specs", "states", "tries", "intervals"):
                pipeline.hgetall(self._key(kind))
            (seconds, micros), due, leases, failed, specs, states, tries, intervals = (
                pipeline.execute()
            )
        now = seconds + micros / 1e6
        when = dict(due) | dict(leases) | dict(failed)
        running, given_up = dict(leases), dict(failed)
        found = []
        for name, spec in sorted(specs.items()):
            state = json.loads(states.get(name, "{}"))
            if name in running:
                kind = "running" if running[name] > now else "lost"
            elif name in given_up:
                kind = "failed"
            elif name in when:
                kind = "due" if when[name] <= now else "waiting"
            else:
                kind = "done"
            found.append(
                JobStatus(
                    name,
                    kind,
                    when.get(name, state.get("ended", 0.0)),
                    int(tries.get(name, 0)),
                    int(state.get("runs", 0)),
                    int(state.get("articles", 0)),
                    state.get("holder", ""),
                    state.get("outcome", ""),
                    state.get("reason", ""),
                    SiteJob.from_json(spec).every,
                    float(intervals.get(name, 0)),
                )
            )
        return found

    def _key(self, kind: str) -> str:
        return self._keys[scripts.KEYS.index(kind)]
