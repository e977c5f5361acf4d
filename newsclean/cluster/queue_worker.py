"""A worker of the queue: crawls sites, several at a time, each in its own process.

Procrastinate hands it jobs. When the worker dies, the standard input of its processes ends, and
with it their crawls. The worker ends a process that makes no progress.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import uuid4

from newsclean.cluster.site_queue import (
    QUEUE,
    TASK,
    Outcome,
    QueueError,
    Retries,
    SiteJob,
    SiteQueue,
)
from newsclean.extraction.corrections import SUFFIX
from newsclean.extraction.text import counted
from newsclean.memory.site_health import State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from procrastinate import App, JobContext

T = TypeVar("T")

#: Exit codes of a crawl: it could not start; it cannot write the memory or the output; another
#: crawl has its domain; it was interrupted.
_USAGE, _STORAGE, BUSY, INTERRUPTED = 2, 4, 7, 130
#: Crawls in a row that could not start, or write, after which the worker ends with their code.
_MAX_USELESS = {_USAGE: 3, _STORAGE: 30}
#: Maximum seconds that a worker waits after such a crawl.
_MAX_REST = 60.0
#: Seconds between two checks of the queue, and of the workers.
_POLL, _LOOK = 1.0, 5.0
#: Seconds between two heartbeats of a worker, and without one until another gets its jobs.
_HEARTBEAT, _STALLED = 3.0, 15.0
#: Seconds for which a step of the queue is repeated while the database is not reachable.
PATIENCE = 300.0
#: Seconds that a crawl has to end after the second request to stop.
GRACE = 5.0
#: Maximum bytes of a line that a crawl writes.
MAX_LINE = 1 << 20


class Ended(NamedTuple):
    """How a crawl ended."""

    outcome: Outcome
    reason: str
    articles: int = 0
    code: int = 0


@dataclass
class Worker:
    """Crawls sites until it is asked to stop, or until nothing is left to do."""

    queue: SiteQueue
    #: the command of a crawl, which reads its task on the standard input
    command: list[str]
    #: makes the task from the job and the folder with its site file
    task_of: Callable[[SiteJob, Path], dict[str, Any]]
    #: reports progress and problems
    say: Callable[[str], None]
    concurrency: int = 1
    retries: Retries = field(default_factory=Retries)
    #: seconds without a response or an article after which a crawl is ended
    idle: float = 1800.0
    is_until_empty: bool = False
    name: str = field(
        default_factory=lambda: f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:6]}"
    )

    #: number of crawled sites
    crawled: int = field(default=0, init=False)
    #: requests to stop: the first lets the crawls end, the second ends them at once
    stops: int = field(default=0, init=False)
    #: the exit code of crawls that this worker cannot run
    exit_code: int = field(default=0, init=False)
    _useless: int = field(default=0, init=False)
    _crawls: set[asyncio.subprocess.Process] = field(default_factory=set, init=False)
    _stop: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    async def run(self) -> int:
        """Work until the end, and return the exit code."""
        import psycopg
        from procrastinate import App, PsycopgConnector
        from procrastinate.exceptions import ProcrastinateException

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.stop)
        for name in ("procrastinate", "psycopg.pool"):  # errors are reported here, in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        is_told = False
        while not self._stop.is_set():
            app = App(
                connector=PsycopgConnector(
                    conninfo=self.queue.address, kwargs=self.queue.options, min_size=1
                )
            )
            app.task(name=TASK, queue=QUEUE, pass_context=True)(self._work)
            try:
                async with app.open_async():
                    is_told = False
                    await self._work_with(app)
            except (ProcrastinateException, psycopg.Error) as error:
                if not is_told:
                    words = str(error.__cause__ or error).strip().splitlines() or [repr(error)]
                    self.say(f"the queue is not reachable: {words[0]}; trying again")
                is_told = True
                await self._wait(_POLL)
        return INTERRUPTED if self.stops else self.exit_code

    async def _work_with(self, app: App) -> None:
        """Take jobs until the worker is asked to stop, or loses the database."""
        worker = asyncio.create_task(
            app.run_worker_async(
                queues=[QUEUE],
                name=self.name,
                concurrency=self.concurrency,
                delete_jobs="always",
                fetch_job_polling_interval=_POLL,
                update_heartbeat_interval=_HEARTBEAT,
                stalled_worker_timeout=_STALLED,
                install_signal_handlers=False,
            )
        )
        keeper = asyncio.create_task(self._keep(app))
        await asyncio.wait((worker, keeper), return_when=asyncio.FIRST_COMPLETED)
        worker.cancel()  # it waits for its crawls
        keeper.cancel()
        for result in await asyncio.gather(worker, keeper, return_exceptions=True):
            if isinstance(result, Exception):
                raise result

    async def _keep(self, app: App) -> None:
        """Make jobs of the sites that are due, and put the jobs of dead workers back."""
        from procrastinate.exceptions import ProcrastinateException

        looked, is_told = -inf, False
        while not self._stop.is_set():
            try:
                if time.monotonic() - looked > _LOOK:
                    looked = time.monotonic()
                    await self._take_over(app)
                await asyncio.to_thread(self.queue.feed)
                if self.is_until_empty and not await asyncio.to_thread(self.queue.unfinished):
                    self._stop.set()
                is_told = False
            except (QueueError, ProcrastinateException) as error:
                if not is_told:
                    self.say(f"{error}; trying again")
                is_told = True
            await self._wait(_POLL)

    async def _take_over(self, app: App) -> None:
        """Put the jobs of dead workers back into the queue."""
        from procrastinate.exceptions import ProcrastinateException

        for job in await app.job_manager.get_stalled_jobs(
            queue=QUEUE, seconds_since_heartbeat=_STALLED
        ):
            with suppress(ProcrastinateException):  # another worker was faster
                await app.job_manager.retry_job(job, retry_at=datetime.now(UTC))

    async def _wait(self, seconds: float) -> None:
        """Wait, at most until a request to stop."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)

    def stop(self) -> None:
        """Let all crawls end; the second time, end them at once."""
        self.stops += 1
        self._stop.set()
        for process in self._crawls:
            self._tell(process, b"\n")
            if self.stops > 1:
                asyncio.get_running_loop().call_later(GRACE, _kill, process)

    async def _work(self, context: JobContext, site: str) -> None:
        """Crawl the site of a job, and store how it ended."""
        assert context.job.id is not None
        begun = await self._say(self.queue.begin, site, context.job.id, self.name)
        if begun is None:
            return  # the site was removed, or has another job
        turn, spec = begun
        retries: Retries | None = self.retries
        try:
            job = SiteJob.read(spec)
        except ValueError as error:
            ended, retries = Ended(Outcome.FAILED, f"cannot be read: {error}"), None
        else:
            self.say(f"{site}: started by {self.name}")
            ended = await self._crawl(job)
            self.crawled += 1
        outcome, reason, articles, code = ended
        is_ours = await self._say(self.queue.finish, site, turn, outcome, reason, articles, retries)
        words = f"{outcome}, {counted(articles, 'article')}" + (f" ({reason})" if reason else "")
        self.say(f"{site}: {words if is_ours else 'another worker has it now'}")
        self._useless = self._useless + 1 if code in _MAX_USELESS else 0
        if self._useless:  # the next site would fail in the same way
            if self._useless >= _MAX_USELESS[code]:
                self.exit_code = code
                self._stop.set()
            await self._wait(min(2.0 ** (self._useless - 1), _MAX_REST))

    async def _say(self, step: Callable[..., T], *arguments: Any) -> T:
        """Do a step of the queue; repeat it while the database is not reachable."""
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                return await asyncio.to_thread(step, *arguments)
            except QueueError:
                if time.monotonic() > ends or self.stops > 1:
                    raise  # the job fails; the site is due again when the database is back
                await asyncio.sleep(_POLL)

    async def _crawl(self, job: SiteJob) -> Ended:
        """Crawl a site in its own process."""
        with tempfile.TemporaryDirectory(prefix="newsclean-site-") as name:
            folder = Path(name)
            (folder / f"{job.name}.toml").write_text(job.file, "utf-8")
            if job.corrections is not None:
                (folder / f"{job.name}{SUFFIX}").write_text(job.corrections, "utf-8")
            process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=MAX_LINE,
                start_new_session=True,  # Ctrl-C is for the worker, which passes it on
            )
            self._crawls.add(process)
            try:
                task = json.dumps(self.task_of(job, folder)).encode()
                self._tell(process, task + b"\n" + b"\n" * self.stops)
                return await self._follow(process)
            finally:
                self._crawls.discard(process)
                _kill(process)
                await process.wait()

    def _tell(self, process: asyncio.subprocess.Process, data: bytes) -> None:
        assert process.stdin is not None
        if not process.stdin.is_closing():
            process.stdin.write(data)

    async def _follow(self, process: asyncio.subprocess.Process) -> Ended:
        """Read the reports of a crawl until it ends."""
        assert process.stdout is not None
        report: dict[str, Any] = {}
        while True:
            try:
                line = await asyncio.wait_for(process.stdout.readline(), self.idle)
            except TimeoutError:
                reason = f"ended: neither a response nor an article for {self.idle:,.0f} seconds"
                return Ended(Outcome.FAILED, reason, report.get("articles", 0))
            if not line:
                break
            report |= json.loads(line)
        return _ended_of(await process.wait(), report)


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()


