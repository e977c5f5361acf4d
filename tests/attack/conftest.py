"""Asserts promises, and reports those that could not be put to the test on this machine."""

import os
from collections.abc import Callable

import pytest

from .promise import Promise

#: The property of a test that has what was not run; a report brings it from any worker.
NOT_RUN = "not run"

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
        for promise in not_run:
            text = f"{promise.promise}: {promise.example}"
            request.node.user_properties.append((NOT_RUN, text))

    return check


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed"):
        for name, text in report.user_properties:
            if name == NOT_RUN:
                terminalreporter.write_line(f"attack: {text}")
