"""What corrected pages bring to the others of their site, on small invented corpora."""

import json
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.lab.evaluate import evaluation_report
from newsclean.lab.evaluate.corpus import read_corpus
from newsclean.lab.evaluate.correction_scores import (
    COUNTS,
    DRAWS,
    RANDOM,
    SUGGESTED,
    Teaching,
    figures,
    measure_corrections,
)
from tests.extraction.corrections.pages import SENTENCE, story
from tests.lab.evaluate.corpora import write_golds, write_page

TOWNS = ("Oslo", "Moss", "Hamar", "Bergen", "Narvik")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """One site whose promo box the golds do not have."""
    folder = tmp_path / "corpus"
    golds = []
    for town in TOWNS:
        days = [f"{n} {SENTENCE.format(town)}" for n in range(3)] + [SENTENCE.format(town)]
        golds.append({"id": town, "site": "times", "text": "\n\n".join(days)})
        write_page(folder, town, story(town).encode())
    write_golds(folder, golds)
    return folder


def test_one_corrected_page_makes_the_others_right(corpus: Path) -> None:
    result = measure_corrections(read_corpus(corpus), "coreex")
    assert len(result.teachings) == (DRAWS + 1) * len(COUNTS)
    for choice in (RANDOM, SUGGESTED):
        found = result.figures(choice, 1)
        before, after = found.collections["rain"]
        assert before < 0.95
        assert after == pytest.approx(1.0)
        assert found.gain.mean == pytest.approx(after - before)
        assert (found.worse_sites, found.worse_teachings) == (0, 0.0)


def test_the_same_pages_are_drawn_each_time(corpus: Path) -> None:
    one, two = (measure_corrections(read_corpus(corpus), "coreex") for _ in range(2))
    assert one.teachings == two.teachings


def test_sites_and_teachings_that_become_worse_are_counted() -> None:
    def teaching(site: str, gain: float) -> Teaching:
        return Teaching("rain", site, RANDOM, 1, 0.9, 0.9 + gain)

    found = figures([teaching("a", 0.01), teaching("a", -0.003), teaching("b", -0.004)])
    assert found.worse_sites == 1
    assert found.worse_teachings == pytest.approx(2 / 3)
    assert found.least == pytest.approx(-0.004)
    assert found.gain.mean == pytest.approx((0.0035 - 0.004) / 2)


def test_the_command_leaves_figures_and_a_curve(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = ["evaluate", str(corpus), "--methods", "coreex", "--corrections", "--out", str(out)]
    assert main(arguments) == 0
    assert "| `coreex` | 1 random | +0.0" in capsys.readouterr().out
    assert sorted(path.name for path in out.iterdir()) == [
        "corrections.json", "corrections.md", "corrections.png", "corrections.svg",
    ]  # fmt: skip
    (method,) = json.loads((out / "corrections.json").read_text())["methods"]
    assert (method["method"], method["sites"]) == ("coreex", 1)


def test_without_matplotlib_the_figures_are_left_and_nothing_is_said_of_plots(
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evaluation_report, "find_spec", lambda name: None)
    for kind, files in (
        (["--corrections"], ["corrections.json", "corrections.md"]),
        ([], ["results.json", "results.md"]),
    ):
        out = tmp_path / files[0]
        options = ["--methods", "coreex", *kind, "--out", str(out)]
        assert main(["evaluate", str(corpus), *options]) == 0
        said = capsys.readouterr()
        assert "matplotlib is not installed" in said.err
        assert said.out.endswith(f"written to {out}: {', '.join(files)}\n")
        assert {path.name for path in out.iterdir()} >= set(files)
        assert not [*out.glob("*.png"), *out.glob("*.svg")]


def test_a_corpus_of_small_sites_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_golds(tmp_path, [{"id": "Oslo", "site": "times", "text": "It rains."}])
    write_page(tmp_path, "Oslo", story("Oslo").encode())
    assert main(["evaluate", str(tmp_path), "--methods", "coreex", "--corrections"]) == 2
    assert "no site of the corpus has 4 pages" in capsys.readouterr().err
