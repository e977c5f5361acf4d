"""The steps without an engine: they do not ask in which order pages come, or from where."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean import Extractor, Neighborhood, Page
from newsclean.archives import ArchiveError, PageIndex, Recipe, build_index, make_neighborhood
from newsclean.archives.extracting import Lesson
from newsclean.archives.saved import Position
from newsclean.archives.warc_files import FoundPage
from newsclean.cluster.columns import article_line, article_row
from newsclean.cluster.counts import LatestCounts
from newsclean.cluster.files import FileCopies
from newsclean.cluster.plan import Units
from newsclean.cluster.spark import main
from newsclean.cluster.steps import Place, SitePages, index_file, read_lessons
from newsclean.cluster.tasks import PAGES, ExtractTask
from newsclean.extraction.methods import Evidence
from newsclean.extraction.neighborhood import PageKeys
from newsclean.memory import Memory
from newsclean.memory.sharing import export_lines, import_lines
from tests.cluster.archives import extracted, page, write_warcs

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

MENUS = {
    "old": "".join(f"<li>The old menu has entry {n} of ten" for n in range(10)),
    "new": "".join(f"<p>Our new list names thing {n} of ten</p>" for n in range(10)),
}


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_the_same_pages_teach_in_whatever_order_they_are_found(
    categories: list[str], window: int, random: Random
) -> None:
    index = PageIndex(window)
    parts = [SitePages(window) for _ in range(3)]
    places = [Place(row // 20, row % 20, row) for row in range(len(categories))]
    for place, category in zip(places, categories, strict=True):
        url = f"https://a.example/{category * 3}/page-{place.offset}"
        index.add(FoundPage(Position("a.warc.gz", place.offset), url), None)
    for place, category in random.sample(list(zip(places, categories, strict=True)), len(places)):
        random.choice(parts).add(category * 3, place)
    random.shuffle(parts)
    merged = SitePages(window)
    for part in parts:
        merged.merge(part)
    expected = [position.offset for position in index.teachers()]
    assert [place.offset for place in merged.teachers()] == expected


def test_a_file_is_indexed_as_extract_finds_its_pages(tmp_path: Path) -> None:
    paths = write_warcs(tmp_path / "warcs")
    left_out: list[str] = []
    pages = [
        found.place.position(path)
        for number, path in enumerate(paths)
        for found in index_file(number, path, lambda reason, what: left_out.append(reason))
    ]
    index = build_index(paths, 50)
    assert pages == list(index)
    assert sorted(left_out) == sorted(index.left_out.elements())


def test_a_page_that_needs_too_much_memory_costs_itself_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_warcs(tmp_path / "warcs")[0]
    places = [found.place for found in index_file(0, path, lambda reason, what: None)]
    from_html = Page.from_html.__func__  # type: ignore[attr-defined]

    def parse(cls: type[Page], body: bytes, *rest: object) -> Page:
        if rest[:1] == ("https://herald.example/news/oslo",):
            raise MemoryError
        parsed: Page = from_html(cls, body, *rest)
        return parsed

    monkeypatch.setattr(Page, "from_html", classmethod(parse))
    assert [lesson is None for _, lesson in read_lessons(path, places, Recipe())].count(True) == 1
    counted: dict[str, dict[str, Any]] = {}
    task = ExtractTask({0: path}, FileCopies(), Recipe(), None, "block", False, counted.update)
    values = [((0, PAGES, 0, place.row), (place.offset, place.original)) for place in places]
    lines = list(task(values))
    assert len(lines) == len(places) - 1
    assert counted["0"]["left_out"] == {"out-of-memory": 1}
    (problem,) = counted["0"]["problems"]
    assert problem.startswith(f"{path} at byte")
    assert problem.endswith(": not enough memory for this page")


def test_a_file_that_is_no_archive_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("no archive")
    with pytest.raises(ArchiveError, match=r"list\.csv is not a WARC or WACZ file"):
        list(index_file(0, str(path), lambda reason, what: None))
    with pytest.raises(ArchiveError, match=r"missing\.csv: No such file"):
        list(index_file(0, f"{tmp_path}/missing.csv", lambda reason, what: None))


def test_a_new_template_is_noticed_whichever_way_a_neighborhood_is_made() -> None:
    """Of 20 pages with an old menu and 15 with a new one, those with the old are forgotten."""
    extractor = Extractor()
    learned, of_keys = Neighborhood(extractor.method), Neighborhood(extractor.method)
    lessons, pages = [], []
    for number in range(35):
        menu = MENUS["old" if number < 20 else "new"]
        url, body = page("a.example", f"Town {number} of many")
        found = Page.from_html(body.decode().replace("<h1>", f"{menu}<h1>"), url)
        keys = extractor.method.keys(found, extractor.method.score_blocks(found))
        learned.learn(found)
        of_keys.learn_keys(url, PageKeys.of_remembered(keys.remembered, keys.facts))
        lessons.append(Lesson("a.example", "news", url, number, keys.remembered, keys.facts))
        pages.append(found)
    remembered = make_neighborhood(lessons, keying="block", window=50)
    assert [each.name for each in remembered] == learned.names == of_keys.names
    assert learned.names == [found.url for found in pages[20:]]
    with closing(Memory(keying="block")) as one, closing(Memory()) as other:
        one.sites.add_pages(remembered, {})
        import_lines(other, export_lines(one))
        for found in pages[::5]:
            scores = extractor.method.score_blocks(found)
            keys = extractor.method.keys(found, scores)
            url = found.url or ""
            expected = extractor(found, learned.evidence_on(found)).article().to_dict()
            for support in (
                of_keys.support_for(keys, url),
                other.sites.support_for("a.example", "news", url, keys, 5),
            ):
                article = extractor(found, Evidence(scores, support)).article()
                assert article.to_dict() == expected


def test_pages_are_imported_in_the_order_in_which_they_were_learned() -> None:
    found = Extractor().method.keys(Page.from_html("<p>Rain at last, and the river rises"))
    seen = (30.0, 10.0, 20.0, 40.0)
    lessons = [
        Lesson("a.example", "news", f"page {n}", time, found.remembered, found.facts)
        for n, time in enumerate(seen)
    ]
    remembered = make_neighborhood(lessons, keying="block", window=50)
    assert [each.seen for each in remembered] == [30.0, 30.0, 30.0, 40.0]
    with closing(Memory(keying="block")) as one, closing(Memory()) as other:
        one.sites.add_pages(remembered, {})
        import_lines(other, export_lines(one))
        assert [each.name for each in other.sites.learned_pages()] == [
            f"page {n}" for n in range(4)
        ]


def test_a_row_of_a_table_has_all_that_its_line_has(tmp_path: Path) -> None:
    lines, _ = extracted(write_warcs(tmp_path / "warcs")[:1])
    assert lines
    for line in lines:
        assert b'"images": [{' in line
        assert article_line(article_row(line)) == line


def test_what_is_counted_again_is_not_counted_twice() -> None:
    counts = LatestCounts()
    first = {"0": {"left_out": {"damaged": 2}}}
    assert counts.addInPlace(counts.addInPlace({}, first), first) == first


def test_a_file_that_must_be_copied_is_one_unit_of_work() -> None:
    units = Units.of(["a.warc.gz", "hdfs://host/b.warc.gz", "c.warc.gz"], [500, 500, 0], size=200)
    assert (units.number(0, 499), units.number(1, 0), units.number(1, 499)) == (2, 3, 3)
    assert units.total == 4


def test_without_pyspark_the_job_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    assert main(["--input", "a.warc.gz", "--output", "out"]) == 2
    assert "pip install 'newsclean[spark]'" in capsys.readouterr().err
