"""Folders of saved pages, and the list beside them."""

import gzip
import os
from pathlib import Path

import pytest

from newsclean.archives.archive_index import build_index
from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import SavedPageError

from .warc_files import WINDOW, read_all, story


def test_pages_come_in_the_order_of_their_names_packed_or_not(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.HTML.GZ").write_bytes(gzip.compress(story(2)))
    (tmp_path / "1.htm").write_bytes(story(1))
    (tmp_path / "0.html").write_bytes(story(0))
    (tmp_path / "notes.txt").write_text("no page")
    pages = read_all(tmp_path).pages
    assert [page.body for page in pages] == [story(0), story(1), story(2)]
    assert [page.url for page in pages] == [None, None, None]
    assert {page.site for page in pages} == {str(tmp_path)}


def test_a_list_says_urls_categories_and_dates(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.html", "in/b.html", "in/c.html", "d.html"):
        (tmp_path / name).write_bytes(story(len(name)))
    (tmp_path / "urls.csv").write_text(
        "\ufeffFile,url,category,date\n"
        "a.html,https://example.org/news/a,sport,2026-03-01\n"
        "in/b.html,https://example.org/news/b,,\n"
        "in/c.html,https://example.org/wrong,,\n"
        "d.html,nowhere,,\n",
        "utf-8",
    )
    (tmp_path / "in" / "urls.csv").write_text("url,file\nhttps://example.org/c,./c.html\n")
    contents = read_all(tmp_path)
    assert [(page.url, page.category) for page in contents.pages] == [
        ("https://example.org/news/a", "sport"),
        (None, "home"),
        ("https://example.org/news/b", "news"),
        ("https://example.org/c", "home"),
    ]
    entry = contents.pages[0].position.entry
    assert entry is not None
    assert entry.date == "2026-03-01"
    assert contents.left_out == {"bad-line": 1}


def test_a_list_without_its_columns_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(story(1))
    (tmp_path / "urls.csv").write_text("name;address\na.html;https://example.org/a\n")
    told: list[str] = []
    index = build_index([str(tmp_path)], WINDOW, left_out=lambda _, what: told.append(str(what)))
    assert len(index) == 0
    assert told == [f"{tmp_path}/urls.csv has no columns file and url in its first line"]


def test_a_page_that_cannot_be_unpacked_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(story(1))[:-20])
    (tmp_path / "b.html").write_bytes(story(2))
    contents = read_all(tmp_path)
    assert [page.body for page in contents.pages] == [story(2)]
    assert contents.left_out == {"unreadable": 1}


def test_a_folder_without_pages_is_told_so(tmp_path: Path) -> None:
    told: list[str] = []
    build_index([str(tmp_path)], WINDOW, left_out=lambda _, what: told.append(str(what)))
    assert told == [f"no pages (.html, .htm, .xhtml, .html.gz, .htm.gz) in {tmp_path}"]


def test_only_ordinary_files_inside_the_folder_are_read(tmp_path: Path) -> None:
    folder, outside = tmp_path / "pages", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    for path in (folder / "a.html", outside / "b.html"):
        path.write_bytes(story(1))
    os.mkfifo(folder / "fifo.html")
    (folder / "endless.html").symlink_to("/dev/zero")
    (folder / "out.html").symlink_to(outside / "b.html")
    (folder / "folder").symlink_to(outside)
    (folder / "inside.html").symlink_to("a.html")
    (folder / "round.html").symlink_to("round.html")
    (folder / "under").mkdir()
    (folder / "under" / "again").symlink_to(folder)
    (folder / "under" / "urls.csv").symlink_to("/dev/zero")
    told: list[str] = []
    index = build_index([str(folder)], WINDOW, left_out=lambda _, what: told.append(str(what)))
    assert [os.path.basename(position.file) for position in index] == [
        "a.html", "inside.html", "round.html",
    ]  # fmt: skip
    assert index.left_out == {"not-a-file": 5}
    assert sorted(told) == [
        f"{folder}/endless.html is a link out of the folder",
        f"{folder}/fifo.html is not an ordinary file",
        f"{folder}/folder is a link out of the folder",
        f"{folder}/out.html is a link out of the folder",
        f"{folder}/under/urls.csv is a link out of the folder",
    ]
    assert read_all(folder).left_out == {"not-a-file": 5, "unreadable": 1}


def test_what_has_become_a_fifo_since_it_was_found_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(story(1))
    (position,) = build_index([str(tmp_path)], WINDOW)
    (tmp_path / "a.html").unlink()
    os.mkfifo(tmp_path / "a.html")
    with pytest.raises(SavedPageError, match="not an ordinary file"):
        read_page(position)


@pytest.mark.parametrize("name", ["a.html", "a.html.gz"])
def test_the_size_of_a_file_is_known_before_it_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    os.truncate(tmp_path / name, 1 << 40)
    (position,) = build_index([str(tmp_path)], WINDOW)
    with pytest.raises(SavedPageError, match="it has more than 10,000,000 bytes"):
        read_page(position)


def test_a_list_is_found_whether_the_folder_is_named_with_a_slash_or_not(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(story(1))
    (tmp_path / "urls.csv").write_text("file,url\na.html,https://example.org/a\n")
    for name in (str(tmp_path), f"{tmp_path}/", f"{tmp_path}/."):
        (position,) = build_index([name], WINDOW)
        assert position.entry is not None, name
