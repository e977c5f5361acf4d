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
    shown = found(text, "//ul[@class='cards']//h2/a/text()")
    report = run(capsys, "report", "--json", "--memory", tmp_path / "memory.sqlite").out
    assert shown == sorted({json.loads(line)["site"] for line in report.splitlines()})
    assert shown == sorted(STATES)


def test_only_a_site_that_is_known_to_be_good_is_green(served: Served) -> None:
    _, text, _ = served.ask("/")
    cards = found(text, "//ul[@class='cards']/li")
    kinds = {
        card.findtext("h2/a"): card.xpath("string(.//span[starts-with(@class, 'state')]/@class)")
        for card in cards
    }
    assert kinds == {
        "example.com": "state soon",
        "tv.example.com": "state bad",
        "example.org": "state good",
        "new.example.net": "state soon",
    }


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
