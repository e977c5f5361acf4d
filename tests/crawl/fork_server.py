"""Runs `python -m MODULE …` in processes that need not import Scrapy and newsclean first.

Imports take most of the time of a small crawl. Here they are done once, by a server, and each
command is a fork of it: in a folder, an environment and a session of its own, with its own end, as
any process. Commands whose imports matter are started by `subprocess`.
"""

import atexit
import json
import os
import re
import runpy
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

ROOT = Path(__file__).parents[2]
#: Bytes of a task: arguments and environment.
MAX_TASK = 1 << 18
#: Bytes of an answer: the number of a process, or its exit code.
MAX_ANSWER = 32
#: Seconds; none at all would be an error of another kind.
SHORTLY = 0.001

#: What a crawl imports, one way or another.
PRELOADED = (
    "scrapy.cmdline",
    "scrapy.commands.crawl",
    "newsclean.cli.crawl_process",
    "newsclean.cli.crawl_workers",
    "newsclean.addon",
    "newsclean.spiders.saved_page_spiders",
    "newsclean.spiders.source_spiders",
    "newsclean.spiders.news",
    "newsclean.spiders.saved_page_spiders",
    "newsclean.spiders.source_spiders",
    "newsclean.spiders.source_spiders",
    "scrapy.core.downloader.handlers.http11",
    "scrapy.core.scheduler",
    "scrapy.downloadermiddlewares.httpcompression",
    "scrapy.downloadermiddlewares.redirect",
    "scrapy.downloadermiddlewares.retry",
    "scrapy.extensions.feedexport",
    "scrapy.extensions.throttle",
    "scrapy.spiderloader",
    "scrapy.spidermiddlewares.referer",
)


@dataclass(frozen=True)
class Ended:
    exit_code: int
    output: str
    errors: str

    def __post_init__(self) -> None:
        assert_no_warning(self.errors)


def assert_no_warning(log: str) -> None:
    """Fail for a warning that was raised in a process; Scrapy logs those of signal handlers."""
    assert re.findall(r"^(?:\w+\.)*\w*Warning: .*$", log, re.MULTILINE) == []


class Forked:
    """A command that runs, as `subprocess.Popen` has it."""

    def __init__(
        self,
        module: str,
        *arguments: str,
        folder: Path,
        environment: dict[str, str],
        out: IO[bytes],
        err: IO[bytes],
    ) -> None:
        self.args = [module, *arguments]
        task = {"arguments": self.args, "folder": str(folder), "environment": environment}
        sys.audit("tests.fork_server", module)
        self._answers, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with theirs:
            files = [theirs.fileno(), out.fileno(), err.fileno()]
            socket.send_fds(_server(), [json.dumps(task).encode()], files)
        self.pid = int(self._answers.recv(MAX_ANSWER))
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._answers.settimeout(timeout)
            try:
                self.returncode = int(self._answers.recv(MAX_ANSWER))
            except TimeoutError:
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self._answers.close()
        return self.returncode

    def poll(self) -> int | None:
        try:
            return self.wait(SHORTLY)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def run_module(
    module: str, *arguments: str, folder: Path, environment: dict[str, str], timeout: float
) -> Ended:
    """Run `python -m MODULE …` in a folder to its end."""
    with TemporaryFile() as out, TemporaryFile() as err:
        process = Forked(
            module, *arguments, folder=folder, environment=environment, out=out, err=err
        )
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with the processes that it has started
            process.wait()
            raise
        for file in (out, err):
            file.seek(0)
        return Ended(code, out.read().decode(), err.read().decode())


@cache
def _server() -> socket.socket:
    """A connection to the server; when it is closed, the server ends."""
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.crawl.fork_server", str(theirs.fileno())],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C is not for it
        )

    def stop() -> None:
        ours.close()
        process.wait()

    atexit.register(stop)
    return ours


def serve(control: socket.socket) -> list[str] | None:
    """Take tasks until nobody is left to give one; in a process for a task, its arguments."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that wait
    while True:
        data, files, *_ = socket.recv_fds(control, MAX_TASK, 3)
        if not data:
            return None
        if os.fork() == 0:
            control.close()
            return begin(json.loads(data), *files)
        for file in files:
            os.close(file)


def begin(task: dict[str, object], answers: int, out: int, err: int) -> list[str]:
    """Become the process of a task; its parent waits for it and reports its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    process = os.fork()
    if process:
        os.write(answers, str(process).encode())
        _, status = os.waitpid(process, 0)
        with suppress(BrokenPipeError):  # nobody waits
            os.write(answers, str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    os.setsid()
    for file, number in ((out, 1), (err, 2)):
        os.dup2(file, number)
    for file in (answers, out, err):
        os.close(file)
    folder, environment, arguments = task["folder"], task["environment"], task["arguments"]
    assert isinstance(folder, str)
    assert isinstance(environment, dict)
    assert isinstance(arguments, list)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path.insert(0, folder)
    return arguments


def main() -> None:
    for name in PRELOADED:
        import_module(name)
    assert "twisted.internet.reactor" not in sys.modules  # each crawl installs its own
    arguments = serve(socket.socket(fileno=int(sys.argv[1])))
    if arguments is not None:
        sys.argv = arguments
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
