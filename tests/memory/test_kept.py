"""Pages that are kept after their articles were delivered."""

import os

import pytest

from newsclean.memory import Memory
from newsclean.memory import stored_pages as kept

from .conftest import Remember
from .pages import CATEGORY, SITE, article, stored_page, texts


def deliver(memory: Memory, number: int, **changes: object) -> None:
    page = stored_page(number, **changes)
    stored, _ = memory.store_and_learn(page, page.url, article(number))
    memory.deliveries.add_pending(page.url, page.url, f"{number}", texts(f"{number}"))
    memory.mark_delivered(page.url, stored)


def kept_urls(memory: Memory, site: str = SITE) -> list[str]:
    return [url for _, url, _ in memory.kept.numbers([site])]


def test_the_newest_pages_of_each_site_are_kept(remember: Remember) -> None:
    memory = remember(keep_pages=3)
    for number in range(5):
        deliver(memory, number)
    deliver(memory, 9, url="https://other.org/9", site="other.org")
    assert kept_urls(memory) == [stored_page(n).url for n in (4, 3, 2)]
    assert kept_urls(memory, "other.org") == ["https://other.org/9"]
    assert memory.kept.counts()[SITE, CATEGORY].pages == 3
    assert memory.pages.counts() == {}


def test_a_kept_page_is_the_one_of_the_last_state(remember: Remember) -> None:
    memory = remember(keep_pages=3)
    deliver(memory, 1)
    changed = stored_page(1, body=b"<p>changed")
    stored, _ = memory.store_and_learn(changed, changed.url, article(1))
    memory.deliveries.add_pending(changed.url, changed.url, "2", texts("changed"))
    memory.mark_delivered(changed.url, stored)
    ((number, url, _),) = memory.kept.numbers([SITE])
    assert memory.kept.get(number) == (url, changed)
    assert memory.deliveries.revision_of(url) == 2


def test_no_page_is_kept_where_nobody_wants_it(remember: Remember) -> None:
    memory = remember(keep_pages=0)
    deliver(memory, 1)
    assert memory.kept.counts() == {}


def test_kept_pages_are_bounded_in_bytes(
    remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MAX_SITE_BYTES", 5_000)
    memory = remember(keep_pages=100)
    for number in range(10):
        deliver(memory, number, body=os.urandom(2_000))
    assert kept_urls(memory) == [stored_page(n).url for n in (9, 8)]
    monkeypatch.setattr(kept, "MAX_BYTES", 3_000)
    memory.kept.delete_oldest()
    assert kept_urls(memory) == [stored_page(9).url]


def test_pages_of_a_forgotten_site_are_not_kept(remember: Remember) -> None:
    memory = remember(keep_pages=3)
    deliver(memory, 1)
    memory.forget(SITE)
    assert memory.kept.counts() == {}
