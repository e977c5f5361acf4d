"""A run that is killed, or that finds the disk full: no page is ever half written."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from newsclean.apps.reader.reading_site import MANIFEST

from .lines import line, pages, read, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDS = {".html": b"</html>", ".xml": b"</feed>", ".css": b"}", ".json": b"}"}


class Killed(BaseException):
    """Nobody catches it, as nobody does SIGKILL."""


def assert_whole(out: Path) -> None:
    """Each file that a reader or the next run may open is whole."""
    for path, content in pages(out).items():
        if not Path(path).name.startswith(".newsclean-read.half-"):
            assert content.rstrip().endswith(ENDS[Path(path).suffix]), path


def without_feed_id(out: Path) -> dict[str, bytes]:
    """All files; each folder's feed has a name of its own."""
    own = json.loads((out / MANIFEST).read_bytes())["feed"].encode()
    return {path: content.replace(own, b"") for path, content in pages(out).items()}


def test_after_a_kill_at_any_file_the_next_run_completes_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_lines(tmp_path / "articles.jsonl", *map(line, range(4)))
    read(tmp_path / "fresh", file)
    expected = without_feed_id(tmp_path / "fresh")
    replace, kills = os.replace, 0
    for last in range(len(expected) + 1):
        out = tmp_path / f"site{last}"
        left = iter(range(last))

        def replace_some(half: Path, path: Path, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Killed
            replace(half, path)

        monkeypatch.setattr("newsclean.apps.reader.reading_site.os.replace", replace_some)
        try:
            read(out, file)
        except Killed:
            kills += 1
            assert [path for path in pages(out) if path.startswith(".newsclean-read.half-")]
        assert_whole(out)
        monkeypatch.setattr("newsclean.apps.reader.reading_site.os.replace", replace)
        assert read(out, file) == 0
        assert without_feed_id(out) == expected
    assert kills >= len(expected)


@pytest.mark.slow
@pytest.mark.process
def test_a_process_that_is_killed_leaves_whole_pages(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "articles.jsonl", *map(line, range(2000)))
    out = tmp_path / "site"
    command = [sys.executable, "-m", "newsclean", "read", str(file), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while len(list(out.glob("articles/*/*.html"))) < 50 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
    assert 50 <= len(list(out.glob("articles/*/*.html"))) < 2000
    assert_whole(out)
    assert read(out, file) == 0
    assert len(list(out.glob("articles/*/*.html"))) == 2000
    assert not list(out.rglob(".newsclean-read.half-*"))


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_page_that_the_disk_does_not_take_stays_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "site"
    read(out, write_lines(tmp_path / "old.jsonl", line(1), line(2)))
    before = pages(out)
    long = line(1, body_html=f"<p>{'It rains. ' * 30_000}</p>", revision=2)
    file = write_lines(tmp_path / "new.jsonl", long, line(2))
    capsys.readouterr()
    with no_file_larger_than(100_000):
        assert read(out, file) == 3
    assert "File too large" in capsys.readouterr().err
    assert pages(out) == before
    assert read(out, file) == 0
    assert pages(out) != before
