"""The stylesheets of an archive, for pages that are shown in a browser."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from newsclean.archives import extracting
from newsclean.archives.archive_index import build_index
from newsclean.archives.extracting import stylesheets_in
from newsclean.archives.record_bodies import read_page

from .warc_files import WarcFile, address, story

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean.browser.saved_pages import Resources

CSS = "https://static.example.org/site.css?v=2"
LARGE, SMALL = b"h1 { font-size: 50px }", b"h1 { font-size: 5px }"


def archive(path: Path, *, packed: bool = True) -> WarcFile:
    file = WarcFile(packed=packed)
    file.add(address(1), story(1))
    file.add(CSS, SMALL, content_type="text/css")
    file.add(CSS, gzip.compress(LARGE), content_type="Text/CSS; charset=utf-8",
             http={"Content-Encoding": "gzip"})  # fmt: skip
    file.add("https://example.org/gone.css", SMALL, content_type="text/css", status="404 No")
    file.add("https://example.org/list.css", story(2))
    path.write_bytes(file.data)
    return file


@pytest.mark.parametrize("packed", [True, False])
def test_a_stylesheet_is_found_by_its_url_in_its_last_state(tmp_path: Path, packed: bool) -> None:
    archive(tmp_path / "a.warc", packed=packed)
    saved = stylesheets_in(str(tmp_path / "a.warc"))
    assert saved(CSS) == LARGE
    for other in (address(1), "gone.css", "https://example.org/gone.css", CSS + "0", ""):
        assert saved(other) is None
    assert saved("https://example.org/list.css") is None  # a page


def test_stylesheets_around_a_damaged_record_are_found(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    file = archive(path)
    data = bytearray(path.read_bytes())
    data[file.offsets[1] + 30 : file.offsets[2] - 8] = b"x" * (
        file.offsets[2] - file.offsets[1] - 38
    )
    path.write_bytes(data)
    assert stylesheets_in(str(path))(CSS) == LARGE


def test_a_file_that_is_no_archive_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"It rains." * 1000)
    assert stylesheets_in(str(tmp_path / "a.warc"))(CSS) is None
    assert stylesheets_in(str(tmp_path / "none.warc"))(CSS) is None


def test_a_page_of_an_archive_is_rendered_with_its_stylesheets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive(tmp_path / "a.warc.gz")
    given: list[Resources] = []

    class Renderer:
        def render(self, body: bytes, url: str, content_type: str, resources: Resources) -> None:
            given.append(resources)

    monkeypatch.setattr(extracting, "_renderer", Renderer)
    page = read_page(next(iter(build_index([str(tmp_path / "a.warc.gz")], 50))))
    extracting._snapshot_of(page)
    assert given[0](CSS) == LARGE
