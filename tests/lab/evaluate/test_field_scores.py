"""`newsclean evaluate --fields`: what counts as right, and the command."""

import json
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.lab.evaluate.field_scores import are_same_authors, are_same_keywords, is_same_day

from .corpora import gold, page, write_golds, write_page


def write(folder: Path) -> Path:
    golds = [
        gold("Bergen", title="Rain in Bergen goes on", authors=["Ann Lee"], date="2024-03-01"),
        gold("Oslo", title="Another headline", topics=["Rain"]),
        gold("Moss"),
    ]
    write_golds(folder, golds, "rain")
    for town in ("Bergen", "Oslo", "Moss"):
        write_page(folder, town, page(town).encode())
    return folder


def test_the_command_prints_tables_and_writes_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write(tmp_path / "corpus")
    out = tmp_path / "out"
    arguments = ["--methods", "coreex", "--fields", "--out", str(out)]
    assert main(["evaluate", str(corpus), *arguments]) == 0
    printed = capsys.readouterr().out
    assert "rain, headline: 2 pages" in printed
    figures = json.loads((out / "fields.json").read_text("utf-8"))["figures"]
    by_field = {one["field"]: one for one in figures}
    assert by_field["headline"]["right"]["mean"] == 0.5
    assert by_field["authors"]["given"] == 0
    assert by_field["authors"]["right_where_given"] is None
    assert set(by_field) == {"headline", "authors", "date", "keywords"}


def test_a_peer_that_gives_no_fields_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write(tmp_path / "corpus")
    assert main(["evaluate", str(corpus), "--fields", "--peers", "justext"]) == 2
    assert (
        "no peer named 'justext'; there are: trafilatura, newspaper4k, htmldate"
        in capsys.readouterr().err
    )


def test_names_are_compared_as_a_set_whatever_the_degrees() -> None:
    assert are_same_authors(["Ann Lee, MD", "Bob Ray"], ["bob ray", "Ann Lee"])
    assert not are_same_authors(["Ann Lee"], ["Ann Lee", "Bob Ray"])
    assert not are_same_authors(["Ann Lee", "AP"], ["Ann Lee"])


def test_days_are_compared_in_the_zone_of_the_gold() -> None:
    assert is_same_day("2024-03-01T00:10:00+01:00", "2024-02-29T23:10:00+00:00")
    assert is_same_day("2024-03-01", "2024-03-01T23:10:00+00:00")
    assert not is_same_day("2024-03-01", "2024-02-29T23:10:00+00:00")


def test_keywords_are_compared_as_a_whole() -> None:
    assert are_same_keywords(["Rain", "Bergen"], ["bergen", "rain"])
    assert not are_same_keywords(["Rain"], ["Rain", "Bergen"])
