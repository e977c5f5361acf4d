"""`newsclean memory`."""

import gzip
from contextlib import closing
from pathlib import Path

import pytest

from newsclean.cli import main
from newsclean.extraction.methods.chain import text_keys
from newsclean.extraction.page import Page
from newsclean.memory import Memory
from newsclean.memory.sharing import export_lines
from newsclean.memory.site_health import SiteCounts, SiteRun, State
from tests.memory.pages import article, stored_page, texts

Capture = pytest.CaptureFixture[str]

ODD = "[/b] All rights [red]reserved[/]"


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A memory of three pages of a site; what they repeat looks like markup of the display."""
    path = str(tmp_path / "memory.sqlite")
    with closing(Memory(path)) as memory:
        for number in range(3):
            page = Page.from_html(f"<p>The story {number} of the day</p><footer>{ODD}</footer>")
            memory.sites.learn(
                "example.org", "[/sport]", f"page {number}", text_keys(page, "block")
            )
    return path


def test_texts_are_shown_as_they_stand_on_the_pages(path: str, capsys: Capture) -> None:
    assert main(["memory", "--memory", path, "show", "example.org"]) == 0
    shown = capsys.readouterr().out
    assert ODD in shown
    assert "example.org" in shown
    assert "The story" not in shown


def test_categories_are_listed_as_they_are_called(path: str, capsys: Capture) -> None:
    assert main(["memory", "--memory", path, "list"]) == 0
    assert "[/sport]" in capsys.readouterr().out


def test_no_name_is_broken_where_there_is_no_terminal(tmp_path: Path, capsys: Capture) -> None:
    path = str(tmp_path / "memory.sqlite")
    site, category = "2013.latimes.example.com", "sports/" + "football/" * 20
    with closing(Memory(path)) as memory:
        keys = text_keys(Page.from_html("<p>The story of the day</p>"), "block")
        memory.sites.learn(site, category, "page", keys)
        soon = SiteRun(1, site, 1.0, 2.0, State.TOO_SOON, SiteCounts(new=3))
        memory.site_runs.finish([soon])
    assert main(["memory", "--memory", path, "list"]) == 0
    listed = capsys.readouterr().out
    assert site in listed
    assert category in listed
    assert main(["report", "--memory", path]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if site in line)
    assert "too soon to tell" in line


def test_what_waits_and_what_is_kept_is_listed(tmp_path: Path, capsys: Capture) -> None:
    path = str(tmp_path / "memory.sqlite")
    with closing(Memory(path, keep_pages=5)) as memory:
        memory.start_run("job")
        for number in range(3):
            page = stored_page(number)
            stored, _ = memory.store_and_learn(page, page.url, article(number))
            memory.deliveries.add_pending(page.url, page.url, str(number), texts(str(number)))
            if not number:
                memory.mark_delivered(page.url, stored)
    assert main(["memory", "--memory", path, "list"]) == 0
    listed = capsys.readouterr().out
    assert "2 pages stored for the next crawl" in listed
    assert "1 page kept" in listed
    assert "example.org: 2 articles not yet confirmed in an output" in listed


@pytest.fixture(params=["block", "element"])
def of_any_keys(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A memory of three pages, learned with `hybrid` or with `stadynot:paper`."""
    path = str(tmp_path / f"{request.param}.sqlite")
    with closing(Memory(path, keying=request.param)) as memory:
        for number in range(3):
            page = Page.from_html(f"<p>The story {number} of the day</p><footer>{ODD}</footer>")
            keys = text_keys(page, request.param)
            memory.sites.learn("example.org", "sport", f"page {number}", keys)
    return path


def test_a_memory_of_any_method_can_be_listed_shown_and_forgotten(
    of_any_keys: str, capsys: Capture
) -> None:
    memory = ["memory", "--memory", of_any_keys]
    assert main([*memory, "list"]) == 0
    assert "example.org" in capsys.readouterr().out
    assert main([*memory, "show", "example.org"]) == 0
    assert ODD in capsys.readouterr().out
    assert main([*memory, "forget", "example.org"]) == 0
    assert "3 pages" in capsys.readouterr().out


def test_several_packed_files_are_imported_of_the_sites_that_are_asked_for(
    tmp_path: Path, capsys: Capture
) -> None:
    files = []
    for number, site in enumerate(("a.example", "b.example", "c.example")):
        with closing(Memory()) as memory:
            for town in ("Bergen", "Oslo"):
                page = Page.from_html(f"<p>Rain in {town}</p><footer>{ODD}</footer>")
                memory.sites.learn(site, "news", town, text_keys(page, "block"))
            file = tmp_path / f"{number}.jsonl.gz"
            file.write_bytes(gzip.compress("\n".join(export_lines(memory)).encode()))
            files.append(str(file))
    copy = str(tmp_path / "copy.sqlite")
    sites = ["--site", "a.example", "--site", "c.example"]
    assert main(["memory", "--memory", copy, "import", *files, *sites]) == 0
    assert capsys.readouterr().out == "added 4 pages\n"
    with closing(Memory(copy)) as memory:
        assert memory.sites.names() == ["a.example", "c.example"]
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(Path(files[0]).read_bytes()[:-12])
    assert main(["memory", "--memory", copy, "import", str(cut)]) != 0
    assert f"cannot read {cut}: " in capsys.readouterr().err


def test_a_memory_of_any_method_can_be_moved(of_any_keys: str, tmp_path: Path) -> None:
    exported, copy = str(tmp_path / "export.jsonl"), str(tmp_path / "copy.sqlite")
    assert main(["memory", "--memory", of_any_keys, "export", exported]) == 0
    assert main(["memory", "--memory", copy, "import", exported]) == 0
    with closing(Memory(of_any_keys)) as one, closing(Memory(copy)) as other:
        assert other.sites.keying == one.sites.keying
        names = [[page.name for page in memory.sites.learned_pages()] for memory in (one, other)]
    assert names[0] == names[1] != []


def test_articles_in_flight_on_a_machine_that_is_gone_are_listed_and_delivered_in_its_name(
    postgresql: str, capsys: Capture
) -> None:
    page = stored_page(1)
    for host in ("west", "east"):
        with closing(Memory(postgresql, host=host)) as memory:
            memory.start_run(host, ["/out.jsonl"])
            url = f"{page.url}/{host}"
            memory.deliveries.add_pending(None, url, host, texts(host))
    command = ["memory", "--memory", postgresql]
    assert main([*command, "list"]) == 0
    assert "west: 1 article not yet confirmed in files there" in capsys.readouterr().out

    with closing(Memory(postgresql, host="west")) as memory:
        memory.start_run("other job", ["/elsewhere.jsonl"], sites=[page.site])
        assert memory.deliveries.add_pending(None, f"{page.url}/west", "west", texts("west"))
        assert not memory.deliveries.add_pending(None, f"{page.url}/east", "east", texts("east"))
