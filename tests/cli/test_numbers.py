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
        ("train hybrid corpus", "--sample"),
        ("train hybrid corpus", "--jobs"),
        ("train hybrid corpus", "--epochs"),
        ("train hybrid corpus", "--width"),
        ("train articles corpus", "--sample"),
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
