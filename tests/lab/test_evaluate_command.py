"""`newsclean evaluate` as a user meets it."""

import json
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.error_hints import install_command
from newsclean.lab import folds
from newsclean.lab.evaluate import peers
from tests.extraction.methods.hybrid.networks import model_that_takes
from tests.lab.models import replace_models

from .evaluate.corpora import FOOTER, write_corpus, write_page

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus")


def evaluate(*arguments: object) -> int:
    try:
        return main(["evaluate", *map(str, arguments)])
    except SystemExit as error:  # argparse
        return int(error.code or 0)


def test_a_run_prints_tables_and_leaves_figures_and_plots(
    corpus: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    methods = ("--methods", "stadynot,coreex", "--neighbors", "0,1,all")
    assert evaluate(corpus, *methods, "--peers", "readability", "--out", out, "--worst", 2) == 0
    printed = capsys.readouterr().out
    for words in ("F1 of words", "readability", "lxml parse", "did worst", "rain/"):
        assert words in printed
    for name in ("quality", "speed", "neighbors"):
        assert (out / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (out / f"{name}.svg").read_text("utf-8")
    results = json.loads((out / "results.json").read_text("utf-8"))
    names = [(one["name"], one["neighbors"]) for one in results["systems"]]
    assert names == [
        ("stadynot", 0),
        ("stadynot", 1),
        ("stadynot", "all"),
        ("coreex", None),
        ("readability", None),
    ]
    assert len(results["scores"]) == 25
    assert results["versions"].keys() >= {"newsclean", "lxml", "readability"}
    markdown = (out / "results.md").read_text("utf-8")
    for words in ("## Site by site: rain", "## By language", "| times | 5 |", "## Speed"):
        assert words in markdown


def test_a_page_is_explained_block_by_block(corpus: Path, capsys: Capture) -> None:
    assert (
        evaluate(corpus, "--explain", "Oslo", "--methods", "stadynot", "--neighbors", "0,all") == 0
    )
    alone, _, together = capsys.readouterr().out.partition("all neighbors")
    assert "0 words missed" in alone
    assert f"[{FOOTER}]" in alone  # too much
    assert "headline, byline or date" in together
    assert "static noise (on 4 of 4 neighbors)" in together
    assert "chosen" in together
    assert "0 words too much" in together


def test_a_peer_is_explained_by_its_paragraphs(corpus: Path, capsys: Capture) -> None:
    assert evaluate(corpus, "--explain", "Oslo", "--methods", "none", "--peers", "trafilatura") == 0
    assert "The gold's paragraphs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--methods", "corex"], "no method named 'corex'"),
        (["--peers", "trafilatura,nobody"], "no peer named 'nobody'; there are: trafilatura"),
        (["--collections", "snow"], "no collection named 'snow'"),
        (["--explain", "Rome"], "no page 'Rome'"),
        (["--neighbors", "few"], "'few' is neither a number nor all"),
        (["--jobs", "0"], "'0' is not a positive number"),
        (["--methods", "none"], "nothing to measure"),
    ],
)
def test_a_wrong_name_or_number_is_told_before_the_run(
    corpus: Path, capsys: Capture, arguments: list[str], words: str
) -> None:
    assert evaluate(corpus, *arguments) == 2
    outcome = capsys.readouterr()
    assert words in outcome.err
    assert outcome.out == ""


def test_a_corpus_that_cannot_be_read_is_told_before_the_run(
    corpus: Path, tmp_path: Path, capsys: Capture
) -> None:
    write_page(corpus, "Oslo", b"").write_bytes(b"\x1f\x8b broken")
    assert evaluate(corpus, "--out", tmp_path / "out") == 3
    assert "Oslo.html.gz: cannot be read" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_peer_that_is_not_installed_is_named_with_the_way_to_get_it(
    corpus: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = peers.Peer("goose3", "goose3", "no_such_module", peers.goose3)
    monkeypatch.setitem(peers.PEERS, "goose3", gone)
    out = tmp_path / "out"
    assert evaluate(corpus, "--sample", 1, "--peers", "goose3", "--out", out) == 0
    named = f"peer goose3 is not installed and left out: {install_command('bench')}"
    assert named in capsys.readouterr().err
    assert named in (out / "results.md").read_text("utf-8")


@pytest.mark.parametrize("has_folds", [False, True])
def test_without_the_models_of_the_folds_figures_are_said_not_to_be_cross_validated(
    corpus: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, has_folds: bool
) -> None:
    replace_models(monkeypatch, tmp_path, model_that_takes("in p"), "in p", "times")
    if not has_folds:
        folds.FOLDS_FILE.unlink()
    out = tmp_path / "out"
    assert evaluate(corpus, "--methods", "coreex,hybrid", "--neighbors", 0, "--out", out) == 0
    said = "hybrid: not cross-validated: the model was trained on the sites of 5 of these 5 pages"
    assert (said in capsys.readouterr().out) is not has_folds
    assert (said in (out / "results.md").read_text("utf-8")) is not has_folds
    results = json.loads((out / "results.json").read_text("utf-8"))
    assert results["cross_validated"] is has_folds
    assert evaluate(corpus, "--methods", "hybrid", "--explain", "Oslo") == 0
    assert ("not cross-validated" in capsys.readouterr().err) is not has_folds
    assert evaluate(corpus, "--methods", "coreex") == 0
    assert "cross-validated" not in capsys.readouterr().out
