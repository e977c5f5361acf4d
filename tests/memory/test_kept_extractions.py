"""Kept pages, extracted again with what the memory knows."""

from newsclean import Extractor
from newsclean.memory import Memory, StoredPage
from newsclean.memory.sharing import kept_extractions
from newsclean.memory.stored_pages import pack_page
from tests.extraction.corrections.pages import story

TOWNS = ("Oslo", "Moss", "Hamar", "Bergen", "Narvik")


def test_kept_pages_of_a_site_can_be_taught() -> None:
    memory = Memory(keep_pages=5)
    for town in TOWNS:
        url = f"https://example.org/{town}"
        stored = StoredPage(url, "example.org", "news", "text/html", "", story(town).encode())
        packed = pack_page(stored)
        assert packed is not None
        number = memory.pages.add(packed)
        memory.kept.add(number, url)
    found = list(kept_extractions(memory, "example.org", Extractor("coreex")))
    assert [each.page.url for each in found] == [f"https://example.org/{t}" for t in TOWNS[::-1]]
    assert list(kept_extractions(memory, "example.com", Extractor("coreex"))) == []
