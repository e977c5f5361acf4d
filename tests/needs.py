"""What tests need beyond Python, as markers: `make test` leaves those tests out, and says so.

A plugin of pytest, loaded by `tests/conftest.py`. A test that takes a server, a browser or Spark as
a fixture gets its marker by that. A test that starts a program is marked `process`: without the
marker it fails.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.browser.installed import require_browser

#: Markers, and what the tests are called that have them; a test counts as the first that it has.
NEEDS = {
    "chromium": "in Chromium",
    "postgresql": "with PostgreSQL",
    "spark": "with Spark",
    "process": "in processes of their own",
}
#: Fixtures that need something, and their markers.
FIXTURES = {
    "chromium": "chromium",
    "postgresql_server": "postgresql",
    "spark": "spark",
}
#: Events of Python's audit hooks, and of our own fork server, for the start of a program; forks of
#: the product's own, such as pools of workers, are none.
STARTS = ("subprocess.Popen", "os.posix_spawn", "tests.fork_server")

#: Programs that the module `platform` starts, and matplotlib to find the fonts of a new machine.
_STARTED_BY_LIBRARIES = (("uname",), ("file",), ("fc-list",))

#: How many tests were left out, by what they need: in a process, and on the way to another.
_LEFT_OUT = pytest.StashKey[Counter[str]]()
_SENT = "tests left out"

#: The test that runs, if it may not start programs.
_in_process: list[pytest.Item] = []


def needs_of(item: pytest.Item) -> list[str]:
    return [name for name in NEEDS if item.get_closest_marker(name)]


def pytest_configure(config: pytest.Config) -> None:
    for name, text in NEEDS.items():
        config.addinivalue_line("markers", f"{name}: runs {text}; not in `make test`")
    config.stash[_LEFT_OUT] = Counter()
    sys.addaudithook(_refuse_processes)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for fixture in FIXTURES.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(FIXTURES[fixture])


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count tests that are left out for what they need."""
    config: Any = items[0].config
    counts: Counter[str] = config.stash[_LEFT_OUT]
    if "not" in config.getoption("markexpr"):
        counts.update(needs[0] for item in items if (needs := needs_of(item)))
    if hasattr(config, "workeroutput"):  # of a process of pytest-xdist
        config.workeroutput[_SENT] = dict(counts)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist; all its workers leave out the same tests
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[_LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get(_SENT, {}))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if counts := config.stash[_LEFT_OUT]:
        told = ", ".join(f"{counts[name]} {text}" for name, text in NEEDS.items() if counts[name])
        terminalreporter.write_line(
            f"not run: {counts.total()} tests ({told}); `make test-all` runs them"
        )


@contextmanager
def _without_programs(item: pytest.Item) -> Iterator[None]:
    """Lets an unmarked test start no program.

    What a server of all tests does when it is stopped, after whichever test is the last, is not
    that test's doing.
    """
    _in_process[:] = [] if needs_of(item) else [item]
    try:
        yield
    finally:
        _in_process.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    if item.get_closest_marker("chromium"):
        require_browser()
    with _without_programs(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _without_programs(item):
        return (yield)


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    if event in STARTS and _in_process and arguments[:1] not in _STARTED_BY_LIBRARIES:
        what = arguments[0] if arguments else event
        pytest.fail(f"starts a program ({what}) and is not marked `process`", pytrace=False)
