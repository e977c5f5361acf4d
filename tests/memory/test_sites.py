"""What a memory learns of the sites, and for how long."""

import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest

from newsclean.memory import Memory
from newsclean.memory.learned_sites import MAX_SITE_WINDOWS, LearnedPage

from .conftest import Remember
from .pages import CATEGORY, MENU, NEW_MENU, SITE, article, keys


def learn(memory: Memory, *numbers: int, category: str = CATEGORY, **kind: Any) -> list[str]:
    return [memory.sites.learn(SITE, category, f"page {n}", article(n, **kind)) for n in numbers]


def support(memory: Memory, name: str, *content: str, enough: int = 3) -> tuple[int, list[int]]:
    known = memory.sites.support_for(SITE, CATEGORY, name, keys(*content), enough)
    return known.count, known.texts.tolist()


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
    known = memory.sites.support_for(SITE, CATEGORY, "page 9", article(9), 3)
    assert (known.scope, known.count) == ("site", 5)
    learn(memory, 6)
    known = memory.sites.support_for(SITE, CATEGORY, "page 9", article(9), 3)
    assert (known.scope, known.count) == ("category", 3)


def test_other_sites_know_nothing_of_each_other(remember: Remember) -> None:
    memory = remember()
    learn(memory, *range(5))
    assert memory.sites.support_for("other.org", CATEGORY, "page", article(9), 3).count == 0


def test_a_window_of_recent_pages_is_all_that_stays(path: str, remember: Remember) -> None:
    memory = remember(path, window=5)
    learn(memory, *range(100))
    assert [page.name for page in memory.sites.learned_pages()] == [
        f"page {n}" for n in range(95, 100)
    ]
    assert len(memory.sites.neighborhood(SITE)) == 5


@pytest.mark.parametrize("window", [0, -1])
def test_a_window_without_a_place_for_a_page_is_refused(
    path: str, remember: Remember, window: int
) -> None:
    with pytest.raises(ValueError, match=f"window={window}: .* 1 page or more"):
        remember(path, window=window)


def test_a_refused_window_leaves_no_file(tmp_path: Path, remember: Remember) -> None:
    with pytest.raises(ValueError, match="1 page or more"):
        remember(str(tmp_path / "memory.sqlite"), window=0)
    assert not list(tmp_path.iterdir())


def test_many_categories_do_not_make_a_site_large(path: str, remember: Remember) -> None:
    memory = remember(path, window=3)
    for number in range(200):
        learn(memory, number, category=f"category {number}")
    assert len(memory.sites.learned_pages()) == 3 * MAX_SITE_WINDOWS


def test_a_page_that_moves_to_another_category_counts_there_only(remember: Remember) -> None:
    memory = remember()
    learn(memory, 1, 2, 3)
    learn(memory, 3, category="business")
    assert len(memory.sites.neighborhood(SITE, CATEGORY)) == 2
    assert len(memory.sites.neighborhood(SITE, "business")) == 1
    assert len(memory.sites.neighborhood(SITE)) == 3


def test_samples_of_repeated_texts_last(path: str, remember: Remember) -> None:
    first = remember(path)
    learn(first, *range(4))
    first.close()
    assert set(remember(path).sites.neighborhood(SITE).repeated(0.6)) == {
        (text, 4) for text in MENU
    }


def test_a_new_template_is_noticed_within_a_few_pages_and_relearned(
    path: str, remember: Remember
) -> None:
    first = remember(path)
    assert learn(first, *range(20)) == [""] * 20
    first.close()
    memory = remember(path)
    noticed = learn(memory, *range(20, 33), menu=NEW_MENU)
    assert noticed == [*[""] * 9, "site", "", "", ""]
    assert support(memory, "page 9", NEW_MENU[0], MENU[0]) == (13, [13, 0])
    assert len(memory.sites.learned_pages()) == 13


def test_a_new_template_is_noticed_though_each_run_sees_one_page(
    path: str, remember: Remember
) -> None:
    first = remember(path)
    learn(first, *range(20))
    first.close()
    noticed = []
    for number in range(20, 32):
        memory = remember(path)
        noticed += learn(memory, number, menu=NEW_MENU)
        memory.close()
    assert noticed == [*[""] * 9, "site", "", ""]


