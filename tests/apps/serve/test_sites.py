"""The list of sites: the names of `newsclean report`, and how each site is."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from newsclean.apps.serve.site_library import MemoryPages
from newsclean.extraction.corrections import Corrections
from newsclean.extraction.page import Page
from newsclean.memory import Memory, StoredPage
from newsclean.memory.site_health import STATES as STATES_TABLE
from newsclean.memory.site_health import SiteCounts, SiteRun, State
from newsclean.memory.stored_pages import pack_page
from tests.cli.pages import run

from .served import PROMO, TOWNS, Served, serving, story

STATES = {
    "example.com": State.TOO_SOON,
    "tv.example.com": State.FEW,
    "example.org": State.GOOD,
    "new.example.net": State.RUNNING,
}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server of a memory in which two sites share a domain."""
    with closing(Memory(str(tmp_path / "memory.sqlite"), keep_pages=9)) as memory:
        for site, state in STATES.items():
            memory.site_runs.finish([SiteRun(1, site, 1.0, 2.0, state, SiteCounts(new=3))])
            for town in TOWNS[: 2 if site == "tv.example.com" else 3]:
                url = f"https://{site}/{town}"
                body = story(town).encode()
                packed = pack_page(StoredPage(url, site, "news", "text/html", "", body))
                assert packed is not None
                memory.kept.add(memory.pages.add(packed), url)
        with serving(tmp_path, source=MemoryPages(memory)) as server:
            yield server


def found(text: str, path: str) -> list[Any]:
    """What an XPath finds in a page."""
    selected: Any = html.fromstring(text).xpath(path)
    return list(selected)


def test_sites_have_the_names_that_the_report_gives_them(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text, _ = served.ask("/")
    shown = found(text, "//section//h3/a/bdi/text()")
    report = run(capsys, "report", "--json", "--memory", tmp_path / "memory.sqlite").out
    assert shown == list(dict.fromkeys(json.loads(line)["site"] for line in report.splitlines()))
    assert sorted(shown) == sorted(STATES)


def test_only_a_site_that_is_known_to_be_good_is_green(served: Served) -> None:
    _, text, _ = served.ask("/")
    kinds = {
        name: group.get("class")
        for group in found(text, "//section")
        for name in group.xpath(".//h3/a/bdi/text()")
    }
    assert kinds == {
        "example.com": "group soon",
        "tv.example.com": "group bad",
        "example.org": "group good",
        "new.example.net": "group soon",
    }


def test_trouble_comes_first_with_what_to_do_about_it(served: Served) -> None:
    _, text, _ = served.ask("/")
    assert found(text, "//h1/text()") == ["4 sites, 1 in trouble"]
    assert found(text, "//section[1]//h3/a/bdi/text()") == ["tv.example.com"]
    assert STATES_TABLE[State.FEW].advice in " ".join(text.split()).replace("&#39;", "'")


def test_sites_can_be_chosen_by_state_and_by_name(served: Served) -> None:
    _, text, _ = served.ask("/?state=good")
    assert found(text, "//section//h3/a/bdi/text()") == ["example.org"]
    _, text, _ = served.ask("/?q=EXAMPLE.com")
    assert found(text, "//section//h3/a/bdi/text()") == ["tv.example.com", "example.com"]
    status, text, _ = served.ask("/?state=%3Cscript%3E&q=%22%3E%3Cscript%3E")
    assert status == 200
    assert found(text, "//section") == []
    assert "<script>" not in text
    assert "0 of 4 sites" in text


def test_pages_of_another_host_belong_to_the_site_whose_crawl_kept_them(tmp_path: Path) -> None:
    with closing(Memory(str(tmp_path / "memory.sqlite"), keep_pages=9)) as memory:
        run = SiteRun(1, "example.org", 1.0, 2.0, State.GOOD, SiteCounts(new=2))
        memory.site_runs.finish([run])
        for host, town in (("example.org", "Oslo"), ("sport.example.org", "Bodo")):
            url = f"https://{host}/{town}"
            packed = pack_page(StoredPage(url, host, "news", "text/html", "", story(town).encode()))
            assert packed is not None
            memory.kept.add(memory.pages.add(packed), url)
        with serving(tmp_path, source=MemoryPages(memory)) as server:
            _, text, _ = server.ask("/")
            assert found(text, "//section//h3/a/bdi/text()") == ["example.org"]
            assert "2 kept pages" in text
            _, text, _ = server.ask("/sites/example.org")
            assert len(found(text, "//ul[@class='entries']//h3/a")) == 2


def test_a_site_lists_its_own_pages_and_is_taught_with_all_of_its_domain(served: Served) -> None:
    _, text, _ = served.ask("/sites/tv.example.com")
    links = found(text, "//ul[@class='entries']//h3/a/@href")
    assert len(links) == 2
    texts = Page.from_html(story("Bodo")).blocks.text
    promo = PROMO.format(town="Bodo")
    number = next(n for n, each in enumerate(texts) if each.startswith(promo))
    status, shown = served.post(links[0].replace("/pages/", "/try/"), {"exclude": [number]})
    assert status == 200, shown
    assert len(shown["pages"]) + shown["unchanged"] == 5
    assert shown["pages"][0]["is_this"]
    values = {"exclude": [number], "shown": shown["shown"]}
    status, accepted = served.post(links[0].replace("/pages/", "/accept/"), values)
    assert status == 200, accepted
    file = served.sites / "example.com.corrections.toml"
    assert Corrections.read(file).site == "example.com"
