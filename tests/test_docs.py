"""The documentation names only files and tests that exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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
