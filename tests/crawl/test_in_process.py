"""A command in the process of the tests is as one in a process of its own, and leaves nothing."""

import logging
import os
import sys
from pathlib import Path

import pytest

from tests.crawl.in_process import run_here

#: Shows what a command has of its own, changes it, and fails.
SHOW = """
import logging, os, sys
import own
print(__name__, sys.argv[1:], os.getcwd(), sorted(os.environ), own.NAME)
os.environ["CHANGED"] = "yes"
os.chdir("/")
logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
logging.info("trouble")
sys.exit(len(sys.argv))
"""


def test_a_command_has_a_folder_an_environment_and_a_log_and_leaves_none_of_them(
    tmp_path: Path,
) -> None:
    root = logging.getLogger()
    before = (Path.cwd(), dict(os.environ), sys.argv, sys.path[:], root.handlers[:], root.level)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "show.py").write_text(SHOW)
        (tmp_path / name / "own.py").write_text(f"NAME = {name!r}")
        ended = run_here("show", "a b", "ö", folder=tmp_path / name, environment={"LANG": "C"})
        shown = f"__main__ ['a b', 'ö'] {tmp_path / name} ['LANG'] {name}\n"
        assert (ended.exit_code, ended.output, ended.errors) == (3, shown, "trouble\n")
    after = (Path.cwd(), dict(os.environ), sys.argv, sys.path[:], root.handlers[:], root.level)
    assert after == before
    assert "own" not in sys.modules


def test_a_module_of_the_folder_may_be_called_as_one_that_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "own", sys)
    (tmp_path / "show.py").write_text("import own; print(own.NAME)")
    (tmp_path / "own.py").write_text("NAME = 'mine'")
    assert run_here("show", folder=tmp_path, environment={}).output == "mine\n"
    assert sys.modules["own"] is sys


@pytest.mark.parametrize(
    ("code", "exit_code", "last"),
    [
        ("", 0, ""),
        ("raise SystemExit", 0, ""),
        ("raise SystemExit('no')", 1, "no"),
        ("raise ValueError('no')", 1, "ValueError: no"),
    ],
)
def test_an_exit_code_is_that_of_a_process(
    tmp_path: Path, code: str, exit_code: int, last: str
) -> None:
    (tmp_path / "show.py").write_text(code)
    ended = run_here("show", folder=tmp_path, environment={})
    assert ended.exit_code == exit_code
    assert ended.errors.strip().rpartition("\n")[2] == last
