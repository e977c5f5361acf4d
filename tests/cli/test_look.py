"""`newsclean look`: one file that shows what was taken, what was left, and why."""

from pathlib import Path

import pytest

from .pages import FOOTER, TOWNS, run, story

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for town in TOWNS:
        (tmp_path / f"{town}.html").write_text(story(town), "utf-8")
    return tmp_path


def test_it_writes_one_file_with_the_neighbors_that_repeat_a_text(
    capsys: Capture, folder: Path
) -> None:
    out = folder / "map.htm.out"
    code, printed, err = run(
        capsys, "look", folder / "Oslo.html", "--neighbors", folder, "--out", out
    )
    assert (code, err) == (0, "")
    assert str(out) in printed
    document = out.read_text("utf-8")
    assert FOOTER in document
    assert f"its text is on {len(TOWNS) - 1} of {len(TOWNS) - 1} neighbors" in document
    assert "<script src" not in document


def test_without_a_name_the_file_is_called_after_the_page(
    capsys: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert run(capsys, "look", "Moss.html").code == 0
    assert (folder / "Moss.map.html").is_file()


def test_many_pages_are_refused(capsys: Capture, folder: Path) -> None:
    code, _, err = run(capsys, "look", folder)
    assert code == 2
    assert "look shows one page" in err


def test_a_file_that_is_not_a_page_is_named(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "picture.html"
    path.write_bytes(b"\x89PNG\r\n")
    code, _, err = run(capsys, "look", path)
    assert code == 1
    assert "picture.html: not an HTML page" in err
    code, _, err = run(capsys, "look", tmp_path / "gone.html")
    assert code == 3
    assert "No such file" in err


def test_a_file_that_cannot_be_written_is_named(capsys: Capture, folder: Path) -> None:
    out = folder / "no-folder" / "map.html"
    code, _, err = run(capsys, "look", folder / "Oslo.html", "--out", out)
    assert code == 3
    assert f"cannot write {out}" in err
