"""Options that take a number from 1 on."""

import pytest

from .pages import run

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("evaluate corpus", "--sample"),
        ("evaluate corpus", "--jobs"),
        ("evaluate corpus", "--worst"),
        ("tune coreex corpus", "--sample"),
        ("tune coreex corpus", "--jobs"),
        ("train corpus", "--sample"),
        ("train corpus", "--jobs"),
        ("train corpus", "--epochs"),
        ("train corpus", "--width"),
        ("articles train corpus", "--sample"),
        ("articles experiment corpus", "--sample"),
        ("articles experiment corpus", "--repetitions"),
        ("articles explain page.html", "--trees"),
        ("memory show example.org", "--most"),
    ],
)
def test_what_is_no_positive_number_is_refused_before_anything_is_read(
    command: str, option: str, capsys: Capture
) -> None:
    for number in ("0", "-1", "1.5", "some"):
        done = run(capsys, *command.split(), f"{option}={number}")
        assert done.code == 2
        assert f"argument {option}: {number!r} is not a positive number" in done.err
