"""Commands that are no part of the product are found when they are asked for, and not before."""

import subprocess
import sys
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.error_hints import install_command

from .pages import run, story

Capture = pytest.CaptureFixture[str]

#: Runs newsclean where some modules cannot be imported.
WITHOUT = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if any(name == one or name.startswith(one + ".") for one in {blocked!r}):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
from newsclean.cli import main
sys.exit(main(sys.argv[1:]))
"""
PEERS = ("trafilatura", "readability", "justext", "boilerpy3", "newspaper", "goose3", "resiliparse")


def run_without(blocked: tuple[str, ...], *arguments: object) -> "subprocess.CompletedProcess[str]":
    code = WITHOUT.format(blocked=blocked)
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.process
def test_the_help_lists_all_commands() -> None:
    done = run_without(("newsclean.lab", "newsclean.demo"), "--help")
    assert done.returncode == 0
    for name in ("extract", "memory", "read", "search"):
        assert f"\n    {name} " in done.stdout


@pytest.mark.process
def test_the_product_works_without_the_laboratory_the_demo_and_all_extras(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(story("Bergen"), "utf-8")
    blocked = ("newsclean.lab", "newsclean.demo", "matplotlib", *PEERS)
    done = run_without(blocked, "extract", page)
    assert (done.returncode, done.stderr) == (0, "")
    assert "It has rained in Bergen" in done.stdout


@pytest.mark.parametrize("command", ["evaluate", "train"])
@pytest.mark.process
def test_a_command_of_the_laboratory_is_unknown_without_it(command: str) -> None:
    done = run_without(("newsclean.lab",), command, "corpus")
    assert done.returncode == 2
    assert f"invalid choice: '{command}'" in done.stderr


def test_an_extra_that_is_missing_in_the_middle_of_the_work_is_named(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    import newsclean.lab.evaluate_command as command

    def needs_more(options: object) -> int:
        raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")

    monkeypatch.setattr(command, "run", needs_more)
    done = run(capsys, "evaluate", "corpus")
    assert done.code == 2
    assert done.err == f"newsclean: evaluate needs matplotlib: {install_command('bench')}\n"


def test_a_module_of_the_product_that_is_missing_is_a_defect_and_not_an_extra(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    import newsclean.lab.evaluate_command as command

    def broken(options: object) -> int:
        raise ModuleNotFoundError("No module named 'newsclean.pages'", name="newsclean.pages")

    monkeypatch.setattr(command, "run", broken)
    with pytest.raises(ModuleNotFoundError):
        run(capsys, "evaluate", "corpus")


@pytest.mark.process
def test_a_peer_that_is_not_installed_is_named_with_its_extra(tmp_path: Path) -> None:
    options = ("--methods", "none", "--peers", "trafilatura")
    done = run_without(("trafilatura",), "evaluate", tmp_path, *options)
    assert done.returncode == 2
    assert done.stderr == f"newsclean: evaluate needs trafilatura: {install_command('bench')}\n"


def test_a_command_of_another_package_is_found_and_damaged_metadata_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "weather.py").write_text(
        "COMMANDS = {'rain': ('measure the rain', 'weather')}\n"
        "def add_arguments(parser): parser.set_defaults(run=lambda options: print('9 mm') or 0)\n"
    )
    for name, text in {
        "weather": b"[console_scripts]\na = b:c\n\n[newsclean.commands]\nx = weather:COMMANDS [x]\n"
        b"\n[other]\ny = z\n",
        "damaged": b"[newsclean.commands]\n\xff",
    }.items():
        (tmp_path / f"{name}-1.dist-info").mkdir()
        (tmp_path / f"{name}-1.dist-info" / "entry_points.txt").write_bytes(text)
    (tmp_path / "plain-1.dist-info").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run(capsys, "rain").out == "9 mm\n"
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert "measure the rain" in shown
    assert "find articles in an index" in shown
