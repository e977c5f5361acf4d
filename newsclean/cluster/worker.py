"""A worker: takes one site after the other from the queue, and crawls each in a process of its own.

The process holds the lease (`worker_lease`); the worker renews it too, for a process takes its time
to start. The process ends its crawl when the worker dies, for then its standard input ends; the
worker kills it if it goes on without a lease.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from newsclean.cluster.queue import Lease, LeaseTerms, Outcome, SiteJob, SiteQueue
from newsclean.cluster.queue_connection import VARIABLE, QueueError
from newsclean.cluster.worker_lease import LOST, MAX_GRACE, MAX_PAUSE, MIN_PAUSE, RENEW_PART, clock
from newsclean.extraction.corrections import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Exit codes of a crawl: it could not start; the memory or the output cannot be written; it was
#: interrupted.
USAGE, STORAGE, INTERRUPTED = 2, 4, 130
#: Crawls in a row that could not start, or write, before the worker itself ends with their code.
MAX_USELESS = {USAGE: 3, STORAGE: 30}
#: Seconds between two looks at the queue, and at a crawl.
POLL, LOOK = 1.0, 0.1
#: The most seconds that a worker rests after a crawl that could not start, or write.
MAX_REST = 60.0
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """How often the worker was asked to stop: once lets the crawl end, twice ends it at once."""

    def __init__(self) -> None:
        self.times = 0
        self._event = threading.Event()

    def request(self, *_: object) -> None:
        self.times += 1
        self._event.set()

    def wait(self, seconds: float) -> None:
        """Wait, but not after a request to stop."""
        self._event.wait(seconds)

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.request) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@dataclass
class Worker:
    """Crawls sites until it is asked to stop, or until there is nothing to do."""

    queue: SiteQueue
    terms: LeaseTerms
    #: the command of a crawl, which reads on its standard input what to do
    command: list[str]
    #: what it reads, by the job, its lease and the folder with its site file
    task_of: Callable[[SiteJob, Lease, Path], dict[str, Any]]
    #: reports what is going on
    say: Callable[[str], None]
    is_once: bool = False
    is_until_empty: bool = False
    name: str = field(default_factory=lambda: worker_name())
    stop: Stop = field(default_factory=Stop)

    #: the exit code of crawls for which this worker is no place
    exit_code: int = 0

    def run(self) -> int:
        """How many sites were crawled."""
        numbers, crawled = count(1), 0
        holder, pause, useless = "", MIN_PAUSE, 0
        while not self.stop.times:
            # The same name until an answer has come: an answer that was lost is given again.
            holder = holder or f"{self.name}/{next(numbers)}"
            try:
                taken = self.queue.take(holder, self.terms)
                if taken is None and self._is_finished():
                    break
            except QueueError as error:
                if pause == MIN_PAUSE:
                    self.say(f"{error}; trying again")
                self.stop.wait(pause)
                pause = min(2 * pause, MAX_PAUSE)
                continue
            pause, holder = MIN_PAUSE, "" if taken else holder
            if taken is None:
                self.stop.wait(POLL)
                continue
            code = self.crawl(*taken)
            crawled += 1
            useless = useless + 1 if code in MAX_USELESS else 0
            self.exit_code = code if useless else 0
            if self.is_once or useless >= MAX_USELESS.get(code, inf):
                break
            if useless:  # it would be the same with the next site
                self.stop.wait(min(2.0 ** (useless - 1), MAX_REST))
        return crawled

    def _is_finished(self) -> bool:
        return self.is_once or (self.is_until_empty and not self.queue.unfinished())

    def crawl(self, job: SiteJob, lease: Lease) -> int:
        """Crawl a site to its end; the exit code of its process."""
        self.say(f"{job.name}: crawled by {lease.holder}")
        with tempfile.TemporaryDirectory(prefix="newsclean-site-") as name:
            folder = Path(name)
            (folder / f"{job.name}.toml").write_text(job.file, "utf-8")
            if job.corrections is not None:
                (folder / f"{job.name}{SUFFIX}").write_text(job.corrections, "utf-8")
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                env=os.environ | {VARIABLE: self.queue.address},
                start_new_session=True,  # Ctrl-C is for the worker, which passes it on
            )
            try:
                self._send(process, json.dumps(self.task_of(job, lease, folder)).encode() + b"\n")
                code = self._follow(process, lease)
            finally:
                process.kill()
                process.wait()
                assert process.stdin is not None
                with suppress(OSError):
                    process.stdin.close()
        return code if self._settle(lease, code) else LOST

    def _send(self, process: subprocess.Popen[bytes], data: bytes) -> None:
        assert process.stdin is not None
        with suppress(OSError):  # it has ended
            process.stdin.write(data)
            process.stdin.flush()

    def _follow(self, process: subprocess.Popen[bytes], lease: Lease) -> int:
        """Wait for the end of a crawl, pass signals on, and see that it obeys its lease."""
        stops_sent, kill_at = 0, float("inf")
        every = lease.terms.seconds * RENEW_PART
        renew_at = clock() + every
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(LOOK)
            while stops_sent < self.stop.times:
                self._send(process, b"\n")
                stops_sent += 1
                if stops_sent > 1:
                    kill_at = min(kill_at, clock() + MAX_GRACE)
            if clock() >= renew_at:
                renew_at = clock() + every
                with suppress(QueueError):
                    if not self.queue.renew(lease):
                        kill_at = min(kill_at, clock() + 2 * MAX_GRACE)
            if clock() >= kill_at:
                process.kill()

    def _settle(self, lease: Lease, code: int) -> bool:
        """Say how the crawl went, if its process could not do so; False if another has the site."""
        outcome, reason = outcome_of_exit_code(code)
        ends = clock() + lease.terms.seconds
        pause = MIN_PAUSE
        while True:
            try:
                if not self.queue.finish(lease, outcome, reason):
                    self.say(f"{lease.site}: another worker has it now")
                    return False
                self.say(f"{lease.site}: {self.queue.last_run(lease.site)}")
                return True
            except QueueError as error:
                if clock() > ends or self.stop.times > 1:
                    self.say(f"{lease.site}: the outcome was not reported to the queue: {error}")
                    return True
                time.sleep(pause)
                pause = min(2 * pause, MAX_PAUSE)


def worker_name() -> str:
    """A name that no other worker has."""
    return f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:6]}"


def outcome_of_exit_code(code: int) -> tuple[Outcome, str]:
    """The outcome of a crawl whose process has not reported one, by its exit code.

    >>> outcome_of_exit_code(-9)
    (<Outcome.FAILED: 'failed'>, 'its crawl was killed (signal 9)')
    >>> outcome_of_exit_code(130)
    (<Outcome.GIVEN_BACK: 'given back'>, 'interrupted')
    """
    if code in (INTERRUPTED, LOST):
        return Outcome.GIVEN_BACK, "interrupted"
    if code == STORAGE:
        return Outcome.GIVEN_BACK, "the memory or the output could not be written"
    if code == USAGE:
        return Outcome.GIVEN_BACK, "its crawl could not start; the worker says why"
    if code == 0:
        return Outcome.DONE, "what it found is in its log"
    if code < 0:
        return Outcome.FAILED, f"its crawl was killed (signal {-code})"
    return Outcome.FAILED, f"its crawl ended with exit code {code}"
