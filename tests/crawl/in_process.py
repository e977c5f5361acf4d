"""Runs `python -m MODULE …` in this process: a crawl in the time that its pages take.

The command is the real one, with a folder, an environment, a log and modules of its own. What all
commands share is the reactor, which can be started once in a process only: it is started here, and
to run and to stop it means to run and to stop its event loop. Therefore this module is imported as
`tests.crawl.in_process` everywhere: under two names it would start two reactors.
"""

import asyncio
import atexit
import gc
import io
import logging
import os
import runpy
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, cast
from unittest import mock

from twisted.python.log import PythonLoggingObserver

from tests.crawl.fork_server import Ended

# A crawl freezes what it finds, and libraries such as DuckDB report at the end what nobody frees.
atexit.register(gc.unfreeze)


def run_here(module: str, *arguments: str, folder: Path, environment: dict[str, str]) -> Ended:
    """Run `python -m MODULE …` in a folder to its end."""
    asyncio.set_event_loop(shared_loop())
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with (
        warnings.catch_warnings(),
        redirect_stdout(out),
        redirect_stderr(err),
        _own_logging(),
        _own_state(folder, environment),
    ):
        warnings.simplefilter("ignore", ResourceWarning)  # as Python does by itself
        sys.argv = [module, *arguments]
        code: object = 0
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        except SystemExit as error:
            code = error.code or 0
        except Exception:
            traceback.print_exc()
            code = 1
        gc.collect()  # what an object logs when it is deleted belongs to this log
    if not isinstance(code, int):
        print(code, file=err)
        code = 1
    return Ended(code, *(file.buffer.getvalue().decode() for file in (out, err)))


@cache
def shared_loop() -> asyncio.AbstractEventLoop:
    """Start the reactor of this process, which never stops; its event loop."""
    from twisted.internet import asyncioreactor

    loop, install = asyncio.new_event_loop(), cast("Any", asyncioreactor.install)
    install(loop)
    from twisted.internet import reactor

    shared = cast("Any", reactor)
    shared.startRunning(installSignalHandlers=False)
    shared.run = lambda installSignalHandlers=True: loop.run_forever()  # noqa: N803
    shared.stop = loop.stop
    # Nobody stops the threads of a reactor that does not stop.
    shared.getThreadPool().threadFactory = partial(threading.Thread, daemon=True)
    return loop


@contextmanager
def _own_logging() -> Iterator[None]:
    """Has handlers that the command installs, and no others, until the command has ended."""
    root, observers = logging.getLogger(), []
    before, level = root.handlers[:], root.level
    start = PythonLoggingObserver.start

    def note_start(observer: PythonLoggingObserver) -> None:
        observers.append(observer)
        start(observer)

    root.handlers.clear()
    try:
        with mock.patch.object(PythonLoggingObserver, "start", note_start):
            yield
    finally:
        for observer in observers:
            observer.stop()
        logging.captureWarnings(False)
        for handler in root.handlers:
            handler.close()
        root.handlers[:] = before
        root.setLevel(level)


@contextmanager
def _own_state(folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """Has the folder, the environment and the modules of a command until the command has ended."""
    place, variables = Path.cwd(), dict(os.environ)
    arguments, path = sys.argv, sys.path[:]
    # A module of the folder may be called as one of the tests.
    names = {entry.stem for entry in folder.iterdir() if entry.suffix in ("", ".py")}
    hidden = {name: sys.modules[name] for name in sys.modules if name.partition(".")[0] in names}
    for name in hidden:
        del sys.modules[name]
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        os.chdir(place)
        os.environ.clear()
        os.environ.update(variables)
        sys.argv, sys.path[:] = arguments, path
        for name, module in list(sys.modules.items()):
            if _is_of(folder, module):
                del sys.modules[name]
        sys.modules.update(hidden)


def _is_of(folder: Path, module: ModuleType) -> bool:
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(place and Path(place).is_relative_to(folder) for place in places)