def test_templates_side_by_side_are_no_new_template(remember: Remember) -> None:
    memory = remember()
    for number in range(0, 60, 2):
        assert learn(memory, number) == [""]
        assert learn(memory, number + 1, menu=NEW_MENU) == [""]
    assert support(memory, "page 99", *NEW_MENU) == (25, [25] * len(NEW_MENU))
    assert support(memory, "page 99", *MENU) == (25, [25] * len(MENU))


def test_the_templates_of_a_first_run_replace_none_in_whatever_order_they_come(
    path: str, remember: Remember
) -> None:
    first = remember(path)
    assert set(learn(first, *range(20))) == {""}
    assert set(learn(first, *range(20, 45), menu=NEW_MENU)) == {""}
    first.close()
    second = remember(path)
    assert set(learn(second, *range(45, 50), menu=NEW_MENU)) == {""}
    assert support(second, "page 99", *MENU) == (20, [20] * len(MENU))


def test_a_template_that_no_later_run_sees_is_replaced_also_if_another_came_after_it(
    path: str, remember: Remember
) -> None:
    first = remember(path)
    learn(first, *range(20))
    learn(first, *range(20, 30), menu=NEW_MENU)
    first.close()
    noticed = learn(remember(path), *range(30, 50), menu=NEW_MENU)
    assert [alarm for alarm in noticed if alarm] == ["site"]


def test_a_category_with_another_template_is_no_new_template_of_the_site(
    remember: Remember,
) -> None:
    memory = remember()
    learn(memory, *range(20))
    assert set(learn(memory, *range(20, 60), category="live", menu=NEW_MENU)) == {""}
    assert learn(memory, 60, 61) == ["", ""]
    assert support(memory, "page 99", *MENU) == (22, [22] * len(MENU))


def test_a_new_template_of_a_category_leaves_the_others_alone(
    path: str, remember: Remember
) -> None:
    first = remember(path)
    learn(first, *range(20))
    learn(first, *range(20, 40), category="live")
    first.close()
    memory = remember(path)
    noticed = []
    for number in range(40, 64, 2):
        noticed += learn(memory, number, menu=NEW_MENU)
        assert learn(memory, number + 1, category="live") == [""]
    assert [alarm for alarm in noticed if alarm] == ["category"]
    assert len(memory.sites.neighborhood(SITE, CATEGORY)) == 12
    assert len(memory.sites.neighborhood(SITE, "live")) == 32


def test_a_new_template_of_the_site_is_noticed_once_and_ends_the_old_one_everywhere(
    path: str, remember: Remember
) -> None:
    first = remember(path, window=20)
    for number, category in enumerate(("sport", "business", "culture") * 20):
        learn(first, number, category=category)
    first.close()
    memory = remember(path, window=20)
    noticed = []
    for number, category in enumerate(("sport", "business", "culture") * 15, 60):
        noticed += learn(memory, number, category=category, menu=NEW_MENU)
    assert [alarm for alarm in noticed if alarm] == ["site"]
    assert {page.name for page in memory.sites.learned_pages()} == {
        f"page {number}" for number in range(60, 105)
    }


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


def test_two_memories_on_one_file_see_each_others_pages(path: str, remember: Remember) -> None:
    one, two = remember(path), remember(path)
    for number in range(0, 20, 2):
        learn(one, number)
        learn(two, number + 1)
    assert len(one.sites.learned_pages()) == 20
    one.close()
    two.close()
    assert support(remember(path), "page 99", MENU[0]) == (20, [20])


def test_an_error_while_writing_leaves_nothing_half_done(path: str, remember: Remember) -> None:
    memory = remember(path)
    page = LearnedPage(SITE, CATEGORY, "page 1", 1.0, article(1).remembered)
    with pytest.raises((sqlite3.Error, psycopg.Error)):
        memory.sites.add_pages([page], {SITE: {1: object()}})  # type: ignore[dict-item]
    assert memory.sites.learned_pages() == []
    learn(memory, 2)
    assert len(remember(path).sites.learned_pages()) == 1
