"""Tests that need more than Python are known by their markers, and what was not run is told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import NEEDS

ROOT = Path(__file__).parents[1]

#: A test that needs nothing, one that starts programs, and two that get their marker by a fixture.
TESTS = """
import pytest

@pytest.fixture
def postgresql_server(): ...

@pytest.fixture
def queue(postgresql_server): ...

def test_alone(): ...

@pytest.mark.process
def test_process(): ...

def test_server(postgresql_server): ...

def test_queue(queue): ...
"""


def test_a_test_that_starts_a_program_without_the_marker_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match="not marked `process`"):
        subprocess.run(["true"], check=True)


@pytest.mark.process
def test_a_test_with_the_marker_starts_programs() -> None:
    subprocess.run(["true"], check=True)


@pytest.mark.process
@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_was_left_out_is_named_with_the_way_to_run_it(tmp_path: Path, workers: str) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    chosen = f"not ({' or '.join(NEEDS)})"
    command = ["-m", "pytest", "-q", "-p", "tests.needs", "-n", workers, "-m", chosen, "."]
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    told = "not run: 3 tests (2 with PostgreSQL, 1 in processes of their own); "
    told += "`make test-all` runs them"
    assert told in ended.stdout.splitlines()
    assert "1 passed" in ended.stdout


def test_make_test_leaves_out_all_of_them() -> None:
    (line,) = [
        line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("ALONE :=")
    ]
    assert line == f"ALONE := -m 'not ({' or '.join(NEEDS)})'"
