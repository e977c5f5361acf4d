"""What a memory remembers, and for how long."""

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import scrapy

from newsclean.memory import Memory
from newsclean.memory.records import Duplicate, LearnedPage, Outgo, Texts
from newsclean.memory.sites import SITE_WINDOWS

from .conftest import Remember
from .pages import CATEGORY, MENU, NEW_MENU, SITE, article, keys, texts, waiting


def learn(memory: Memory, *numbers: int, category: str = CATEGORY, **kind: Any) -> list[str]:
    return [memory.learn(SITE, category, f"page {n}", article(n, **kind)) for n in numbers]


def support(memory: Memory, name: str, *content: str, enough: int = 3) -> tuple[int, list[int]]:
    known = memory.ask(SITE, CATEGORY, name, keys(*content), enough)
    return known.neighbors, known.support.tolist()


def revise(memory: Memory, name: str, url: str, digest: str, content: Texts) -> int | None:
    outgo = memory.revise(name, url, digest, content)
    return outgo.revision if isinstance(outgo, Outgo) else None


def test_what_one_process_learned_the_next_one_knows(path: str, remember: Remember) -> None:
    first = remember(path)
    learn(first, *range(4))
    first.close()
    second = remember(path)
    assert support(second, "page 9", MENU[0], "unheard of") == (4, [4, 0])
    second.close()


def test_a_page_is_not_its_own_neighbor_even_in_a_later_run(path: str, remember: Remember) -> None:
    first = remember(path)
    learn(first, *range(4))
    first.close()
    own = "the first paragraph of article 2"
    assert support(remember(path), "page 2", MENU[0], own) == (3, [3, 0])


def test_a_category_with_few_pages_falls_back_to_the_site(remember: Remember) -> None:
    memory = remember()
    learn(memory, 1, 2)
    learn(memory, 3, 4, 5, category="business")
    known = memory.ask(SITE, CATEGORY, "page 9", article(9), 3)
    assert (known.scope, known.neighbors) == ("site", 5)
    learn(memory, 6)
    known = memory.ask(SITE, CATEGORY, "page 9", article(9), 3)
    assert (known.scope, known.neighbors) == ("category", 3)


def test_other_sites_know_nothing_of_each_other(remember: Remember) -> None:
    memory = remember()
    learn(memory, *range(5))
    assert memory.ask("other.org", CATEGORY, "page", article(9), 3).neighbors == 0


def test_a_window_of_recent_pages_is_all_that_stays(path: str, remember: Remember) -> None:
    memory = remember(path, window=5)
    learn(memory, *range(100))
    assert [page.name for page in memory.pages()] == [f"page {n}" for n in range(95, 100)]
    assert len(memory.neighborhood(SITE)) == 5


@pytest.mark.parametrize("window", [0, -1])
def test_a_window_without_a_place_for_a_page_is_refused(
    path: str, remember: Remember, window: int
) -> None:
    with pytest.raises(ValueError, match=f"window={window}: .* 1 page or more"):
        remember(path, window=window)
    assert not Path(path).exists()


def test_many_categories_do_not_make_a_site_large(path: str, remember: Remember) -> None:
    memory = remember(path, window=3)
    for number in range(200):
        learn(memory, number, category=f"category {number}")
    assert len(memory.pages()) == 3 * SITE_WINDOWS


def test_a_page_that_moves_to_another_category_counts_there_only(remember: Remember) -> None:
    memory = remember()
    learn(memory, 1, 2, 3)
    learn(memory, 3, category="business")
    assert len(memory.neighborhood(SITE, CATEGORY)) == 2
    assert len(memory.neighborhood(SITE, "business")) == 1
    assert len(memory.neighborhood(SITE)) == 3


def test_samples_of_repeated_texts_last(path: str, remember: Remember) -> None:
    first = remember(path)
    learn(first, *range(4))
    first.close()
    assert set(remember(path).neighborhood(SITE).repeated(0.6)) == {(text, 4) for text in MENU}


def test_a_new_template_is_noticed_within_a_few_pages_and_relearned(
    path: str, remember: Remember
) -> None:
    memory = remember(path)
    assert learn(memory, *range(20)) == [""] * 20
    assert learn(memory, *range(20, 26), menu=NEW_MENU) == ["", "", "site", "", "", ""]
    assert support(memory, "page 9", NEW_MENU[0], MENU[0]) == (6, [6, 0])
    assert len(memory.pages()) == 6


