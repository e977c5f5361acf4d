"""`newsclean queue`: what goes in, what is shown, and what is refused in one line."""

import builtins
import json
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from newsclean.cluster.site_queue import JobStatus, Outcome, Retries, SiteJob, SiteQueue
from newsclean.error_hints import install_command

from .pages import run

Capture = pytest.CaptureFixture[str]

SECTION = '[[section]]\nurl = "https://example.org/news"\n'
#: Nobody listens there.
NOWHERE = "postgresql://crawler:hush@127.0.0.1:1/news"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgresql: str) -> Path:
    """A folder with a site file; the environment names an empty database."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEWSCLEAN_QUEUE", postgresql)
    (tmp_path / "town.toml").write_text(SECTION)
    return tmp_path


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEWSCLEAN_QUEUE", NOWHERE)
    (tmp_path / "town.toml").write_text(SECTION)
    return tmp_path


def test_files_and_addresses_are_added_and_listed(capsys: Capture, folder: Path) -> None:
    added = run(capsys, "queue", "add", "town.toml", "https://example.net/a", "--every", "15m-1d")
    assert added == (0, "town: added\nexample.net-a: added\n", "")
    assert run(capsys, "queue", "add", "town.toml", "--every", "15m-1d")[1] == "town: known\n"
    code, table, _ = run(capsys, "queue", "list")
    assert code == 0
    assert all(word in table for word in ("town", "example.net-a", "due", "15m-1d"))
    code, lines, _ = run(capsys, "queue", "list", "--json")
    shown = [json.loads(line) for line in lines.splitlines()]
    assert [(one["name"], one["state"]) for one in shown] == [
        ("example.net-a", "due"),
        ("town", "due"),
    ]


def test_a_file_takes_its_corrections_along(capsys: Capture, folder: Path) -> None:
    (folder / "town.corrections.toml").write_text('site = "example.org"\n')
    run(capsys, "queue", "add", "town.toml")
    with closing(SiteQueue(_address())) as queue:
        job = SiteJob.read(_begin(queue)[1])
    assert job.file == SECTION
    assert job.corrections == 'site = "example.org"\n'
    assert job.domains == ("example.org",)


def test_failed_sites_are_put_back_by_retry(capsys: Capture, folder: Path) -> None:
    run(capsys, "queue", "add", "town.toml")
    with closing(SiteQueue(_address())) as queue:
        turn, _ = _begin(queue)
        code, out, err = run(capsys, "queue", "retry", "town")
        assert (code, out) == (1, "due now: none\n")
        assert "running or about to run: town" in err
        queue.finish("town", turn, Outcome.FAILED, "not reachable", 0, Retries(1))
    assert "reachable" in run(capsys, "queue", "list")[1]
    assert run(capsys, "queue", "retry")[:2] == (0, "due now: town\n")
    assert run(capsys, "queue", "remove", "town")[:2] == (0, "removed: 1\n")
    assert run(capsys, "queue", "list", "--json")[1] == ""


def test_a_worker_with_nothing_to_do_says_so(capsys: Capture, folder: Path) -> None:
    assert run(capsys, "queue", "work", "--until-empty")[:2] == (0, "0 sites crawled\n")


def test_a_site_that_this_version_cannot_read_is_listed_as_such(
    capsys: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ("town", {"color": "red"}, "due", 1.0, 0, 0, 0, "", "", "", 60.0)
    monkeypatch.setattr(SiteQueue, "statuses", lambda queue: [JobStatus.of(row)])
    code, table, _ = run(capsys, "queue", "list")
    assert code == 0
    assert "unreadable" in table
    assert "unknown field color" in table


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("retry", "village"), 1, "no site village in the queue; it is empty"),
        (("remove", "village"), 1, "no site village in the queue"),
        (("add", "town.toml", "--every", "soon"), 2, "--every: 'soon' is not an interval"),
        (("add", "town.toml", "./town.toml"), 2, "given twice: town"),
        (("add", "town.json"), 2, "neither a site file (.toml) nor a URL"),
        (("add", "village.toml"), 3, "cannot read the site file village.toml"),
        (("add", "ftp://example.org/"), 2, "is not a URL of a web site"),
        (("work", "-s", "X"), 2, "-s X: it takes NAME=VALUE"),
        (("work", "-a", "site=town"), 2, "-a site=: name URLs and site files without -a"),
        (("list", "--queue", "http://localhost"), 2, "http://localhost is not a database address"),
    ],
)
def test_a_slip_is_told_in_one_line(
    capsys: Capture, folder: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    found, _, err = run(capsys, "queue", *arguments)
    assert found == code
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("action", [("add", "town.toml"), ("list",), ("retry",), ("work",)])
def test_a_database_that_is_away_is_named_without_its_password(
    capsys: Capture, nowhere: Path, action: tuple[str, ...]
) -> None:
    code, _, err = run(capsys, "queue", *action)
    assert code == 3
    assert "cannot use the queue at postgresql://crawler@127.0.0.1:1/news: " in err
    assert "hush" not in err
    assert err.count("\n") == 1


def test_without_its_extra_it_says_how_to_get_it(
    capsys: Capture, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = builtins.__import__

    def without_extra(name: str, *arguments: Any, **options: Any) -> Any:
        if name == "procrastinate":
            raise ModuleNotFoundError("No module named 'procrastinate'", name="procrastinate")
        return find(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without_extra)
    code, _, err = run(capsys, "queue", "list")
    assert code == 2
    assert f"queue needs procrastinate: {install_command('cluster')}" in err


def _begin(queue: SiteQueue) -> tuple[int, dict[str, Any]]:
    """Begin the crawl of the only site that is due."""
    assert queue.feed() == ["town"]
    begun = queue.begin("town", 1, "worker")
    assert begun is not None
    return begun


def _address() -> str:
    return os.environ["NEWSCLEAN_QUEUE"]
