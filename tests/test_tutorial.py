"""The tutorial, from its first command to its last."""

import subprocess
import sys
from pathlib import Path

import pytest

from newsclean.demo import DemoServer
from tests.code_blocks import ROOT, code_blocks
from tests.console import commands, is_printed, replaced, run_shell

pytestmark = [pytest.mark.slow, pytest.mark.process]

PAGE = ROOT / "docs" / "tutorial.md"
SERVE = "newsclean demo --serve --promos"


def test_every_command_prints_what_the_tutorial_says(tmp_path: Path) -> None:
    (python,) = (block for block in code_blocks(PAGE) if block.language == "python")
    printed_by_python = next(b.text for b in code_blocks(PAGE) if b.line > python.line)
    told = [*commands(PAGE)]
    assert len(told) > 10
    with DemoServer(scripted=True, promos=True) as demo:
        ports = {"8801": demo.publishers[0].base_url.rpartition(":")[2]}
        for command in told:
            if command.text == SERVE:  # it is the server above
                continue
            if command.line > python.line and not (tmp_path / "first.py").exists():
                (tmp_path / "first.py").write_text(python.text, "utf-8")
                assert run_shell(f"{sys.executable} first.py", tmp_path) == printed_by_python
            printed = run_shell(replaced(command.text, ports), tmp_path)
            expected = replaced(command.output, ports)
            assert is_printed(expected, printed), f"line {command.line}: {printed}"


def test_the_demo_prints_the_addresses_of_the_tutorial() -> None:
    (told,) = (command for command in commands(PAGE) if command.text == SERVE)
    port = "8801"
    from newsclean.demo.command import PORT

    assert str(PORT) == port
    with subprocess.Popen(
        [sys.executable, "-m", "newsclean", *SERVE.split()[1:], "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        process.terminate()
    found = lines[0].split()[-1].rpartition(":")[2]
    assert is_printed(replaced(told.output, {port: found}), "".join(lines) + "more\n")
