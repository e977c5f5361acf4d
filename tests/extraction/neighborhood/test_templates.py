"""Several templates of one site: each page is compared with those of its own."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean.extraction.neighborhood import MIN_MISSED_PAGES, KeyWindow, NeighborSupport, PageKeys
from tests.memory.pages import keys

COMMON = tuple(f"About us {n}" for n in range(3))


def page(number: int, template: str) -> PageKeys:
    """A page with ten texts of its template, three of all templates and two of its own."""
    menu = [f"{template} menu {n}" for n in range(10)]
    return keys(*COMMON, *menu, f"What happened, part {number}", f"Who said it: {number}")


class Site:
    """Pages that come one after the other, each named by its number and template."""

    def __init__(self, window: int = 50) -> None:
        self.hood = KeyWindow(window)
        self.seen: list[tuple[int, str]] = []
        #: the templates of the pages that were forgotten at each alarm
        self.alarms: list[set[str]] = []

    def learn(self, templates: str) -> None:
        for template in templates:
            number = len(self.seen)
            self.seen.append((number, template))
            self.hood.add(f"{number} {template}", page(number, template))
            ended = self.hood.ended_template()
            if ended:
                self.alarms.append({name.split()[1] for name in ended})
            for name in ended:
                self.hood.remove(name)

    def support(self, number: int, template: str) -> NeighborSupport:
        return self.hood.support_for(page(number, template), f"{number} {template}")


def counts(support: NeighborSupport) -> tuple[int, list[int]]:
    """The number of neighbors, and the support of a common text, one of the template, one own."""
    texts = support.texts.tolist()
    return support.count, [texts[0], texts[3], texts[-1]]


def test_templates_side_by_side_raise_no_alarm_and_each_page_is_compared_with_its_own() -> None:
    site = Site()
    site.learn("AB" * 20)
    assert site.alarms == []
    assert len(site.hood) == 40
    for number, template in site.seen:
        assert counts(site.support(number, template)) == (19, [19, 19, 0])
    assert counts(site.support(99, "A")) == (20, [20, 20, 0])


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("others", ["B", "BA", "BAAAA"])
def test_templates_that_come_as_it_happens_raise_no_alarm(seed: int, others: str) -> None:
    rng = Random(f"{seed} {others}")
    site = Site()
    site.learn("".join(rng.choice("A" + others) for _ in range(120)))
    assert site.alarms == []
    assert len(site.hood) == 50


def test_a_few_live_blogs_in_a_row_are_no_new_template() -> None:
    site = Site()
    site.learn("A" * 20 + "B" * 5 + "A" * 10 + "B" * 8 + "A")
    assert site.alarms == []
    assert counts(site.support(99, "A")) == (31, [31, 31, 0])
    assert counts(site.support(99, "B")) == (13, [13, 13, 0])


@pytest.mark.parametrize("before", [6, 20, 70])
def test_a_template_that_ends_and_another_that_begins_raise_one_alarm(before: int) -> None:
    site = Site()
    site.learn("A" * before + "B" * (MIN_MISSED_PAGES - 1))
    assert site.alarms == []
    site.learn("B")
    assert site.alarms == [{"A"}]
    assert site.hood.names == [f"{before + n} B" for n in range(MIN_MISSED_PAGES)]
    site.learn("B" * 80)
    assert len(site.alarms) == 1


def test_of_two_templates_the_one_that_ends_is_forgotten_and_the_other_stays() -> None:
    site = Site()
    site.learn("AB" * 12 + "B" * 30)
    assert site.alarms == [{"A"}]
    assert {name.split()[1] for name in site.hood.names} == {"B"}
    assert len(site.hood) > 30


def test_a_rare_template_that_does_not_come_again_is_no_alarm() -> None:
    site = Site()
    site.learn("A" * 20 + "B" * 5 + "A" * 60)
    assert site.alarms == []


def test_the_texts_of_a_new_template_count_before_the_old_one_has_gone() -> None:
    site = Site()
    site.learn("A" * 20 + "B" * 4)
    assert counts(site.support(23, "B")) == (3, [3, 3, 0])


def test_a_template_with_hardly_any_page_is_compared_with_all() -> None:
    site = Site()
    site.learn("A" * 20 + "B" * 3)
    support = site.support(22, "B")
    assert support.count >= 20
    assert max(support.texts[len(COMMON) :]) <= 2


def test_a_copy_in_another_template_changes_nothing() -> None:
    site = Site()
    site.learn("A" * 10)
    site.hood.add("print", keys(*page(3, "Print").samples))
    assert counts(site.support(3, "A")) == (9, [9, 9, 0])


def test_a_long_page_with_two_copies_is_compared_with_its_own_template() -> None:
    site = Site()
    site.learn("AB" * 10)
    long = keys(*page(99, "A").samples, *(f"Paragraph {n} of a long story" for n in range(60)))
    for name in ("long", "long?print", "long?share"):
        site.hood.add(name, long)
    support = site.hood.support_for(long, "long")
    assert (support.count, support.texts[3]) == (10, 10)


def test_pages_of_a_rare_template_are_not_copies_of_each_other() -> None:
    site = Site()
    site.learn("A" * 40 + "B" * 5)
    assert site.support(99, "B").count == 5


def test_pages_that_share_hardly_anything_are_of_no_template() -> None:
    hood = KeyWindow()
    for number in range(30):
        hood.add(str(number), keys("Contact", f"{number} is news", f"and {number} as well"))
        assert hood.ended_template() == []
    assert counts(hood.support_for(keys("Contact", "x", "y", "z"), "asked")) == (30, [30, 0, 0])


@settings(max_examples=40, deadline=None)
@given(st.text("ABC", min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_a_neighborhood_is_the_same_however_it_was_made(templates: str, random: Random) -> None:
    """Learned page by page, restored from what it has left, or in another order."""
    site = Site(window=30)
    site.learn(templates)
    left = [(name, page(int(name.split()[0]), name.split()[1])) for name in site.hood.names]
    restored, shuffled = KeyWindow(30), KeyWindow(30)
    for name, content in left:
        restored.restore(name, content.remembered)
    for name, content in random.sample(left, len(left)):
        shuffled.restore(name, content.remembered)
    assert restored.ended_template() == site.hood.ended_template() == []
    for asked in (*site.seen[-5:], (99, "A"), (99, "D")):
        name = f"{asked[0]} {asked[1]}"
        one, *others = (
            hood.support_for(page(*asked), name) for hood in (site.hood, restored, shuffled)
        )
        for other in others:
            assert (other.count, other.texts.tolist()) == (one.count, one.texts.tolist())


def test_what_would_come_next_is_an_alarm_in_a_restored_neighborhood_too() -> None:
    site = Site()
    site.learn("A" * 20 + "B" * (MIN_MISSED_PAGES - 1))
    restored = KeyWindow()
    for number, template in site.seen:
        restored.restore(f"{number} {template}", page(number, template).remembered)
    restored.add("next", page(99, "B"))
    assert restored.ended_template() == [f"{number} A" for number in range(20)]
