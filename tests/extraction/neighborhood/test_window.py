"""One neighborhood: what it counts, what it leaves out, what it forgets."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsclean import Neighborhood, Page
from newsclean.extraction.methods.chain import text_keys
from newsclean.extraction.neighborhood import MAX_KEYS, KeyWindow, NeighborSupport

FOOTER = "<div>© 2026 Example Times. All rights reserved.</div>"
TOWNS = ("Bergen", "Oslo", "Bodø", "Moss", "Narvik", "Hamar")


def story(town: str, around: str = FOOTER) -> str:
    return (
        f"<p>It has rained in {town} for nine days, and the river there is at a record.</p>"
        f"<p>The mayor of {town} says that no help is near, and asks people to stay at home.</p>"
        f"{around}"
    )


def url(town: str) -> str:
    return f"https://example.org/{town}"


def neighborhood(towns: tuple[str, ...] = TOWNS) -> Neighborhood:
    hood = Neighborhood()
    for town in towns:
        hood.learn(story(town), url(town))
    return hood


def ask(hood: Neighborhood, page: Page | str, name: str | None = None) -> NeighborSupport:
    page = Page.from_html(page) if isinstance(page, str) else page
    neighbors = hood.evidence_on(page, name).neighbors
    assert neighbors is not None
    return neighbors


def support(hood: Neighborhood, html: str, name: str | None = None) -> tuple[int, dict[str, int]]:
    known = ask(hood, html, name)
    texts = [text.split(" ")[0] + "…" for text in known.keys.samples]
    return known.count, dict(zip(texts, known.texts.tolist(), strict=True))


def test_what_all_neighbors_repeat_has_their_number_and_news_has_none() -> None:
    assert support(neighborhood(), story("Tromsø"), url("Tromsø")) == (
        6,
        {"It…": 0, "The…": 0, "©…": 6},
    )


def test_a_text_that_stands_twice_on_a_page_counts_once() -> None:
    hood = Neighborhood()
    hood.learn(story("Bergen", FOOTER * 3), url("Bergen"))
    assert support(hood, story("Oslo"), url("Oslo"))[1]["©…"] == 1


def test_a_page_is_not_its_own_neighbor() -> None:
    for name in (url("Oslo"), None):  # by its URL, or by what it says
        assert support(neighborhood(), story("Oslo"), name) == (
            5,
            {"It…": 0, "The…": 0, "©…": 5},
        )


def test_a_page_that_came_without_a_url_is_known_by_what_it_says() -> None:
    hood = Neighborhood()
    for town in ("Bergen", "Bergen", "Oslo"):
        hood.learn(story(town))
    assert len(hood) == 2
    assert support(hood, story("Bergen"))[0] == 1


def test_a_copy_under_another_url_is_no_neighbor() -> None:
    hood = neighborhood()
    hood.learn(story("Tromsø"), f"{url('Tromsø')}?utm_source=home")
    neighbors, counts = support(hood, story("Tromsø"), url("Tromsø"))
    assert (neighbors, counts["It…"], counts["©…"]) == (6, 0, 6)


def test_a_print_version_in_another_template_is_no_neighbor() -> None:
    hood = neighborhood()
    hood.learn(story("Tromsø", "<p>Printed from example.org</p>"), "https://example.org/print/7")
    neighbors, counts = support(hood, story("Tromsø"), url("Tromsø"))
    assert (neighbors, counts["It…"]) == (6, 0)


def test_all_copies_are_left_out_not_only_the_first() -> None:
    hood = neighborhood(tuple(f"Town{n}" for n in range(15)))
    for variant in ("amp", "print", "share"):
        hood.learn(story("Tromsø", f"<p>{variant}</p>"), f"{url('Tromsø')}/{variant}")
    neighbors, counts = support(hood, story("Tromsø"), url("Tromsø"))
    assert (neighbors, counts["It…"], counts["©…"]) == (15, 0, 15)


def test_pages_that_share_only_the_sites_texts_are_no_copies() -> None:
    menu = "".join(f"<li>Entry {n} of a long menu that stands on all pages</li>" for n in range(40))
    hood = Neighborhood()
    for town in TOWNS:
        hood.learn(story(town, menu), url(town))
    known = ask(hood, (story("Tromsø", menu)), url("Tromsø"))
    assert known.count == 6


def test_asking_teaches_nothing() -> None:
    hood = neighborhood()
    ask(hood, (story("Tromsø")), url("Tromsø"))
    assert len(hood) == 6
    assert support(hood, story("Tromsø"), url("Vardø"))[1]["It…"] == 0


@pytest.mark.parametrize("window", [0, -1])
def test_a_window_without_a_place_for_a_page_is_refused(window: int) -> None:
    with pytest.raises(ValueError, match=f"window={window}: .* 1 page or more"):
        Neighborhood(window=window)


def test_the_oldest_pages_and_their_template_are_forgotten() -> None:
    hood = Neighborhood(window=3)
    for town in TOWNS[:3]:
        hood.learn(story(town, "<div>The old footer</div>"), url(town))
    for town in TOWNS[3:]:
        hood.learn(story(town, "<div>The new footer</div>"), url(town))
    assert len(hood) == 3
    assert hood.repeated(0.5) == [("The new footer", 3)]
    old = support(hood, story("Tromsø", "<div>The old footer</div>"), url("Tromsø"))
    assert old == (3, {"It…": 0, "The…": 0})  # both begin with The: the mayor, the footer


def test_a_page_under_a_known_url_takes_the_place_of_the_earlier_one() -> None:
    hood = Neighborhood()
    hood.learn(story("Bergen", "<div>The old footer</div>"), url("x"))
    hood.learn(story("Oslo", "<div>The new footer</div>"), url("x"))
    assert len(hood) == 1
    known = ask(hood, ("<div>The old footer</div><div>The new footer</div>"))
    assert known.texts.tolist() == [0, 1]


def test_a_page_that_was_removed_leaves_nothing_behind() -> None:
    hood = neighborhood()
    for town in TOWNS:
        hood.remove(url(town))
    assert len(hood) == 0
    assert hood.repeated(0) == []
    assert support(hood, story("Oslo"), url("Oslo"))[1]["©…"] == 0


def test_no_page_however_large_makes_the_memory_large() -> None:
    page = Page.from_html("".join(f"<p>Entry {n}</p>" for n in range(2 * MAX_KEYS)))
    assert len(text_keys(page).remembered) == MAX_KEYS


def test_large_pages_still_agree_on_what_they_repeat() -> None:
    def large(name: str, entries: range) -> str:
        return "".join(f"<p>Entry {n}</p>" for n in entries) + f"<p>{name} is the news of today"

    hood = Neighborhood()
    for town in TOWNS:
        hood.learn(large(town, range(5000)), url(town))
    known = ask(hood, (large("Tromsø", range(5000))), url("Tromsø"))
    assert known.count == 6
    assert int((known.texts == 6).sum()) >= MAX_KEYS - len(TOWNS)


def test_repeated_texts_are_told_most_frequent_first_and_cut_to_a_sample() -> None:
    hood = Neighborhood()
    hood.learn(story("Bergen", FOOTER + f"<p>{'long ' * 100}</p>"), url("Bergen"))
    hood.learn(story("Oslo", FOOTER + f"<p>{'long ' * 100}</p>"), url("Oslo"))
    hood.learn(story("Moss"), url("Moss"))
    (footer, three), (sample, two) = hood.repeated(0.5)
    assert (footer, three, two) == ("© 2026 Example Times. All rights reserved.", 3, 2)
    assert sample.startswith("long long")
    assert len(sample) == 120
    assert hood.repeated(1.0) == [(footer, 3)]


def test_a_text_of_a_single_page_is_never_told_as_repeated() -> None:
    assert neighborhood(("Bergen",)).repeated(0) == []


def test_an_empty_neighborhood_knows_nothing() -> None:
    assert support(Neighborhood(), story("Oslo")) == (0, {"It…": 0, "The…": 0, "©…": 0})


def test_a_page_without_text_can_be_learned_and_asked() -> None:
    hood = neighborhood()
    hood.learn("<img src=/x.jpg>", url("empty"))
    known = ask(hood, ("<img src=/y.jpg>"), url("other"))
    assert known.texts.tolist() == []
    assert known.count == 7


@pytest.mark.parametrize("keying", ["block", "element"])
def test_both_ways_of_keying_leave_copies_out(keying: str) -> None:
    hood = Neighborhood("stadynot" if keying == "block" else "stadynot:paper")
    for town in TOWNS:
        hood.learn(story(town), url(town))
    hood.learn(story("Tromsø"), "https://example.org/print/7")
    assert support(hood, story("Tromsø"), url("Tromsø"))[0] == 6


def template(name: str) -> str:
    return "".join(f"<li>{name} {word}</li>" for word in "News Sport Culture Science Help".split())


def test_a_new_template_ends_the_old_one_when_no_page_of_that_comes_any_more() -> None:
    hood = Neighborhood()
    for town in TOWNS:
        hood.learn(story(town, template("Old")), url(town))
    new = [f"Town{number}" for number in range(10)]
    for number, town in enumerate(new):
        assert len(hood) == len(TOWNS) + number
        hood.learn(story(town, template("New")), url(town))
    assert hood.names == [url(town) for town in new]
    assert all(text.startswith("New") for text, _ in hood.repeated(0.6))


def test_odd_pages_now_and_then_are_no_new_template() -> None:
    hood = Neighborhood()
    for town in TOWNS:
        hood.learn(story(town, template("Old")), url(town))
    for number in range(6):
        hood.learn(story(f"Town{number}", template("Odd")), url(f"{number} odd"))
        hood.learn(story(f"Town{number}", template("Old")), url(f"{number} old"))
    assert len(hood) == len(TOWNS) + 12


pages = st.lists(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6), min_size=1, max_size=8
)


def learned(contents: list[tuple[int, list[str]]]) -> Neighborhood:
    hood = Neighborhood()
    for number, lines in contents:
        text = "".join(f"<p>{line}" for line in lines)
        hood.learn(text + template("All"), url(str(number)))
    return hood


@settings(max_examples=60, deadline=None)
@given(pages, st.randoms(use_true_random=False), st.lists(st.sampled_from("abcdefghi"), min_size=1))
def test_the_order_of_learning_pages_of_one_template_does_not_matter(
    contents: list[list[str]], random: Random, lines: list[str]
) -> None:
    numbered = list(enumerate(contents))
    shuffled = random.sample(numbered, len(numbered))
    page = Page.from_html("".join(f"<p>{line}" for line in lines))
    one, other = (learned(order) for order in (numbered, shuffled))
    assert one.repeated(0.3) == other.repeated(0.3)
    a, b = ask(one, page, url("asked")), ask(other, page, url("asked"))
    assert (a.count, a.texts.tolist()) == (b.count, b.texts.tolist())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.sets(st.sampled_from("abcdef"), min_size=1))))
def test_counts_are_those_of_the_pages_in_the_window(seen: list[tuple[int, set[str]]]) -> None:
    """Whatever was learned, replaced and forgotten on the way."""
    hood = Neighborhood(window=3)
    window: dict[int, set[str]] = {}
    for number, lines in seen:
        hood.learn("".join(f"<p>{line}" for line in sorted(lines)), url(str(number)))
        window.pop(number, None)
        window[number] = lines
        window = dict(list(window.items())[-3:])
    expected = {
        line: count
        for line in "abcdef"
        if (count := sum(line in lines for lines in window.values())) > 1
    }
    assert dict(hood.repeated(0)) == expected
    known = ask(hood, ("<p>zzz" + "".join(f"<p>{line}" for line in "abcdef")))
    assert (known.texts >= 0).all()
    assert len(hood) == len(window)


def test_what_neighbors_knew_of_a_page_stays_as_it_was_when_they_forget() -> None:
    """The pages of a window change while another thread works with what it was told."""
    hood = Neighborhood(window=5)
    for town in TOWNS[:5]:
        hood.learn(story(town), url(town))
    hood.learn(story("Tromsø"), url("print/Tromsø"))  # a copy, which is not a neighbor
    known = ask(hood, story("Tromsø"), url("Tromsø"))
    before = (known.count, known.texts.tolist(), known.slots.tolist())
    assert max(before[2]) == 4
    for number in range(5):
        hood.learn(f"<p>Another page, number {number}, of another template", url(str(number)))
    assert (known.count, known.texts.tolist(), known.slots.tolist()) == before
    assert min(before[2]) >= 0


def test_a_page_that_was_learned_is_told_the_same_as_if_it_were_counted_anew() -> None:
    window = KeyWindow(5)
    pages = [text_keys(Page.from_html(story(town))) for town in TOWNS]
    for town, keys in zip(TOWNS, pages, strict=True):
        window.add(url(town), keys)
    for town, keys in zip(TOWNS, pages, strict=True):
        again = text_keys(Page.from_html(story(town)))
        assert again.remembered is not keys.remembered
        known, anew = (window.support_for(found, url(town)) for found in (keys, again))
        assert known.count == anew.count
        assert known.texts.tolist() == anew.texts.tolist()
