"""Pages for the command line, and the command line itself."""

import subprocess
import sys
from typing import NamedTuple

import pytest

from newsclean.cli import main

TOWNS = ("Bergen", "Oslo", "Bodø", "Moss", "Narvik", "Hamar")
FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."


def story(town: str) -> str:
    days = f"It has rained in {town} for nine days, and the river there is as high as it ever was."
    mayor = f"The mayor of {town} says that no help is near, and asks all people to stay at home."
    return (
        f"<html lang=en><title>Rain in {town} goes on</title><h1>Rain in {town} goes on</h1>"
        f"<div><p>{days}</p><p>{mayor} See <a href=/map>the map</a> of the town.</p>"
        f"<figure><img src=/rain.jpg><figcaption>A wet street</figcaption></figure>"
        f"<p>{FOOTER}</p></div>"
    )


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Outcome:
    """Run the command in this process."""
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as error:  # argparse
        code = int(error.code or 0)
    return Outcome(code, *capsys.readouterr())


def run_process(*arguments: object, stdin: bytes = b"") -> Outcome:
    """Run the command as a user does."""
    command = [sys.executable, "-m", "newsclean", *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=60, check=False)
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())
