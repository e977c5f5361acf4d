"""What `newsclean extract` takes for a page's name, and what for neighbors."""

import gzip
import json
from pathlib import Path

import pytest

from newsclean.files import MAX_SINGLE_SIZE

from .pages import TOWNS, run, story

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("source", ["ftp://example.org/a.html", "file:///a.html", "FTP://x/"])
def test_other_urls_than_http_are_told_so(capsys: Capture, source: str) -> None:
    code, out, err = run(capsys, "extract", source)
    assert (code, out) == (2, "")
    assert f"cannot read {source}: only http:// and https:// URLs" in err


@pytest.mark.parametrize("source", ["", " "])
def test_an_empty_name_is_told_so(capsys: Capture, page: Path, source: str) -> None:
    for arguments in ([source], [page, "--neighbors", source]):
        code, out, err = run(capsys, "extract", *arguments)
        assert (code, out, err) == (2, "", "newsclean: the name of a page is empty\n")


def test_neighbors_are_files_and_folders(capsys: Capture, page: Path) -> None:
    url = "https://example.org/other"
    code, out, err = run(capsys, "extract", page, "--neighbors", url)
    assert (code, out, err) == (2, "", f"newsclean: {url} is not a file or folder\n")


def test_what_unpacks_beyond_all_measure_is_refused(capsys: Capture, page: Path) -> None:
    page.write_bytes(gzip.compress(page.read_bytes() + b" " * MAX_SINGLE_SIZE, 1))
    code, out, err = run(capsys, "extract", page)
    assert (code, out) == (3, "")
    assert f"cannot read {page}: it has more than 50,000,000 bytes" in err
    assert run(capsys, "extract", page, "--max-page-size", 51_000_000).code == 0


def test_a_damaged_neighbor_is_left_out_as_an_empty_one_is(
    capsys: Capture, page: Path, neighbors: Path
) -> None:
    (neighbors / "broken.html.gz").write_bytes(gzip.compress(story("Vardø").encode())[:60])
    (neighbors / "empty.html").write_bytes(b"")
    (neighbors / "gone.html").symlink_to("nowhere.html")
    code, out, err = run(capsys, "extract", page, "--format", "json", "--neighbors", neighbors)
    assert code == 0
    assert json.loads(out)["extraction"]["neighbors"] == len(TOWNS)
    assert [line for line in err.splitlines() if "left out" in line] == [
        f"newsclean: neighbor {neighbors}/broken.html.gz left out: cannot read "
        f"{neighbors}/broken.html.gz: Compressed file ended before the end-of-stream marker was "
        "reached",
        f"newsclean: neighbor {neighbors}/empty.html left out: the page is empty",
        f"newsclean: neighbor {neighbors}/gone.html left out: cannot read "
        f"{neighbors}/gone.html: No such file or directory",
    ]
