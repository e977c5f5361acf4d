"""Figures and captions: what counts as kept, and their rows in `newsclean evaluate --fields`."""

import json
from pathlib import Path
from typing import Any

import pytest

from newsclean.cli import main
from newsclean.lab.evaluate import figure_scores
from newsclean.lab.evaluate.corpus import read_corpus
from newsclean.lab.evaluate.figure_scores import (
    FigureScore,
    Shown,
    hash_of,
    measure_figures,
    read_labels,
    score_page,
    share,
)
from newsclean.lab.evaluate.systems import System

from .corpora import gold, page, write_golds, write_page

RIVER, BOAT, LOGO = (f"https://example.org/{name}.jpg" for name in ("river", "boat", "logo"))
CAPTION = "the river on monday"


def figure(address: str, caption: str = "", lead: bool = False) -> dict[str, Any]:
    said = {"words": len(caption.split()), "hash": hash_of(caption)} if caption else None
    return {"addresses": [hash_of(address)], "lead": lead, "caption": said}


def label(*held: dict[str, Any], junk: str = "", placeholder: str = "") -> dict[str, Any]:
    return {
        "page": "rain/Bergen",
        "figures": list(held),
        "junk": [hash_of(junk)] if junk else [],
        "placeholders": [hash_of(placeholder)] if placeholder else [],
    }


def test_a_figure_is_kept_if_any_of_its_urls_comes_out() -> None:
    known = figure(RIVER, lead=True)
    known["addresses"].append(hash_of(BOAT))
    score = score_page(Shown([BOAT], []), label(known))
    assert (score.figures, score.figures_kept, score.leads, score.leads_kept) == (1, 1, 1, 1)
    assert score_page(Shown([LOGO], []), label(known)).figures_kept == 0


def test_a_caption_is_kept_if_its_words_come_out_in_a_row() -> None:
    known = label(figure(RIVER, CAPTION))
    kept = score_page(Shown([], ["see", *CAPTION.split(), "again"]), known)
    torn = score_page(Shown([], ["the", "river", "again", "on", "monday"]), known)
    assert (kept.captions, kept.captions_kept) == (1, 1)
    assert (torn.captions, torn.captions_kept) == (1, 0)


def test_junk_placeholders_and_pictures_without_label_are_counted() -> None:
    known = label(figure(RIVER), junk=LOGO, placeholder=BOAT)
    score = score_page(Shown([RIVER, BOAT, LOGO], []), known)
    assert (score.pages_with_junk, score.pages_with_placeholder, score.unlabelled) == (1, 1, 2)
    clean = score_page(Shown([RIVER], []), known)
    assert (clean.pages_with_junk, clean.pages_with_placeholder, clean.unlabelled) == (0, 0, 0)


def test_a_share_is_of_all_figures_not_of_pages() -> None:
    scores = [FigureScore(1, figures=9, figures_kept=9), FigureScore(1, figures=1)]
    kept = share(scores, "figures")
    assert kept is not None
    assert kept.mean == 0.9
    assert share(scores, "captions") is None


def test_labels_of_the_project_name_pages_of_different_sites() -> None:
    assert len(read_labels()) >= 100


def write(folder: Path) -> Path:
    pictured = page("Bergen").replace(
        "<p>The mayor",
        f"<figure><img src={RIVER} width=800 height=500><figcaption>The river on Monday"
        "</figcaption></figure><p>The mayor",
    )
    write_golds(folder, [gold("Bergen"), gold("Oslo")])
    write_page(folder, "Bergen", pictured.encode())
    write_page(folder, "Oslo", page("Oslo").encode())
    return folder


def test_only_pages_with_labels_are_measured(tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    known = label(figure(RIVER, CAPTION), figure(BOAT))
    labels.write_text(json.dumps(known) + "\n", "utf-8")
    corpus = read_corpus(write(tmp_path / "corpus"))
    (score,) = measure_figures(corpus, [System("coreex")], labels=labels)["coreex"]
    assert (score.figures_kept, score.figures, score.captions_kept) == (1, 2, 1)
    assert score.failed == []


def test_the_command_shows_figures_where_labels_fit_the_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {"rain/Bergen": label(figure(RIVER, CAPTION), figure(BOAT))}
    corpus, out = write(tmp_path / "corpus"), tmp_path / "out"
    arguments = ["--methods", "coreex", "--neighbors", "0", "--fields", "--out", str(out)]
    assert main(["evaluate", str(corpus), *arguments]) != 0  # neither gold fields nor labels
    monkeypatch.setattr(figure_scores, "read_labels", lambda path: known)
    assert main(["evaluate", str(corpus), *arguments]) == 0
    printed = capsys.readouterr().out
    assert "figures and captions: 1 page with labels" in printed
    (written,) = json.loads((out / "fields.json").read_text("utf-8"))["pictures"]
    assert written["shares"]["figures"]["mean"] == 0.5
    assert written["shares"]["captions"]["mean"] == 1.0
