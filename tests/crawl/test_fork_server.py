"""A forked command is as one that Python was started for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .fork_server import ROOT, run_module

pytestmark = pytest.mark.process

#: Shows what a process has of its own, and fails.
SHOW = """
import atexit, os, sys
print(__name__, sys.argv[1:], os.getcwd(), sorted(os.environ), os.getsid(0) == os.getpid())
atexit.register(print, "the end")
print("trouble", file=sys.stderr)
sys.exit(len(sys.argv))
"""


def test_a_forked_command_has_all_that_a_started_one_has(tmp_path: Path) -> None:
    (tmp_path / "show.py").write_text(SHOW)
    environment = {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    arguments = ["a b", "ö"]
    started = subprocess.run(
        [sys.executable, "-m", "show", *arguments],
        cwd=tmp_path,
        env=environment,
        start_new_session=True,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    forked = run_module("show", *arguments, folder=tmp_path, environment=environment, timeout=60)
    assert forked.exit_code == started.returncode == 3
    assert forked.output == started.stdout
    assert forked.errors == started.stderr == "trouble\n"


def test_forked_commands_know_nothing_of_each_other(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("import sys; sys.trace_of_first = True")
    (tmp_path / "second.py").write_text("import sys; assert not hasattr(sys, 'trace_of_first')")
    for name in ("first", "second"):
        ended = run_module(name, folder=tmp_path, environment={}, timeout=60)
        assert (ended.exit_code, ended.errors) == (0, "")


def test_a_signal_and_an_error_show_in_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "killed.py").write_text("import os; os.kill(os.getpid(), 9)")
    (tmp_path / "failed.py").write_text("raise ValueError('no')")
    assert run_module("killed", folder=tmp_path, environment={}, timeout=60).exit_code == -9
    failed = run_module("failed", folder=tmp_path, environment={}, timeout=60)
    assert failed.exit_code == 1
    assert failed.errors.endswith("ValueError: no\n")


def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time; time.sleep(60)")
    with pytest.raises(subprocess.TimeoutExpired):
        run_module("slow", folder=tmp_path, environment={}, timeout=0.1)