def test_the_pages_before_a_new_template_is_noticed_have_no_false_static_text(
    remember: Remember,
) -> None:
    memory = remember()
    learn(memory, *range(20))
    learn(memory, 20, 21, menu=NEW_MENU)
    asked = (*NEW_MENU, "the first paragraph of article 21")
    neighbors, counts = support(memory, "page 21", *asked)
    assert neighbors >= 20
    assert max(counts) <= 1


def test_a_few_odd_pages_among_the_others_are_no_new_template(remember: Remember) -> None:
    memory = remember()
    learn(memory, *range(20))
    for number in range(20, 40, 4):
        assert learn(memory, number, number + 1, menu=NEW_MENU) == ["", ""]
        assert learn(memory, number + 2, number + 3) == ["", ""]
    assert support(memory, "page 99", MENU[0])[1] == [30]


def test_a_waiting_page_comes_back_as_it_was(path: str, remember: Remember) -> None:
    first = remember(path)
    first.begin("job")
    page = waiting(1, body=b"\x00\xffraw bytes", origin={"url": "u", "tags": ["a", 1, None]})
    number, _ = first.arrive(page, "page 1", article(1))
    assert number is not None
    assert first.waiting() == {}
    first.wait(number)
    assert first.waiting() == first.waiting(SITE) == {number: page.url}
    assert first.waiting("other.org") == {}
    assert first.waiting_page(number) == page
    first.done(number)
    assert first.waiting() == {}
    assert first.waiting_page(number) is None


class Story(scrapy.Item):
    url = scrapy.Field()


def test_an_item_of_a_class_comes_back_as_that_class(remember: Remember) -> None:
    memory = remember()
    number, _ = memory.arrive(waiting(1, origin=Story(url="u")), "page", article(1))
    assert number is not None
    page = memory.waiting_page(number)
    assert page is not None
    assert isinstance(page.origin, Story)
    assert page.origin["url"] == "u"


def test_an_item_that_json_cannot_hold_is_not_kept_but_its_page_is_learned(
    remember: Remember,
) -> None:
    memory = remember()
    number, _ = memory.arrive(waiting(1, origin={"body": b"bytes"}), "page", article(1))
    assert number is None
    assert len(memory.neighborhood(SITE)) == 1


def test_a_page_that_fails_in_several_runs_is_given_up(remember: Remember) -> None:
    memory = remember()
    number, _ = memory.arrive(waiting(1), "page", article(1))
    assert number is not None
    assert [memory.failed(number) for _ in range(3)] == [False, False, True]
    assert memory.waiting_page(number) is None


def test_a_changed_article_is_a_new_revision_and_an_unchanged_one_is_none(
    remember: Remember,
) -> None:
    memory = remember()
    assert revise(memory, "a", "a", "1", texts("x")) == 1
    memory.handed_on("a", None)
    assert revise(memory, "a", "a", "1", texts("x")) is None
    assert revise(memory, "a", "a", "2", texts("y")) == 2
    memory.handed_on("a", None)
    assert revise(memory, "a", "a", "1", texts("x")) == 3


def test_a_paragraph_that_goes_is_a_change(remember: Remember) -> None:
    memory = remember()
    revise(memory, "a", "a", "1", texts("x", "y"))
    assert revise(memory, "a", "a", "2", texts("x")) == 2


def test_a_text_that_is_only_judged_otherwise_is_no_change(remember: Remember) -> None:
    memory = remember()
    revise(memory, "a", "a", "1", texts("x", "share this"))
    assert revise(memory, "a", "a", "2", texts("x", around=("share this",))) is None


def test_a_copy_under_another_url_does_not_go_out(remember: Remember) -> None:
    memory = remember()
    assert revise(memory, "a", "a", "1", texts("x")) == 1
    assert revise(memory, "a", "a/print", "2", texts("x", "printed on Monday")) is None


ONE, TWO = f"https://{SITE}/1", f"https://{SITE}/1?ref=home"


def test_the_same_content_under_two_urls_goes_out_under_the_first(remember: Remember) -> None:
    memory = remember()
    assert revise(memory, ONE, ONE, "1", texts("x")) == 1
    assert memory.revise(TWO, TWO, "1", texts("x")) == Duplicate(ONE)
    memory.handed_on(ONE, None)
    assert memory.revise(TWO, TWO, "1", texts("x")) is None
    three = f"{ONE}?ref=mail"
    assert memory.revise(three, three, "1", texts("x")) == Duplicate(ONE)


