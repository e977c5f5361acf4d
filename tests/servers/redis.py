"""A Redis server of the tests: started, killed and started again at will."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from tests.browser.installed import not_run

from .ports import free_port

#: Seconds in which a server must answer.
PATIENCE = 30


class RedisServer:
    """A server on loopback that writes each command down before it answers, as a queue needs it."""

    def __init__(self) -> None:
        program = shutil.which("redis-server")
        if program is None:
            not_run("Redis is missing: apt-get install redis-server")
        self._program = program
        self._folder = Path(tempfile.mkdtemp(prefix="newsclean-redis-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [
            self._program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "",
            "--appendonly", "yes", "--appendfsync", "always", "--dir", str(self._folder),
        ]  # fmt: skip
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        ends = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < ends, (self._folder / "log").read_text("utf-8")
            time.sleep(0.02)

    def stop(self) -> None:
        """Kill it, as a crash does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def restart(self) -> None:
        self.stop()
        self.start()

    def remove(self) -> None:
        """Stop it if it runs, and remove its files."""
        if self._process is not None:
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False
