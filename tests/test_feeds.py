"""Output files after a kill."""

import resource
import signal
from pathlib import Path

import pytest

from newsclean.feeds import AtomicWriteFile, delivered_in, repair_last_line


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b""),
        (b'{"a": 1}\n', b'{"a": 1}\n'),
        (b'{"a": 1}\n{"b": "half a li', b'{"a": 1}\n'),
        (b'{"half a li', b""),
        (b'{"a": 1}\n{"b": 2}', b'{"a": 1}\n{"b": 2}\n'),
    ],
)
def test_half_a_line_is_cut_off_and_whole_lines_stay(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_bytes(before)
    repair_last_line(file)
    assert file.read_bytes() == after


def test_a_long_half_line_is_cut_off_whole(tmp_path: Path) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_bytes(b'{"a": 1}\n{"b": "' + b"x" * 200_000)
    repair_last_line(file)
    assert file.read_bytes() == b'{"a": 1}\n'


def test_a_missing_file_needs_no_mending(tmp_path: Path) -> None:
    repair_last_line(tmp_path / "none.jsonl")
    assert not (tmp_path / "none.jsonl").exists()


def test_articles_are_found_in_the_output_by_url_and_content(tmp_path: Path) -> None:
    file = tmp_path / "articles.jsonl"
    file.write_text('{"url": "a", "content_hash": "1"}\n{"url": "b", "content_hash": "1"}\n{bro')
    asked = {("a", "1"), ("a", "2"), ("c", "1")}
    assert delivered_in([file, tmp_path / "none"], asked) == {("a", "1")}


def test_a_write_that_fails_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "articles.jsonl"
    with AtomicWriteFile(file, "ab") as output:
        output.write(b'{"a": 1}\n')
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
        with AtomicWriteFile(file, "ab") as output, pytest.raises(OSError, match="large"):
            output.write(b"x" * 200)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, old)
    assert file.read_bytes() == b'{"a": 1}\n'
