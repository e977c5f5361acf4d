"""`newsclean train articles`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from newsclean.cli import main
from newsclean.extraction.is_article.trees import models_from_json

from .article_corpora import write_corpus

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_corpus(tmp_path_factory.mktemp("corpus"), publishers=12))


def test_train_writes_the_same_models_for_the_same_seed(
    corpus: str, tmp_path: Path, capsys: Capture
) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    for out in (one, two):
        assert main(["train", "articles", corpus, "--folds", "3", "--out", str(out)]) == 0
    assert one.read_bytes() == two.read_bytes()
    models = models_from_json(one.read_text("utf-8"))
    assert models["pages"].cross_validated["mixed F1"] == 1.0
    assert "trained on 12 mixed article" in capsys.readouterr().out


def test_what_cannot_be_learned_from_is_told(corpus: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["train", "articles", str(tmp_path / "none")]) == 3
    assert "no such folder" in capsys.readouterr().err
    assert main(["train", "articles", corpus, "--collections", "news"]) == 1
    assert "articles and" in capsys.readouterr().err
    assert main(["train", "articles", corpus, "--collections", "nobody"]) == 2
    assert "no collection named 'nobody'" in capsys.readouterr().err
    assert main(["train", "articles", corpus, "--folds", "1"]) == 2


def rewrite(corpus: Path, keep: Callable[[dict[str, Any]], bool], **fields: Any) -> None:
    """Leave lines out of a corpus, and change fields of all others."""
    for path in corpus.glob("*/gold.jsonl"):
        golds = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        lines = [json.dumps(gold | fields) + "\n" for gold in golds if keep(gold)]
        path.write_text("".join(lines), "utf-8")


def test_pages_that_cannot_be_used_are_counted(tmp_path: Path, capsys: Capture) -> None:
    corpus = write_corpus(tmp_path / "corpus", publishers=4)
    (corpus / "mixed" / "pages" / "a0.html").write_text(" ")
    (corpus / "mixed" / "pages" / "b0.html").write_text(" ")
    (corpus / "mixed" / "pages" / "b1.html").write_bytes(b"%PDF-1.7\n\x00\x01")
    options = ["--folds", "2", "--out", str(tmp_path / "out")]
    assert main(["train", "articles", str(corpus), *options]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "3 pages cannot be used: empty (2), not-html (1)"


def test_training_without_urls_is_told_that_they_are_needed(
    tmp_path: Path, capsys: Capture
) -> None:
    corpus = write_corpus(tmp_path / "corpus", publishers=3)
    rewrite(corpus, lambda gold: True, url=None)
    out = tmp_path / "model.json"
    assert main(["train", "articles", str(corpus), "--folds", "2", "--out", str(out)]) == 1
    assert "the URLs (field url)" in capsys.readouterr().err
    assert not out.exists()


def test_training_on_one_publisher_is_told_that_two_are_needed(
    tmp_path: Path, capsys: Capture
) -> None:
    corpus = write_corpus(tmp_path / "corpus", publishers=2)
    rewrite(corpus, lambda gold: gold["site"] == "paper1.org")
    assert main(["train", "articles", str(corpus), "--folds", "2"]) == 1
    assert "two or more publishers" in capsys.readouterr().err


def test_pages_without_urls_are_learned_from_beside_others_with_them(
    tmp_path: Path, capsys: Capture
) -> None:
    corpus = write_corpus(tmp_path / "corpus", publishers=6)
    path = corpus / "news" / "gold.jsonl"
    golds = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(json.dumps(gold | {"url": None}) + "\n" for gold in golds), "utf-8")
    out = tmp_path / "model.json"
    assert main(["train", "articles", str(corpus), "--folds", "2", "--out", str(out)]) == 0
    models = models_from_json(out.read_text("utf-8"))
    assert models["pages"].trained_on["news article"] == 6
    assert "news article" not in models["links"].trained_on
