"""Pages that are stored until their articles are delivered."""

from dataclasses import dataclass, field

import scrapy

from .conftest import Remember
from .pages import SITE, article, stored_page


def test_a_stored_page_comes_back_as_it_was(path: str, remember: Remember) -> None:
    first = remember(path)
    first.start_run("job")
    page = stored_page(1, body=b"\x00\xffraw bytes", origin={"url": "u", "tags": ["a", 1, None]})
    number, _ = first.store_and_learn(page, "page 1", article(1))
    assert number is not None
    assert first.pages.parked() == {}
    first.pages.park(number)
    assert first.pages.parked() == first.pages.parked(SITE) == {number: page.url}
    assert first.pages.parked("other.org") == {}
    assert first.pages.get(number) == page
    first.pages.remove(number)
    assert first.pages.parked() == {}
    assert first.pages.get(number) is None


class Story(scrapy.Item):
    url = scrapy.Field()


def test_an_item_of_a_class_comes_back_as_that_class(remember: Remember) -> None:
    memory = remember()
    number, _ = memory.store_and_learn(stored_page(1, origin=Story(url="u")), "page", article(1))
    assert number is not None
    page = memory.pages.get(number)
    assert page is not None
    assert isinstance(page.origin, Story)
    assert page.origin["url"] == "u"


def test_an_item_that_json_cannot_hold_is_not_kept_but_its_page_is_learned(
    remember: Remember,
) -> None:
    memory = remember()
    number, _ = memory.store_and_learn(
        stored_page(1, origin={"body": b"bytes"}), "page", article(1)
    )
    assert number is None
    assert len(memory.sites.neighborhood(SITE)) == 1


def test_a_page_that_fails_in_several_runs_is_given_up(remember: Remember) -> None:
    memory = remember()
    number, _ = memory.store_and_learn(stored_page(1), "page", article(1))
    assert number is not None
    assert [memory.pages.mark_failed(number) for _ in range(3)] == [False, False, True]
    assert memory.pages.get(number) is None


@dataclass
class Counted:
    url: str
    length: int = field(init=False, default=0)


def test_an_item_that_cannot_be_made_again_is_not_kept(remember: Remember) -> None:
    memory = remember()
    number, _ = memory.store_and_learn(stored_page(1, origin=Counted("u")), "page", article(1))
    assert number is None
