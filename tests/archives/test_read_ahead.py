"""Pages site by site, each read once, with neighbors before and after it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from newsclean.archives import read_ahead
from newsclean.archives.read_ahead import (
    PreparedPage,
    SiteNeighbors,
    UnusableSavedPage,
    prepared_pages,
)
from newsclean.archives.record_bodies import read_page
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.neighborhood import KeyWindow
from newsclean.extraction.page import Page

from .test_neighbors import PAGES, archive

if TYPE_CHECKING:
    from pathlib import Path

    from newsclean.archives.archive_index import PageIndex
    from newsclean.archives.saved import Position, SavedPage

METHOD = method_named("hybrid")


def supports(index: PageIndex) -> dict[str | None, int]:
    """How many neighbors each page has when it is handed out."""
    found = {}
    for page in prepared_pages(index, METHOD):
        assert isinstance(page, PreparedPage)
        found[page.saved.url] = page.support(page.saved.category, 5).count
    return found


def test_pages_come_site_by_site_in_their_order_each_with_neighbors(tmp_path: Path) -> None:
    mixed = random.Random(5).sample(PAGES, len(PAGES))
    found = supports(archive(tmp_path / "a.warc.gz", mixed))
    by_site = sorted(mixed, key=lambda page: page[0].split("/")[2] != mixed[0][0].split("/")[2])
    assert list(found) == [url for url, _ in by_site]
    assert min(found.values()) >= 9  # a window of ten


def test_few_pages_are_read_ahead_of_a_large_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_ahead, "MAX_ROWS_AHEAD", 0)
    monkeypatch.setattr(read_ahead, "MIN_PAGES_AHEAD", 3)
    read: list[Position] = []

    def counted(position: Position, max_size: int) -> SavedPage:
        read.append(position)
        return read_page(position, max_size)

    monkeypatch.setattr(read_ahead, "read_page", counted)
    pages = prepared_pages(archive(tmp_path / "a.warc.gz", PAGES[:12]), METHOD)
    next(pages)
    assert len(read) == 4
    assert len(list(pages)) == 11
    assert len(read) == 12  # each once


def test_of_the_pages_that_are_not_wanted_those_are_read_that_teach(tmp_path: Path) -> None:
    index = archive(tmp_path / "a.warc.gz", PAGES)
    index.keep_newest(2)
    found = supports(index)
    assert len(found) == 2
    assert min(found.values()) >= 9


def test_a_page_that_cannot_be_used_is_named_in_its_place(tmp_path: Path) -> None:
    index = archive(tmp_path / "a.warc.gz", [*PAGES[:2], ("https://a.example/news/x", b"")])
    unusable = [
        page for page in prepared_pages(index, METHOD) if not isinstance(page, PreparedPage)
    ]
    assert [(type(page), page.reason) for page in unusable] == [(UnusableSavedPage, "empty")]


def test_the_pages_of_an_archive_tell_the_habits_of_their_site(tmp_path: Path) -> None:
    signed = [(url, body + b"<meta name=author content='Max Berg'>") for url, body in PAGES[:6]]
    for page in prepared_pages(archive(tmp_path / "a.warc.gz", signed), METHOD):
        assert isinstance(page, PreparedPage)
        assert page.support(page.saved.category, 5).facts["author:maxberg"] == 5


def test_a_site_that_is_asked_now_and_then_knows_its_last_pages_of_all_categories() -> None:
    neighbors, everything = SiteNeighbors(4), KeyWindow(4)
    names = [0, 1, 2, 1, 3, 4, 5, 6, 2, 7, 8, 9, 10, 8]
    for number, place in enumerate(names):
        url, body = PAGES[place]
        keys = METHOD.keys(page := Page.from_html(body, url), METHOD.score_blocks(page))
        neighbors.learn(f"category {number}", url, keys)
        everything.restore(url, keys.remembered, keys.facts)
        if number in (2, 3, 9, 13):
            assert neighbors.site.names == everything.names
            found = neighbors.support_for("another", "a new page", keys, 5)
            expected = everything.support_for(keys, "a new page")
            assert (found.texts == expected.texts).all()
            assert found.facts == expected.facts
