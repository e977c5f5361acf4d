"""Asserts promises, and reports those that could not be put to the test on this machine."""

import os
from collections.abc import Callable

import pytest

from .promise import Promise

NOT_RUN = pytest.StashKey[list[str]]()

Hold = Callable[[list[Promise]], None]


@pytest.fixture
def hold(request: pytest.FixtureRequest) -> Hold:
    """Fails for every promise that was broken; in CI also for one that was not run."""

    def check(promises: list[Promise]) -> None:
        broken = [promise for promise in promises if promise.failures]
        not_run = [promise for promise in promises if not promise.tries]
        assert broken == []
        if os.environ.get("CI"):
            assert not_run == []
        names = request.config.stash.setdefault(NOT_RUN, [])
        names.extend(f"{promise.promise}: {promise.example}" for promise in not_run)

    return check


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for line in config.stash.get(NOT_RUN, []):
        terminalreporter.write_line(f"attack: {line}")
