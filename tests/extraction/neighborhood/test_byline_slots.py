"""The slot of a site's bylines, as its pages teach it: names change, the place stays."""

import json
from pathlib import Path

import pytest

import newsclean
from newsclean.archives.extracting import NeighborPage, learn_neighbors
from newsclean.extraction.metadata.page_sources import MAX_FACTS, facts_from_counts
from newsclean.extraction.methods.chain import metadata_of
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page
from newsclean.memory import Memory

SITE = "example.org"
METHOD = method_named("coreex")
NAMES = ["Ann Lee", "Bob Ray", "Cleo Park", "Dan Moss", "Eve Hart"]


def page(number: int, top: str, author: str = "", below: str = "") -> str:
    text = f"It has rained in town {number} for nine days, and nobody knows of an end. " * 6
    data = {"@type": "NewsArticle", "headline": f"Wet days in town {number}"}
    if author:
        data["author"] = author
    return (
        f"<html lang=en><head><title>Wet days in town {number}</title>"
        f'<script type="application/ld+json">{json.dumps(data)}</script></head>'
        f"<h1>Wet days in town {number}</h1>{top}<p>{text}</p><p>{text[::-1]}</p>{below}"
    )


def slot(name: str) -> str:
    return f'<div class="row top"><div class="who">{name}</div></div>'


def neighbors(count: int = 5) -> list[str]:
    return [page(n, slot(name), name) for n, name in enumerate(NAMES[:count])]


def authors(asked: str, known: list[str]) -> list[str]:
    hood = newsclean.Neighborhood("coreex")
    for number, html in enumerate(known):
        hood.learn(html, f"https://{SITE}/{number}")
    return newsclean.extract(asked, method="coreex", neighborhood=hood).authors


def test_a_name_in_the_slot_of_the_sites_bylines_is_the_author() -> None:
    asked = page(9, slot("Fay Stone"))
    assert newsclean.extract(asked, method="coreex").authors == []
    assert authors(asked, neighbors()) == ["Fay Stone"]


def test_one_neighbor_is_not_enough() -> None:
    assert authors(page(9, slot("Fay Stone")), neighbors(1)) == []
    assert authors(page(9, slot("Fay Stone")), neighbors(2)) == ["Fay Stone"]


def test_a_person_in_the_slot_counts_more_than_a_team_in_the_head() -> None:
    asked = page(9, slot("Fay Stone"), "Harbour Team")
    assert newsclean.extract(asked, method="coreex").authors == ["Harbour Team"]
    assert authors(asked, neighbors()) == ["Fay Stone"]


def test_a_signed_byline_counts_more_than_the_slot() -> None:
    asked = page(9, f"<p>By Gil Frost</p>{slot('Fay Stone')}")
    assert authors(asked, neighbors()) == ["Gil Frost"]
    asked = page(9, slot("Fay Stone"), "Gil Frost")
    assert authors(asked, neighbors()) == ["Gil Frost"]


def test_the_slot_is_that_of_the_line_too_where_not_all_names_are_links() -> None:
    linked = [
        page(n, slot(f'<a href="/by/{n}"><span class="name">{name}</span></a>, 1.3.2024'), name)
        for n, name in enumerate(NAMES)
    ]
    assert authors(page(9, slot("Fay Stone, 3.3.2024 in Sport")), linked) == ["Fay Stone"]


def test_another_place_of_the_page_is_not_the_slot() -> None:
    below = '<div class="row"><div class="people">Fay Stone</div></div>'
    assert authors(page(9, "", below=below), neighbors()) == []


def test_a_slot_that_holds_a_list_is_not_read() -> None:
    crowd = "".join(slot(f"{name} {other.split()[1]}") for name in "FGH" for other in NAMES)
    assert authors(page(9, crowd), neighbors()) == []


def test_a_text_in_the_slot_that_is_no_name_is_not_an_author() -> None:
    assert authors(page(9, slot("Read more about rain")), neighbors()) == []


def test_co_authors_are_read_from_the_slot() -> None:
    asked = page(9, slot("Fay Stone and Gil Frost"))
    assert authors(asked, neighbors()) == ["Fay Stone", "Gil Frost"]


@pytest.mark.parametrize("where", ["memory", "archive"])
def test_a_memory_counts_slots_too(tmp_path: Path, where: str) -> None:
    path = str(tmp_path / "memory.sqlite")
    keys = [METHOD.keys(Page.from_html(html)) for html in neighbors()]
    if where == "archive":
        pages = [
            NeighborPage(SITE, "home", f"page {number}", 0.0, key.remembered, key.facts)
            for number, key in enumerate(keys)
        ]
        learn_neighbors(pages, path, keying=METHOD.keying, window=50).close()
    else:
        memory = Memory(path, keying=METHOD.keying)
        for number, key in enumerate(keys):
            memory.sites.learn(SITE, "home", f"page {number}", key)
        memory.close()
    asked = Page.from_html(page(9, slot("Fay Stone")))
    support = Memory(path).sites.support_for(SITE, "home", "asked", METHOD.keys(asked), 3)
    facts = facts_from_counts(support.facts, support.count)
    assert metadata_of(asked).with_facts(facts).authors == ["Fay Stone"]


def test_a_page_teaches_few_facts_even_with_many_authors() -> None:
    many = [f"{first} {last.split()[1]}" for first in ("Ida", "Jon", "Kai") for last in NAMES]
    html = page(9, slot(" and ".join(many[:3])), ", ".join(many))
    facts = metadata_of(Page.from_html(html)).known_facts
    assert len(facts) <= MAX_FACTS
    assert any(fact.startswith("byline:") for fact in facts)
