"""Jobs for a queue, and waiting for what a queue will have."""

import time
from collections.abc import Callable

from newsclean.cluster.queue import Lease, LeaseTerms, SiteJob, SiteQueue

#: A lease that ends soon, and one that does not end during a test.
SHORT = LeaseTerms(seconds=0.05, max_tries=3, backoff=0.02, rest=0.02)
LONG = LeaseTerms(seconds=300, max_tries=3, backoff=0.02, rest=0.02)
PATIENCE = 60


def job(name: str, every: str = "1h", domain: str | None = None) -> SiteJob:
    url = f"https://{domain or name}/"
    return SiteJob(name, f'[[section]]\nurl = "{url}"\n', every, domains=(domain or name,))


def wait_until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.02)


def take(queue: SiteQueue, holder: str, terms: LeaseTerms = LONG) -> Lease:
    """The next site, as soon as one is due."""
    taken: list[Lease] = []

    def is_taken() -> bool:
        found = queue.take(holder, terms)
        if found is not None:
            taken.append(found[1])
        return bool(taken)

    wait_until(is_taken)
    return taken[0]


def state(queue: SiteQueue, name: str) -> str:
    return next(status.state for status in queue.statuses() if status.name == name)
