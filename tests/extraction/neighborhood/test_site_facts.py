"""The habits of a site, as its pages teach them: in the process and in a memory alike."""

from pathlib import Path

import newsclean
from newsclean.archives.extracting import NeighborPage, learn_neighbors
from newsclean.extraction.metadata.page_sources import facts_from_counts
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page
from newsclean.memory import Memory
from newsclean.memory.sharing import export_lines, import_lines

SITE = "example.org"
METHOD = method_named("coreex")


def page(number: int, date: str, head: str = "") -> str:
    text = f"It has rained in town {number} for nine days, and nobody knows of an end. " * 6
    return (
        f"<html lang=en><head>{head}<title>Wet days in town {number}</title></head>"
        f"<h1>Wet days in town {number}</h1><p>{date}</p><p>{text}</p><p>{text[::-1]}</p>"
    )


def neighbors() -> list[str]:
    return [page(number, f"{number + 12}/03/2024") for number in range(1, 6)]


def test_a_neighborhood_knows_how_its_site_writes_dates() -> None:
    asked = page(9, "04/03/2024")
    hood = newsclean.Neighborhood("coreex")
    alone = newsclean.extract(asked, method="coreex", neighborhood=hood)
    assert alone.date_published is None
    for number, html in enumerate(neighbors()):
        hood.learn(html, f"https://{SITE}/{number}")
    article = newsclean.extract(asked, method="coreex", neighborhood=hood)
    assert article.date_published == "2024-03-04"
    assert article.extraction["date_source"] == "shown"


def test_a_memory_knows_it_too_and_after_it_was_closed_and_exported(tmp_path: Path) -> None:
    path, copy = str(tmp_path / "memory.sqlite"), Memory(keying="block")
    keys = [METHOD.keys(Page.from_html(html)) for html in neighbors()]
    pages = [
        NeighborPage(SITE, "home", f"page {number}", 0.0, key.remembered, key.facts)
        for number, key in enumerate(keys)
    ]
    learn_neighbors(pages, path, keying=METHOD.keying, window=50).close()
    memory = Memory(path)
    import_lines(copy, export_lines(memory))
    asked = METHOD.keys(Page.from_html(page(9, "04/03/2024")))
    for known in (memory, copy):
        support = known.sites.support_for(SITE, "home", "asked", asked, 3)
        assert facts_from_counts(support.facts, support.count).day_first is True


def test_the_zone_is_that_of_the_site_where_the_page_gives_none() -> None:
    meta = '<meta property="article:published_time" content="2024-03-{day:02}T09:30:00{zone}">'
    hood = newsclean.Neighborhood("coreex")
    for day in range(1, 6):
        hood.learn(page(day, "", meta.format(day=day, zone="+01:00")), f"https://{SITE}/{day}")
    bare = page(9, "", meta.format(day=9, zone=""))
    article = newsclean.extract(bare, method="coreex", neighborhood=hood)
    assert article.date_published == "2024-03-09T09:30:00+01:00"
    assert article.extraction["date_zone"] == "site"
    summer = bare.replace("2024-03-09", "2024-07-09")  # clocks may have changed
    article = newsclean.extract(summer, method="coreex", neighborhood=hood)
    assert article.date_published == "2024-07-09T09:30:00"


def test_facts_leave_a_window_with_their_page() -> None:
    hood = newsclean.Neighborhood("coreex", window=2)
    for number, html in enumerate([*neighbors()[:1], page(7, ""), page(8, "")]):
        hood.learn(html, f"https://{SITE}/{number}")
    article = newsclean.extract(page(9, "04/03/2024"), method="coreex", neighborhood=hood)
    assert article.date_published is None
