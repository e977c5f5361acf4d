"""The documentation names only files, tests, commands, options and settings that exist."""

import ast
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from newsclean.cli import parser_for
from newsclean.settings import table
from tests.code_blocks import ROOT, CodeBlock, code_blocks

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
PAGES += [ROOT / "CODE_OF_CONDUCT.md", ROOT / "examples" / "README.md"]
PAGES += sorted((ROOT / "docs").glob("*.md"))

#: Folders of the repository: a path that begins with one is checked whatever its suffix.
FOLDERS = "newsclean|tests|docs|benchmarks|deploy|examples|settings_examples"
#: `path.py`, `tests/path.py::test_name`, [a link](path.md#heading), and paths without either, as in
#: pictures; upper case is a placeholder, as in `test_NAME.py`.
NAMED = re.compile(
    r"`(?P<quoted>[\w./-]+\.(?:py|md|toml))(?:::(?P<test>\w+))?`"
    r"|\]\((?P<link>[\w./-]+\.(?:py|md|toml))(?:#[^)]*)?\)"
    rf"|(?<![\w/`.:-])(?P<plain>(?:{FOLDERS})/[\w./-]+\.\w+|\w+/[\w/]*\w\.py\b)"
)
PLACEHOLDER = re.compile(r"(?:^|[/_.-])[A-Z]{2,}(?=[/_.-])")
#: In capitals as well, and no placeholders.
IN_CAPITALS = {"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}
#: Files that a command writes.
WRITTEN = {"corrections.md", "newsclean/memory.sqlite"}


def named_files(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield each path that a page names, and the test after it, if any."""
    for found in NAMED.finditer(text):
        path = found["quoted"] or found["link"] or found["plain"]
        is_placeholder = PLACEHOLDER.search(path) and Path(path).name not in IN_CAPITALS
        if not is_placeholder and path not in WRITTEN:
            yield path, found["test"]


def file_named(path: str, page: Path) -> Path | None:
    """Return the file of a path; one without a folder is found by its name anywhere."""
    for base in (page.parent, ROOT, ROOT / "newsclean"):
        if (base / path).is_file():
            return base / path
    if "/" in path:
        return None
    folders = [ROOT / name for name in FOLDERS.split("|")]
    return next((file for folder in folders for file in folder.rglob(path)), None)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_the_docs_name_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    missing = [path for path, _ in named_files(text) if file_named(path, page) is None]
    assert missing == []


def test_every_test_that_the_docs_name_exists() -> None:
    named = [
        (file_named(path, page), test)
        for page in PAGES
        for path, test in named_files(page.read_text("utf-8"))
        if test
    ]
    missing = [
        test
        for file, test in named
        if file is None or not re.search(rf"^(async )?def {test}\(", file.read_text("utf-8"), re.M)
    ]
    assert named
    assert missing == []


def test_paths_are_found_in_all_the_ways_in_which_pages_name_them() -> None:
    text = (
        "`a/b.py` and `tests/c.py::test_d`, [e](f.md#g), newsclean/h.npz, k/l.py: m; not "
        "`sites/NAME.toml`, `test_NAME.py`, `newsclean.extract` or "
        "https://example.org/docs/i.html; [j](../README.md)"
    )
    assert [*named_files(text)] == [
        ("a/b.py", None),
        ("tests/c.py", "test_d"),
        ("f.md", None),
        ("newsclean/h.npz", None),
        ("k/l.py", None),
        ("../README.md", None),
    ]


#: Variables of the environment and of a release, and the beginning of several settings.
VARIABLES = {"NEWSCLEAN_QUEUE", "NEWSCLEAN_TOKEN", "NEWSCLEAN_REPOSITORY_URL"}
VARIABLES |= {"NEWSCLEAN_DOCS_URL", "NEWSCLEAN_"}


def blocks_with(page: Path, *languages: str) -> list[CodeBlock]:
    return [block for block in code_blocks(page) if block.language in languages]


def newsclean_commands(page: Path) -> Iterator[list[str]]:
    """Yield the arguments of each `newsclean` command in the blocks of a page."""
    for block in blocks_with(page, "", "console", "sh", "bash"):
        text = block.text.replace("\\\n", " ")
        for found in re.finditer(r"^(?:\$ |\S*/)?newsclean ([a-z].*)", text, re.MULTILINE):
            words = shlex.split(found[1], comments=True)
            ends = [words.index(end) for end in ("|", ">", "&", "&&") if end in words]
            yield words[: min(ends, default=len(words))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_in_the_docs_has_options_that_exist(page: Path) -> None:
    for arguments in newsclean_commands(page):
        try:
            parser_for(arguments[0]).parse_args(arguments)
        except SystemExit as error:
            pytest.fail(f"newsclean {shlex.join(arguments)}: exit code {error.code}")


def test_commands_are_found_in_the_docs() -> None:
    assert sum(1 for page in PAGES for _ in newsclean_commands(page)) > 60


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_docs_is_valid_and_imports_what_exists(page: Path) -> None:
    for block in blocks_with(page, "python"):
        for node in ast.walk(ast.parse(block.text, f"{page.name}:{block.line}")):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("newsclean"):
                module = import_module(node.module or "")
                assert all(hasattr(module, alias.name) for alias in node.names), ast.unparse(node)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_setting_that_the_docs_name_exists(page: Path) -> None:
    named = set(re.findall(r"\bNEWSCLEAN_[A-Z_]*", page.read_text("utf-8")))
    assert named <= table.keys() | VARIABLES