def _ended_of(code: int, report: Mapping[str, Any]) -> Ended:
    """Return the outcome of a crawl, from its exit code and its reports.

    >>> _ended_of(0, {"articles": 3, "sites": [{"state": "good"}]})
    Ended(outcome=<Outcome.DONE: 'done'>, reason='good', articles=3, code=0)
    >>> _ended_of(3, {"sites": [{"state": "not reachable"}]}).outcome, _ended_of(-9, {}).reason
    (<Outcome.FAILED: 'failed'>, 'its crawl was killed (signal 9)')
    >>> _ended_of(130, {"articles": 2}).outcome, _ended_of(7, {}).outcome
    (<Outcome.GIVEN_BACK: 'given back'>, <Outcome.BUSY: 'busy'>)
    """
    articles = int(report.get("articles", 0))
    fixed = {
        INTERRUPTED: (Outcome.GIVEN_BACK, "interrupted"),
        _STORAGE: (Outcome.GIVEN_BACK, "the memory or the output could not be written"),
        _USAGE: (Outcome.GIVEN_BACK, "its crawl could not start; see the messages of the worker"),
        BUSY: (Outcome.BUSY, "another crawl is crawling its domain"),
    }
    if code in fixed:
        return Ended(*fixed[code], articles, code)
    if code < 0:
        return Ended(Outcome.FAILED, f"its crawl was killed (signal {-code})", articles, code)
    states = [State(site["state"]) for site in report.get("sites", ())]
    words = ", ".join(dict.fromkeys(states))
    if states and all(state.is_trouble and state is not State.FEW for state in states):
        return Ended(Outcome.FAILED, words, articles, code)
    if not states and code:
        return Ended(Outcome.FAILED, f"its crawl ended with exit code {code}", articles, code)
    return Ended(Outcome.DONE, words, articles, code)
