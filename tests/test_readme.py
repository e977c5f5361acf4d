"""The README: short, and every command and every output in it as it says."""

import io
import json
import re
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.demo import DemoServer
from newsclean.extraction.methods.registry import METHODS
from newsclean.settings import ITEM_PIPELINES
from tests.cli.pages import story
from tests.code_blocks import ROOT, code_block, code_blocks
from tests.console import commands, is_printed, replaced, run_shell
from tests.crawl.test_own_project import ONE_LINE

PAGE = ROOT / "README.md"
TEXT = PAGE.read_text("utf-8")
MAX_WORDS = 1200

#: The lines of blocks without a language that are commands, and the test that runs each.
RUN_ELSEWHERE = {
    "python -m pip install --upgrade pip": "tests/test_wheel.py::plain",
    "pip install .": "tests/test_wheel.py::test_a_checkout_is_installed_and_gets_an_extra",
    "pip install 'newsclean[serve] @ git+REPOSITORY'": (
        "tests/test_wheel.py::test_a_repository_is_installed_and_gets_an_extra"
    ),
    "make demo": "tests/test_readme.py::test_make_runs_the_two_commands_of_a_checkout",
    "make test": "tests/test_readme.py::test_make_runs_the_two_commands_of_a_checkout",
    "newsclean crawl https://example.org/": (
        "tests/cli/test_crawl.py::test_one_line_crawls_a_site_from_an_empty_folder"
    ),
}


def test_it_is_short() -> None:
    assert len(TEXT.split()) <= MAX_WORDS


def test_every_block_is_run_or_compared() -> None:
    for block in code_blocks(PAGE):
        if block.language in ("console", "json", "mermaid", "python"):
            continue  # the tests below
        if block.text == code_block(PAGE, "Harbor bridge reopens | "):
            continue  # what the first lines of Python print
        for line in block.text.splitlines():
            command = line.partition("  ")[0]
            assert command in RUN_ELSEWHERE, f"line {block.line}: no test runs {command}"
    for test in RUN_ELSEWHERE.values():
        path, _, name = test.partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE), test


def test_the_lines_of_python_print_what_it_says() -> None:
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code_block(PAGE, "newsclean.extract("), str(PAGE), "exec"), {})
    assert printed.getvalue() == code_block(PAGE, "Harbor bridge reopens | ")


def test_the_commands_in_its_sentences_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text(story("Bergen"), "utf-8")
    assert "`newsclean extract page.html`" in TEXT
    assert main("extract page.html".split()) == 0
    assert "It has rained in Bergen" in capsys.readouterr().out
    assert main("extract page.html --explain".split()) == 0
    named = set(re.findall(r"`newsclean (\w+)", TEXT))
    assert named == {"extract", "demo"}


@pytest.mark.process
@pytest.mark.slow
def test_the_crawl_prints_and_writes_what_it_says(tmp_path: Path) -> None:
    (crawl,) = commands(PAGE)
    with DemoServer(scripted=True) as demo:  # `newsclean demo --serve`
        port = {"8801": demo.publishers[0].base_url.rpartition(":")[2]}
        printed = run_shell(replaced(crawl.text, port), tmp_path)
    assert is_printed(replaced(crawl.output, port), printed), printed
    written = (tmp_path / "articles.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["revision"] for line in written] == [1] * 5
    (block,) = (block for block in code_blocks(PAGE) if block.language == "json")
    for shown in block.text.splitlines():
        pattern = ".*".join(re.escape(part.strip()) for part in shown.split("…"))
        assert any(re.fullmatch(pattern, line) for line in written), shown


@pytest.mark.process
def test_make_runs_the_two_commands_of_a_checkout() -> None:
    assert ".venv/bin/newsclean demo" in run_shell("make --dry-run demo", ROOT)
    tests = run_shell("make --dry-run test", ROOT)
    assert all(program in tests for program in ("ruff check", "mypy", "pytest"))


def test_the_picture_of_the_pipelines_is_that_of_the_settings() -> None:
    (picture,) = (block.text for block in code_blocks(PAGE) if block.language == "mermaid")
    drawn = list(dict.fromkeys(re.findall(r"\b[A-Z]\w+(?= |\n)", picture.partition("\n")[2])))
    names = [path.rpartition(".")[2].removesuffix("Pipeline") for path in ITEM_PIPELINES]
    assert drawn == names
    assert set(re.findall(r"\*\*(\w+)\*\* (?:learns|marks|chooses|adds|finds)", TEXT)) < {*names}


def test_it_names_all_methods_all_extras_and_the_line_of_the_add_on() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].keys() - {"docs", "test"}
    (listed,) = re.findall(r"Extras are the optional parts: (.*?)\.", TEXT, re.DOTALL)
    assert set(re.findall(r"`([\w-]+)`", listed)) == extras
    (methods,) = re.findall(r"can take its place: (.*?), or a chain", TEXT, re.DOTALL)
    assert set(re.findall(r"`([\w-]+)`", methods)) == METHODS.keys() - {"hybrid"}
    assert code_block(PAGE, "ADDONS") == f"{ONE_LINE}\n"
