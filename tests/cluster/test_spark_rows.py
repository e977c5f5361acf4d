"""What Spark's workers do, without Spark: it does not matter in which order pages come."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean import Extractor, Neighborhood, Page
from newsclean.archives.archive_index import PageIndex, build_index
from newsclean.archives.extracting import NeighborPage, make_neighborhood
from newsclean.archives.saved import Position
from newsclean.archives.warc_files import FoundPage
from newsclean.cluster.spark import main
from newsclean.cluster.spark_rows import choose_pages, read_files, to_table
from newsclean.error_hints import install_command
from newsclean.extraction.methods.chain import Evidence
from newsclean.extraction.neighborhood import PageKeys
from newsclean.memory import Memory
from newsclean.memory.sharing import export_lines, import_lines
from tests.cluster.archives import page, write_warcs

if TYPE_CHECKING:
    from random import Random

MENUS = {
    "old": "".join(f"<li>The old menu has entry {n} of ten" for n in range(10)),
    "new": "".join(f"<p>Our new list names thing {n} of ten</p>" for n in range(10)),
}


@pytest.mark.spark
@settings(max_examples=60)
@given(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_the_same_pages_teach_in_whatever_order_they_are_found(
    categories: list[str], window: int, random: Random
) -> None:
    import pyarrow

    index = PageIndex(window)
    rows = []
    for place, category in enumerate(categories):
        url = f"https://a.example/{category * 3}/page-{place}"
        index.add(FoundPage(Position("a.warc.gz", place), url), None)
        rows.append({"first": categories.index(category), "place": place})
    last = [row for row in rows if is_among_last(row, rows, window)]
    random.shuffle(last)
    chosen = to_table(choose_pages([pyarrow.Table.from_pylist(last)], window)).to_pylist()
    expected = [position.offset for position in index.neighbors()]
    assert [row["place"] for row in chosen] == expected
    assert [row["position"] for row in chosen] == list(range(len(expected)))


def is_among_last(row: dict[str, int], rows: list[dict[str, int]], window: int) -> bool:
    later = [o for o in rows if o["first"] == row["first"] and o["place"] > row["place"]]
    return len(later) < window


@pytest.mark.spark
def test_a_file_in_pieces_is_read_as_extract_reads_it(tmp_path: Path) -> None:
    paths = write_warcs(tmp_path / "warcs")
    (tmp_path / "list.csv").write_text("no archive")
    paths.append(str(tmp_path / "list.csv"))
    rows = [row for number, path in enumerate(paths) for row in rows_of(path, number)]
    pages = [row for row in rows if row["site"]]
    index = build_index(paths[:3], 50)
    assert [(paths[row["place"] >> 32], row["offset"]) for row in pages] == [
        (position.file, position.offset) for position in index
    ]
    left_out = Counter({"unreadable": 1}) + index.left_out
    for row in rows:
        left_out[row["reason"]] -= 0 if row["site"] else row["number"]
    assert not +left_out
    problems = [row["problem"] for row in rows if row["problem"]]
    assert problems == [f"{paths[3]} is not a WARC or WACZ file"]


def rows_of(path: str, number: int) -> list[dict[str, Any]]:
    import pyarrow

    data = Path(path).read_bytes()
    pieces = [
        pyarrow.RecordBatch.from_pylist([{"path": path, "piece": data[start : start + 1000]}])
        for start in range(0, len(data), 1000)
    ]
    batches = read_files(iter(pieces), {path: (number, path)}, 10_000_000)
    return [row for batch in batches for row in batch.to_pylist()]


def test_a_new_template_is_noticed_whichever_way_a_neighborhood_is_made() -> None:
    """Of 20 pages with an old menu and 15 with a new one, those with the old are forgotten."""
    extractor = Extractor()
    learned, of_keys = Neighborhood(extractor.method), Neighborhood(extractor.method)
    read, pages = [], []
    for number in range(35):
        menu = MENUS["old" if number < 20 else "new"]
        url, body = page("a.example", f"Town {number} of many")
        found = Page.from_html(body.decode().replace("<h1>", f"{menu}<h1>"), url)
        keys = extractor.method.keys(found, extractor.method.score_blocks(found))
        learned.learn(found)
        of_keys.learn_keys(url, PageKeys.of_remembered(keys.remembered, keys.facts))
        read.append(NeighborPage("a.example", "news", url, number, keys.remembered, keys.facts))
        pages.append(found)
    remembered = make_neighborhood(read, keying="block", window=50)
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
    pages = [
        NeighborPage("a.example", "news", f"page {n}", time, found.remembered, found.facts)
        for n, time in enumerate(seen)
    ]
    remembered = make_neighborhood(pages, keying="block", window=50)
    assert [each.seen for each in remembered] == [30.0, 30.0, 30.0, 40.0]
    with closing(Memory(keying="block")) as one, closing(Memory()) as other:
        one.sites.add_pages(remembered, {})
        import_lines(other, export_lines(one))
        assert [each.name for each in other.sites.learned_pages()] == [
            f"page {n}" for n in range(4)
        ]


def test_without_pyspark_the_job_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    assert main(["--input", "a.warc.gz", "--output", "out"]) == 2
    assert install_command("spark") in capsys.readouterr().err
