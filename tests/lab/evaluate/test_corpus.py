"""Reading a corpus, and naming what is wrong with it."""

from pathlib import Path

import pytest

from newsclean.lab.evaluate.corpus import (
    Corpus,
    CorpusError,
    UnknownNameError,
    check_pages,
    read_corpus,
)

from .corpora import gold, write_corpus, write_golds, write_page


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return read_corpus(write_corpus(tmp_path))


def problems(folder: Path) -> list[str]:
    with pytest.raises(CorpusError) as caught:
        check_pages(read_corpus(folder))
    return caught.value.problems


def test_the_other_pages_of_a_site_are_a_pages_neighbors(corpus: Corpus) -> None:
    oslo = corpus.find("Oslo")
    assert [other.id for other in corpus.others(oslo)] == ["Bergen", "Moss", "Narvik", "Hamar"]


def test_a_page_is_found_by_its_id_and_by_its_collection_and_id(corpus: Corpus) -> None:
    assert corpus.find("rain/Oslo") is corpus.find("Oslo")
    with pytest.raises(UnknownNameError, match="no page 'Rome'"):
        corpus.find("Rome")


def test_an_id_of_two_collections_needs_the_collection(tmp_path: Path) -> None:
    write_corpus(tmp_path, "snow")
    corpus = read_corpus(write_corpus(tmp_path))
    with pytest.raises(UnknownNameError, match="rain/Oslo, snow/Oslo"):
        corpus.find("Oslo")


def test_a_folder_with_gold_of_its_own_is_a_collection(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    assert {page.collection for page in read_corpus(tmp_path / "rain").golds} == {"rain"}


def test_a_line_separator_inside_a_text_does_not_end_the_line(tmp_path: Path) -> None:
    text = "It rains.\u2028It snows.\x85It hails."
    write_golds(tmp_path, [gold("Oslo", text=text)])
    assert read_corpus(tmp_path).golds[0].text == text


def test_pages_of_other_kinds_are_left_out_and_are_no_neighbors(tmp_path: Path) -> None:
    write_golds(tmp_path, [gold("Oslo"), gold("Moss", kind="listing")])
    corpus = read_corpus(tmp_path)
    assert [page.id for page in corpus.golds] == ["Oslo"]
    assert corpus.others(corpus.golds[0]) == ()
    assert len(read_corpus(tmp_path, kinds=["article", "listing"]).golds) == 2


def test_gold_without_its_optional_paragraphs_is_a_second_version(tmp_path: Path) -> None:
    fields = gold("Oslo", paragraphs=["One.", "Two."], optional=["Two."], text="One.\n\nTwo.")
    write_golds(tmp_path, [fields])
    assert read_corpus(tmp_path).golds[0].versions == ("One.\n\nTwo.", "One.")


def test_a_sample_is_the_same_each_time_and_keeps_all_neighbors(corpus: Corpus) -> None:
    small, large = corpus.sample(2), corpus.sample(3)
    assert len(small.golds) == 2
    assert set(small.golds) < set(large.golds)
    assert len(small.others(small.golds[0])) == 4


def test_each_bad_line_is_named_with_its_file_and_number(tmp_path: Path) -> None:
    path = write_golds(tmp_path, [gold("Oslo"), gold("Moss")])
    bad = [
        '{"id": "Rome", "site"',
        '{"id": "Rome", "site": "times"}',
        "[1]",
        '{"id": "Oslo", "site": "times", "text": ""}',
        '{"id": "../Rome", "site": "times", "text": ""}',
        '{"id": 7, "site": "times", "text": ""}',
        '{"id": "Rome", "site": "times", "text": "", "optional": "all"}',
    ]
    with path.open("ab") as file:
        file.write("\n".join(bad).encode() + b'\n{"id": "\xff"}\n')
    said = problems(tmp_path)
    assert [line.split(": ", 1)[0] for line in said] == [f"{path}:{k}" for k in range(3, 11)]
    for line, words in zip(
        said,
        [
            "Expecting",
            "'text' is missing",
            "not a JSON object",
            "'Oslo' appears in line 1 already",
            "no file name",
            "'id' is not a text: 7",
            "'optional' is not a list",
            "not UTF-8",
        ],
        strict=True,
    ):
        assert words in line


def test_a_site_that_is_no_name_is_told_with_its_file_and_line(tmp_path: Path) -> None:
    sites = (None, False, 0, 7, "", " ", ["times"])
    path = write_golds(
        tmp_path, [gold("Oslo"), *(gold(f"t{n}", site=site) for n, site in enumerate(sites))]
    )
    found = problems(tmp_path)
    assert [problem.partition(": ")[0] for problem in found] == [f"{path}:{n}" for n in range(2, 9)]
    assert all("'site' is not a text" in found[n] for n in (0, 1, 2, 3, 6))
    assert all("'site' is empty" in found[n] for n in (4, 5))


@pytest.mark.parametrize("name", ["id", "text", "kind", "url", "language"])
def test_false_is_no_text(tmp_path: Path, name: str) -> None:
    write_golds(tmp_path, [gold("Oslo") | {name: False}])
    assert f"{name!r} is not a text: False" in problems(tmp_path)[0]


def test_missing_and_broken_pages_are_all_named_before_any_work(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    pages = tmp_path / "rain" / "pages"
    (pages / "Oslo.html.gz").unlink()
    packed = (pages / "Moss.html.gz").read_bytes()
    (pages / "Moss.html.gz").write_bytes(packed[: len(packed) // 2])
    missing, broken = problems(tmp_path)
    assert "Oslo.html.gz: the page is missing" in missing
    assert "gold.jsonl:2" in missing
    assert "Moss.html.gz: cannot be read" in broken
    assert "gold.jsonl:3" in broken


def test_a_broken_neighbor_of_a_sampled_page_is_named_too(tmp_path: Path) -> None:
    corpus = read_corpus(write_corpus(tmp_path)).sample(1)
    other = corpus.others(corpus.golds[0])[0]
    other.path.unlink()
    with pytest.raises(CorpusError, match=other.id):
        check_pages(corpus)


def test_an_unpacked_page_will_do(tmp_path: Path) -> None:
    write_golds(tmp_path, [gold("Oslo")])
    write_page(tmp_path, "Oslo", b"<p>It rains.").rename(tmp_path / "rain/pages/Oslo.html")
    (tmp_path / "rain/pages/Oslo.html").write_bytes(b"<p>It rains.")
    assert check_pages(read_corpus(tmp_path)).golds[0].digest


def test_a_changed_page_changes_its_digest(tmp_path: Path) -> None:
    before = check_pages(read_corpus(write_corpus(tmp_path))).find("Oslo").digest
    write_page(tmp_path, "Oslo", b"<p>It snows.")
    assert check_pages(read_corpus(tmp_path)).find("Oslo").digest != before


def test_folders_that_are_no_corpus_are_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no such folder"):
        read_corpus(tmp_path / "nowhere")
    with pytest.raises(CorpusError, match="no collection in it"):
        read_corpus(tmp_path)
    write_corpus(tmp_path)
    with pytest.raises(UnknownNameError, match=r"no collection named 'snow'.*there are: rain"):
        read_corpus(tmp_path, ["snow"])
