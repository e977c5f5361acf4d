"""`newsclean train hybrid`: what cannot be trained on, or not be written, is named."""

import gzip
from pathlib import Path

import pytest

from newsclean.extraction.methods.hybrid.network import read_model
from tests.cli.pages import run

from .training_corpora import QUICK, write_corpus

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"), collections=("rain", "snow"))


def test_a_folder_that_is_no_corpus_is_named(capsys: Capture, tmp_path: Path) -> None:
    done = run(capsys, "train", "hybrid", tmp_path / "nowhere")
    assert done.code == 3
    assert "nowhere: no such folder" in done.err


def test_a_collection_that_is_not_there_is_named_with_those_that_are(
    capsys: Capture, corpus: Path
) -> None:
    done = run(capsys, "train", "hybrid", corpus, "--collections", "hail")
    assert done.code == 2
    assert "'hail'" in done.err
    assert "there are: rain, snow" in done.err


def test_a_page_that_is_missing_is_named(capsys: Capture, tmp_path: Path) -> None:
    folder = write_corpus(tmp_path)
    (folder / "rain" / "pages" / "herald-1.html.gz").unlink()
    done = run(capsys, "train", "hybrid", folder, *QUICK)
    assert done.code == 3
    assert "herald-1.html.gz: the page is missing" in done.err


def test_pages_that_cannot_be_used_are_left_out_and_counted(
    capsys: Capture, tmp_path: Path
) -> None:
    folder = write_corpus(tmp_path / "corpus")
    pages = folder / "rain" / "pages"
    (pages / "herald-1.html.gz").write_bytes(gzip.compress(b"%PDF-1.7"))
    (pages / "times-0.html.gz").write_bytes(gzip.compress(b"<img src=/a.jpg>"))
    path = tmp_path / "model.npz"
    done = run(capsys, "train", "hybrid", folder, *QUICK, "--out", path)
    assert done.code == 0
    assert "2 pages cannot be used" in done.out
    assert read_model(path).card["pages"] == {"rain": 10}


@pytest.mark.parametrize("unusable", [False, True])
def test_one_publisher_is_too_few(capsys: Capture, tmp_path: Path, unusable: bool) -> None:
    folder = write_corpus(tmp_path, ("times", "times-2005"))
    if unusable:
        for path in (folder / "rain" / "pages").iterdir():
            path.write_bytes(b"%PDF-1.7")
    done = run(capsys, "train", "hybrid", folder, *QUICK)
    assert done.code == 2
    assert "too few publishers" in done.err


def test_a_file_that_cannot_be_written_is_named(
    capsys: Capture, tmp_path: Path, corpus: Path
) -> None:
    done = run(
        capsys, "train", "hybrid", corpus, *QUICK, "--out", tmp_path / "no" / "folder" / "m.npz"
    )
    assert done.code == 3
    assert "cannot write" in done.err
    assert "m.npz" in done.err
