"""What concerns several parts of a memory, and opening it."""

import logging
from typing import Any

import pytest

from newsclean.memory import Memory, MemoryFileError

from .conftest import Remember
from .pages import CATEGORY, SITE, article, stored_page, texts

URL = f"https://{SITE}/1"


def deliver(memory: Memory) -> bool:
    """Whether an article of the site is new; it is then delivered."""
    delivery = memory.deliveries.add_pending(URL, URL, "hash", texts("x"))
    memory.mark_delivered(URL, None)
    return delivery is not None


def test_forgetting_a_site_leaves_the_others_and_what_was_delivered(remember: Remember) -> None:
    memory = remember()
    for number in (1, 2):
        memory.sites.learn(SITE, CATEGORY, f"page {number}", article(number))
    memory.sites.learn("other.org", "news", "page", article(3))
    assert deliver(memory)
    assert memory.forget(SITE) == 2
    assert memory.sites.names() == ["other.org"]
    assert len(memory.sites.neighborhood(SITE)) == 0
    assert not deliver(memory)


def test_a_site_can_be_forgotten_with_its_articles(remember: Remember) -> None:
    memory = remember()
    assert deliver(memory)
    memory.forget(SITE, articles=True)
    assert deliver(memory)


def test_a_page_that_cannot_be_learned_is_not_stored_either(
    path: str, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = remember(path)

    def fail(*arguments: Any) -> str:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(memory.sites, "learn", fail)
        with pytest.raises(OSError, match="disk full"):
            memory.store_and_learn(stored_page(1), "page 1", article(1))
    assert memory.pages.counts() == {}
    memory.store_and_learn(stored_page(2), "page 2", article(2))
    other = remember(path)
    assert other.pages.counts() == {(SITE, CATEGORY): 1}
    assert [page.name for page in other.sites.learned_pages()] == ["page 2"]


def test_a_delivered_article_and_its_page_are_settled_together(remember: Remember) -> None:
    memory = remember()
    number, _ = memory.store_and_learn(stored_page(1), "page 1", article(1))
    memory.deliveries.add_pending(URL, URL, "hash", texts("x"))
    memory.mark_delivered(URL, number)
    assert memory.pages.counts() == {}
    assert memory.deliveries.add_pending(URL, URL, "hash", texts("x")) is None


@pytest.mark.parametrize("keying", ["block", "element"])
def test_a_memory_opened_without_a_kind_of_keys_has_that_of_the_file(
    path: str, keying: Any
) -> None:
    Memory(path, keying=keying).close()
    memory = Memory(path)
    assert memory.sites.keying == keying
    memory.close()


def test_a_memory_of_other_keys_is_refused_and_let_go(path: str) -> None:
    Memory(path, keying="block").close()
    with pytest.raises(MemoryFileError, match="separate memory"):
        Memory(path, keying="element")
    Memory(path, keying="block").close()


def test_what_is_learned_without_a_kind_of_keys_is_not_mixed_with_another(path: str) -> None:
    memory = Memory(path)
    assert memory.sites.keying is None
    memory.sites.learn(SITE, CATEGORY, "page 1", article(1))
    memory.close()
    with pytest.raises(MemoryFileError, match="'block' keys"):
        Memory(path, keying="element")


def test_another_model_is_noticed_once(path: str, caplog: pytest.LogCaptureFixture) -> None:
    def warnings(model: str | None) -> list[str]:
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            Memory(path, model=model).close()
        return [record.getMessage() for record in caplog.records]

    assert warnings("first") == []
    assert warnings("first") == []
    (warning,) = warnings("second")
    assert path in warning
    assert "learned again" in warning
    assert warnings(None) == []
    assert warnings("second") == []
