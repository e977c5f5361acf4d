"""A process that has everything loaded, and makes a copy of itself for each measurement.

So a measurement starts at once, none sees what another has left in memory, and one that never ends
is ended by the system.
"""

from __future__ import annotations

import os
import pickle
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from tests.attack.costs import Cost, costs, warm_up

ROOT = Path(__file__).parent.parent.parent
#: Seconds of processor time after which a measurement is ended.
MAX_CPU_SECONDS = 300


class Worker:
    """Measures pages in another process."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.attack.worker"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def costs(
        self, sources: Sequence[bytes], method: str, neighbors: Sequence[bytes] = (), runs: int = 1
    ) -> list[Cost] | None:
        """As `costs`; None where the measurement was ended or has failed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        pickle.dump((sources, method, neighbors, runs), self.process.stdin)
        self.process.stdin.flush()
        found: list[Cost] | None = pickle.load(self.process.stdout)
        return found


def main() -> None:
    """Answer one request after the other, until there are no more."""
    warm_up()
    while True:
        try:
            request = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        child = os.fork()
        if not child:
            _measure(request)
        _, status = os.waitpid(child, 0)
        if status:
            _answer(None)


def _measure(request: Any) -> None:
    """Answer, and end this process."""
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
        _answer(costs(*request))
        status = 0
    finally:
        os._exit(status)


def _answer(value: list[Cost] | None) -> None:
    sys.stdout.buffer.write(pickle.dumps(value))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
