"""`newsclean index --deliver`: what a crawl could not deliver arrives later."""

from pathlib import Path

import pytest

from newsclean.apps.search.index_target import open_search
from newsclean.apps.search.spool import Spool
from newsclean.cli import main
from tests.apps.search.crawl_lines import article_id, line

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "index.db")


@pytest.fixture
def spool(tmp_path: Path, address: str) -> Path:
    path = tmp_path / "spool.sqlite"
    waiting = Spool(path, address)
    for number in range(250):
        waiting.add(line(number))
    waiting.settle([], {7: "too strange"})
    waiting.close()
    return path


def deliver(spool: Path, address: str) -> int:
    return main(["index", "--deliver", "--spool", str(spool), "--index", address])


def test_all_that_waits_is_delivered_also_what_was_refused(
    spool: Path, address: str, capsys: Capture
) -> None:
    assert deliver(spool, address) == 0
    assert "250 new articles" in capsys.readouterr().err
    index = open_search(address)
    assert index.sites() == [("example.org", 250)]
    assert index.article(article_id(6)) is not None
    index.close()
    assert deliver(spool, address) == 0
    assert "0 new articles" in capsys.readouterr().err


def test_what_the_index_refuses_again_stays_and_is_reported(
    spool: Path, address: str, capsys: Capture
) -> None:
    waiting = Spool(spool, address)
    waiting.add({"id": "1", "revision": "two"})
    waiting.close()
    assert deliver(spool, address) == 1
    assert "1 article refused" in capsys.readouterr().err


def test_an_index_that_takes_nothing_is_an_error_and_nothing_is_lost(
    spool: Path, address: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newsclean.apps.search.index_command.PATIENCE", 0.2)
    Path(address).write_bytes(b"my notes" * 100)
    assert deliver(spool, address) == 4
    assert "250 articles still waiting" in capsys.readouterr().err


def test_articles_for_another_index_are_named(spool: Path, tmp_path: Path, capsys: Capture) -> None:
    assert deliver(spool, str(tmp_path / "other.db")) == 0
    assert "index.db: deliver them with --index" in capsys.readouterr().err


def test_mistakes_are_told_in_one_line(spool: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["index"]) == 2
    assert "name the files to index, or use --deliver" in capsys.readouterr().err
    assert main(["index", "--deliver", "x.jsonl", "--spool", str(spool)]) == 2
    assert "takes no files" in capsys.readouterr().err
    assert deliver(tmp_path / "none", "index.db") == 3
    assert "no such file" in capsys.readouterr().err
    assert deliver(spool, "solr://x") == 2
    assert "solr:// is not a known kind of index" in capsys.readouterr().err