def test_an_old_copy_of_an_article_does_not_go_out_after_its_next_state(remember: Remember) -> None:
    memory = remember()
    for url, digest, number in (ONE, "1", 1), (TWO, "1", None), (ONE, "2", 2), (TWO, "1", None):
        assert revise(memory, url, url, digest, texts(digest)) == number
        memory.handed_on(url, None)
    assert memory.revise(TWO, TWO, "2", texts("2")) == Duplicate(ONE)


def test_what_only_the_second_url_says_goes_out_under_that(remember: Remember) -> None:
    memory = remember()
    assert revise(memory, ONE, ONE, "1", texts("x")) == 1
    assert revise(memory, TWO, TWO, "1", texts("x")) is None
    assert memory.revise(TWO, TWO, "2", texts("y")) == Outgo(TWO, 1)


def test_an_article_comes_back_to_what_it_said_while_another_url_still_says_it(
    remember: Remember,
) -> None:
    memory = remember()
    for url, digest, number in (TWO, "1", 1), (ONE, "1", None), (ONE, "2", 1), (ONE, "1", 2):
        assert revise(memory, url, url, digest, texts(digest)) == number
        memory.handed_on(url, None)


def test_each_state_of_an_article_with_two_urls_goes_out_once(remember: Remember) -> None:
    memory = remember()
    out = []
    for day, (digest, text) in enumerate([("1", "x"), ("2", "y"), ("1", "x"), ("3", "z")]):
        for url in (ONE, TWO) if day % 2 else (TWO, ONE):
            outgo = memory.revise(url, url, digest, texts(text))
            if isinstance(outgo, Outgo):
                memory.handed_on(outgo.name, None)
                out.append(text)
    assert out == ["x", "y", "x", "z"]


def test_the_same_content_on_another_site_is_an_article_of_that_site(remember: Remember) -> None:
    memory = remember()
    assert revise(memory, ONE, ONE, "1", texts("x")) == 1
    other = "https://other.org/1"
    assert revise(memory, other, other, "1", texts("x")) == 1


def test_pages_without_a_text_are_no_duplicates_of_each_other(remember: Remember) -> None:
    memory = remember()
    assert revise(memory, ONE, ONE, "1", texts()) == 1
    assert revise(memory, TWO, TWO, "1", texts()) == 1


def test_forgetting_a_site_leaves_the_others(remember: Remember) -> None:
    memory = remember()
    learn(memory, 1, 2)
    memory.learn("other.org", "news", "page", article(3))
    revise(memory, f"https://{SITE}/1", f"https://{SITE}/1", "1", texts("x"))
    memory.handed_on(f"https://{SITE}/1", None)
    assert memory.forget(SITE) == 2
    assert memory.sites() == ["other.org"]
    assert len(memory.neighborhood(SITE)) == 0
    assert revise(memory, f"https://{SITE}/1", f"https://{SITE}/1", "1", texts("x")) is None
    memory.forget(SITE, articles=True)
    assert revise(memory, f"https://{SITE}/1", f"https://{SITE}/1", "1", texts("x")) == 1


def test_two_memories_on_one_file_see_each_others_pages(path: str, remember: Remember) -> None:
    one, two = remember(path), remember(path)
    for number in range(0, 20, 2):
        learn(one, number)
        learn(two, number + 1)
    assert len(one.pages()) == 20
    one.close()
    two.close()
    assert support(remember(path), "page 99", MENU[0]) == (20, [20])


def test_an_error_while_writing_leaves_nothing_half_done(path: str, remember: Remember) -> None:
    memory = remember(path)
    page = LearnedPage(SITE, CATEGORY, "page 1", 1.0, article(1).remembered)
    with pytest.raises(sqlite3.Error):
        memory.add_pages([page], {SITE: {1: object()}})  # type: ignore[dict-item]
    assert memory.pages() == []
    learn(memory, 2)
    assert len(remember(path).pages()) == 1


def test_an_article_under_a_wrong_canonical_url_goes_out_under_its_own(remember: Remember) -> None:
    memory = remember()
    assert memory.revise("section", "a", "1", texts("x", "y")) == ("section", 1)
    assert memory.revise("section", "b", "2", texts("v", "w")) == ("b", 1)
    assert memory.revise("section", "b", "2", texts("v", "w")) is None
    assert memory.revise("section", "a?print", "3", texts("x", "y")) is None


@dataclass
class Counted:
    url: str
    length: int = field(init=False, default=0)


def test_an_item_that_cannot_be_made_again_is_not_kept(remember: Remember) -> None:
    memory = remember()
    number, _ = memory.arrive(waiting(1, origin=Counted("u")), "page", article(1))
    assert number is None
