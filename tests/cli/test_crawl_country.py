"""`newsclean crawl --country`: crawl the publishers of the start list."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.demo import DemoServer
from newsclean.discovery import start_list
from newsclean.discovery.start_list import Publisher
from tests.crawl.demo_sites import HURRY, lines, newsclean


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoServer]:
    """Two publishers on this machine in place of the start list: one Norwegian, one Danish."""
    places = (("NO", "no"), ("DK", "da"))
    with DemoServer() as server:
        local = tuple(
            Publisher(site.name, f"{site.base_url}/", *place, source="the demo")
            for site, place in zip(server.publishers, places, strict=True)
        )
        monkeypatch.setattr(start_list, "publishers", lambda: local)
        yield server


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [(["--country", "no", "--language", "nb"], [0]), (["--country", "no,dk"], [0, 1])],
)
def test_the_publishers_of_the_countries_are_crawled_as_if_given_by_address(
    tmp_path: Path, demo: DemoServer, arguments: list[str], chosen: list[int]
) -> None:
    run = newsclean(tmp_path, "crawl", *arguments, "--limit", "3", *HURRY)
    assert run.exit_code == 0, run.errors
    articles = lines(tmp_path / "articles.jsonl")
    wanted = {
        site.base_url.removeprefix("http://") for site in (demo.publishers[n] for n in chosen)
    }
    assert {article["site"] for article in articles} == wanted
    assert [bool(demo.hits[site.name]) for site in demo.publishers] == [0 in chosen, 1 in chosen]


@pytest.mark.slow
@pytest.mark.process
def test_jobs_divide_the_publishers_among_processes(tmp_path: Path, demo: DemoServer) -> None:
    run = newsclean(tmp_path, "crawl", "--language", "no,da", "--jobs", "2", "--limit", "2", *HURRY)
    assert run.exit_code == 0, run.errors
    assert len({article["site"] for article in lines(tmp_path / "articles.jsonl")}) == 2
    assert "of 2 sites" in run.output


def test_an_option_that_is_repeated_adds_to_the_first(
    demo: DemoServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["crawl", "--list", "--country", "no", "--country", "dk"]) == 0
    assert "2 publishers" in capsys.readouterr().err


def test_the_list_is_printed_without_a_crawl(tmp_path: Path, demo: DemoServer) -> None:
    run = newsclean(tmp_path, "crawl", "--list", "--country", "DK")
    assert not any(demo.hits.values())
    publisher = demo.publishers[1]
    assert run.exit_code == 0
    assert run.output == f"{publisher.base_url}/  DK  da   {publisher.name}\n"
    assert "1 publisher" in run.errors
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--country", "nor"], "country 'nor'; did you mean no? There are "),
        (["--country", "no", "--language", "xx"], "language 'xx'; did you mean "),
        (["--country", "no", "--language", "de"], "no publisher in no whose language is de"),
        (["--country", ","], "--country: no code given"),
        (["--list", "--language", ""], "--language: no code given"),
        (["--country", "no", "http://127.0.0.1:9/"], "give one of them: URLs, --sites, or"),
        (["--list", "--sites", "sites"], "give one of them: URLs, --sites, or"),
        (["--country", "no", "--only", "a"], "--only goes with --sites"),
        (["--country", "us", "-o", "-"], "several processes cannot share standard output"),
    ],
)
def test_a_wrong_choice_is_named_and_nothing_is_crawled(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["crawl", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_printed_list_is_one_from_which_site_files_are_made(
    tmp_path: Path, demo: DemoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = newsclean(tmp_path, "crawl", "--list").output
    monkeypatch.chdir(tmp_path)
    Path("list.txt").write_text(printed)
    assert main(["site", "--discover", "list.txt", "--delay", "0"]) == 0
    assert len(list(Path("sites").iterdir())) == len(demo.publishers)


@pytest.mark.process
def test_the_list_is_only_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys; from newsclean.cli import main; main(['crawl', 'x'])\n"
        "print('newsclean.discovery.start_list' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'x' is not a URL" in done.stderr
    assert done.stdout == "False\n"
