"""Files and folders that may not be read: a line that says so, never a traceback."""

import builtins
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .pages import TOWNS, run, story

Capture = pytest.CaptureFixture[str]
Close = Callable[[Path], None]


@pytest.fixture
def close(monkeypatch: pytest.MonkeyPatch) -> Close:
    """Closes a folder and all in it, also for root, whom the mode of a folder does not stop."""

    def closed(folder: Path) -> None:
        def refuse(real: Callable[..., Any], *, itself: bool) -> Callable[..., Any]:
            def asked(path: Any = ".", *arguments: Any, **options: Any) -> Any:
                if isinstance(path, str | os.PathLike):
                    name = Path(os.fspath(path))
                    if folder in name.parents or (itself and name == folder):
                        raise PermissionError(13, "Permission denied", os.fspath(path))
                return real(path, *arguments, **options)

            return asked

        for module, name, itself in (
            (os, "listdir", True),
            (os, "scandir", True),
            (os, "stat", False),
            (os, "lstat", False),
            (io, "open", False),
            (builtins, "open", False),
        ):
            monkeypatch.setattr(module, name, refuse(getattr(module, name), itself=itself))

    return closed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "closed"
    path.mkdir()
    (path / "Oslo.html").write_text(story("Oslo"), "utf-8")
    return path


def test_neighbors_in_a_closed_folder(
    capsys: Capture, page: Path, folder: Path, close: Close
) -> None:
    close(folder)
    outcome = run(capsys, "extract", page, "--neighbors", folder)
    assert outcome == (3, "", f"newsclean: cannot read {folder}: Permission denied\n")


def test_folders_in_the_neighbors_folder_that_are_closed_are_named(
    capsys: Capture, page: Path, folder: Path, close: Close
) -> None:
    for number in (1, 2):
        (folder / f"{number}").mkdir()
        (folder / f"{number}" / "Moss.html").write_text(story("Moss"), "utf-8")
        close(folder / f"{number}")
    options = ("--format", "json", "--neighbors", folder)
    code, out, err = run(capsys, "extract", page, *options)
    assert code == 0
    assert json.loads(out)["extraction"]["neighbors"] == 1
    for number in (1, 2):
        assert f"left out: cannot read {folder}/{number}: Permission denied" in err


def test_a_page_in_a_closed_folder(capsys: Capture, folder: Path, close: Close) -> None:
    close(folder)
    path = folder / "Oslo.html"
    outcome = run(capsys, "extract", path)
    assert outcome == (3, "", f"newsclean: cannot read {path}: Permission denied\n")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    pages = tmp_path / "corpus" / "times" / "pages"
    pages.mkdir(parents=True)
    for town in TOWNS:
        (pages / f"{town}.html").write_text(story(town), "utf-8")
    golds = [json.dumps({"id": town, "site": "x", "text": town}) for town in TOWNS]
    (pages.parent / "gold.jsonl").write_text("\n".join(golds))
    return tmp_path / "corpus"


@pytest.mark.parametrize("inner", ["", "times", "times/pages"])
def test_a_corpus_that_is_closed(capsys: Capture, corpus: Path, close: Close, inner: str) -> None:
    close(corpus / inner)
    code, out, err = run(capsys, "evaluate", corpus)
    assert (code, out) == (3, "")
    assert f"newsclean: {corpus / inner}" in err
    assert "cannot be read: Permission denied" in err


def test_a_closed_collection_does_not_keep_from_another(
    capsys: Capture, corpus: Path, close: Close
) -> None:
    (corpus / "closed").mkdir()
    close(corpus / "closed")
    options = ("--collections", "times", "--sample", "1", "--neighbors", "0")
    assert run(capsys, "evaluate", corpus, *options).code == 0


def test_a_memory_in_a_closed_folder(capsys: Capture, folder: Path, close: Close) -> None:
    close(folder)
    path = folder / "memory.sqlite"
    outcome = run(capsys, "memory", "--memory", path, "list")
    assert outcome == (3, "", f"newsclean: cannot read {path}: Permission denied\n")
