"""Each state of an article is delivered once."""

from newsclean.memory import Memory
from newsclean.memory.deliveries import Duplicate, PendingDelivery
from newsclean.memory.revisions import Texts

from .conftest import Remember
from .pages import SITE, texts

ONE, TWO = f"https://{SITE}/1", f"https://{SITE}/1?ref=home"


def revise(memory: Memory, name: str, url: str, digest: str, content: Texts) -> int | None:
    delivery = memory.deliveries.add_pending(name, url, digest, content)
    return delivery.revision if isinstance(delivery, PendingDelivery) else None


def test_a_changed_article_is_a_new_revision_and_an_unchanged_one_is_none(
    remember: Remember,
) -> None:
    memory = remember()
    assert revise(memory, "a", "a", "1", texts("x")) == 1
    memory.mark_delivered("a", None)
    assert revise(memory, "a", "a", "1", texts("x")) is None
    assert revise(memory, "a", "a", "2", texts("y")) == 2
    memory.mark_delivered("a", None)
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
    assert revise(memory, ONE, ONE, "1", texts("x")) == 1
    assert revise(memory, ONE, f"{ONE}/print", "2", texts("x", "printed on Monday")) is None


def test_the_same_content_under_two_urls_goes_out_under_the_first(remember: Remember) -> None:
    memory = remember()
    assert revise(memory, ONE, ONE, "1", texts("x")) == 1
    assert memory.deliveries.add_pending(TWO, TWO, "1", texts("x")) == Duplicate(ONE)
    memory.mark_delivered(ONE, None)
    assert memory.deliveries.add_pending(TWO, TWO, "1", texts("x")) is None
    three = f"{ONE}?ref=mail"
    assert memory.deliveries.add_pending(three, three, "1", texts("x")) == Duplicate(ONE)


def test_an_old_copy_of_an_article_does_not_go_out_after_its_next_state(remember: Remember) -> None:
    memory = remember()
    for url, digest, number in (ONE, "1", 1), (TWO, "1", None), (ONE, "2", 2), (TWO, "1", None):
        assert revise(memory, url, url, digest, texts(digest)) == number
        memory.mark_delivered(url, None)
    assert memory.deliveries.add_pending(TWO, TWO, "2", texts("2")) == Duplicate(ONE)


def test_what_only_the_second_url_says_goes_out_under_that(remember: Remember) -> None:
    memory = remember()
    assert revise(memory, ONE, ONE, "1", texts("x")) == 1
    assert revise(memory, TWO, TWO, "1", texts("x")) is None
    assert memory.deliveries.add_pending(TWO, TWO, "2", texts("y")) == PendingDelivery(TWO, 1)


def test_an_article_comes_back_to_what_it_said_while_another_url_still_says_it(
    remember: Remember,
) -> None:
    memory = remember()
    for url, digest, number in (TWO, "1", 1), (ONE, "1", None), (ONE, "2", 1), (ONE, "1", 2):
        assert revise(memory, url, url, digest, texts(digest)) == number
        memory.mark_delivered(url, None)


def test_each_state_of_an_article_with_two_urls_goes_out_once(remember: Remember) -> None:
    memory = remember()
    out = []
    for day, (digest, text) in enumerate([("1", "x"), ("2", "y"), ("1", "x"), ("3", "z")]):
        for url in (ONE, TWO) if day % 2 else (TWO, ONE):
            delivery = memory.deliveries.add_pending(url, url, digest, texts(text))
            if isinstance(delivery, PendingDelivery):
                memory.mark_delivered(delivery.name, None)
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


def test_an_article_under_a_wrong_canonical_url_goes_out_under_its_own(remember: Remember) -> None:
    memory = remember()
    section, a, b = (f"https://{SITE}/{path}" for path in ("section", "a", "b"))
    deliveries = memory.deliveries
    assert deliveries.add_pending(section, a, "1", texts("x", "y")) == (section, 1)
    assert deliveries.add_pending(section, b, "2", texts("v", "w")) == (b, 1)
    assert deliveries.add_pending(section, b, "2", texts("v", "w")) is None
    assert deliveries.add_pending(section, f"{a}?print", "3", texts("x", "y")) is None


def test_an_article_that_calls_no_url_its_own_is_known_by_its_url(remember: Remember) -> None:
    assert remember().deliveries.add_pending(None, ONE, "1", texts("x")) == (ONE, 1)
