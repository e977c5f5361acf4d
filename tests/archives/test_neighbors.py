"""What the pages of an archive teach of their sites, whatever their order."""

from __future__ import annotations

import pickle
import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from newsclean.archives.archive_index import PageIndex, build_index
from newsclean.archives.extracting import (
    ExtractionOptions,
    extract_saved,
    learn_neighbors,
    read_neighbors,
)
from newsclean.archives.record_bodies import read_page

from .warc_files import WarcFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WINDOW = 10
TOWNS = "Bergen Oslo Moss Narvik Hamar Molde Alta Vadsø Voss Skien Lom Bodø".split()
FOOTERS = {
    "a.example": "The Herald is a member of the press council and follows its rules each day.",
    "b.example": "All rights are with the Courier, and no part of it may be printed anywhere else.",
}


def page(site: str, town: str) -> tuple[str, bytes]:
    days = f"It has rained in {town} for nine days, and the river there is as high as it ever was."
    mayor = f"The mayor of {town} says that no help is near, and asks all people to stay at home."
    html = f"<title>{town}</title><h1>Rain in {town}</h1><div><p>{days}<p>{mayor}"
    return f"https://{site}/news/{town.lower()}", f"{html}<p>{FOOTERS[site]}</div>".encode()


PAGES = [page(site, town) for site in FOOTERS for town in TOWNS]


def archive(path: Path, pages: Sequence[tuple[str, bytes]]) -> PageIndex:
    file = WarcFile()
    for url, body in pages:
        file.add(url, body)
    path.write_bytes(file.data)
    return build_index([str(path)], WINDOW)


def bodies(index: PageIndex, tmp_path: Path) -> dict[str, str]:
    """The texts of all articles, by address."""
    options = ExtractionOptions(window=WINDOW)
    pages = read_neighbors(list(index.neighbors()), options)
    memory = str(tmp_path / f"{random.random()}.sqlite")
    learn_neighbors(pages, memory, keying="block", window=WINDOW).close()
    options = ExtractionOptions(window=WINDOW, neighbors=memory)
    articles = [extract_saved(read_page(position), options) for position in index]
    assert all(article.extraction["neighbors"] >= WINDOW - 1 for article in articles)
    return {article.url or "": article.body for article in articles}


def test_each_page_has_all_of_its_neighbors_whatever_the_order(tmp_path: Path) -> None:
    in_turn = bodies(archive(tmp_path / "a.warc.gz", PAGES), tmp_path)
    assert len(in_turn) == len(PAGES)
    for url, body in in_turn.items():
        assert "The mayor of" in body, url
        assert not any(footer in body for footer in FOOTERS.values()), url
    shuffled = random.Random(3).sample(PAGES, len(PAGES))
    assert bodies(archive(tmp_path / "b.warc.gz", shuffled), tmp_path) == in_turn


def test_only_the_last_pages_of_each_category_are_learned(tmp_path: Path) -> None:
    index = archive(tmp_path / "a.warc.gz", PAGES)
    learned = [read_page(position).url for position in index.neighbors()]
    assert learned == [url for url, _ in PAGES[2:12] + PAGES[14:]]


def test_a_site_with_many_categories_learns_some_of_each(tmp_path: Path) -> None:
    categories = [first + second for first in "abcdef" for second in "vwxyz"]
    urls = [f"https://a.example/{categories[n % 30]}/page-{n}" for n in range(30 * 5)]
    index = archive(tmp_path / "a.warc.gz", [(url, PAGES[0][1]) for url in urls])
    assert len(index.neighborhoods["a.example"]) == 30
    neighbors = [read_page(position).category for position in index.neighbors()]
    assert {neighbors.count(category) for category in neighbors} == {3}  # 100 pages of a site


def test_a_page_that_is_alone_teaches_nobody(tmp_path: Path) -> None:
    index = archive(tmp_path / "a.warc.gz", PAGES[:1])
    assert list(index.neighbors()) == []


def test_positions_and_options_go_to_other_processes(tmp_path: Path) -> None:
    index = archive(tmp_path / "a.warc.gz", PAGES[:2])
    for position in index:
        assert read_page(pickle.loads(pickle.dumps(position))) == read_page(position)
    assert pickle.loads(pickle.dumps(ExtractionOptions())) == ExtractionOptions()


def test_the_newest_pages_are_kept_in_the_order_of_the_archive(tmp_path: Path) -> None:
    file = WarcFile()
    for day in (3, 1, 9, 4):
        file.add(f"https://a.example/2026/03/{day:02}/rain", PAGES[0][1])
    fetched = {"WARC-Date": "2026-03-05T12:00:00Z"}
    file.add("https://a.example/undated", PAGES[0][1], warc=fetched)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(file.data)
    index = build_index([str(path)], WINDOW)
    index.keep_newest(3)
    found = [
        (read_page(position).url or "").removeprefix("https://a.example/") for position in index
    ]
    assert found == ["2026/03/09/rain", "2026/03/04/rain", "undated"]
    since = datetime(2026, 3, 4, tzinfo=UTC)
    wanted = build_index(
        [str(path)], WINDOW, wanted=lambda moment: moment is None or moment < since
    )
    assert len(wanted) == 2
    assert sum(len(rows) for rows in wanted.neighborhoods["a.example"].values()) == 5
