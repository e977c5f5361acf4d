"""What a memory knows about earlier fetches, and about URL patterns."""

import time

import pytest

from newsclean.memory import Memory, fetches
from newsclean.memory.fetches import Fetch
from newsclean.memory.learned_sites import MAX_PATTERNS, PatternCounts
from newsclean.memory.stored_pages import pack_page

from .conftest import Remember
from .pages import stored_page

URL = "https://example.org/news/rain-in-town-goes-on-4711.html"
MOVED = "https://example.org/news/rain-4711.html"
FETCH = Fetch((URL, MOVED), '"1"', "Sat, 14 Mar 2026 09:26:53 GMT")


def store(memory: Memory, fetch: Fetch = FETCH) -> int:
    packed = pack_page(stored_page(1, url=MOVED, fetch=fetch))
    assert packed is not None
    return memory.pages.add(packed)


def test_validators_are_known_from_the_delivery_on_and_not_before(remember: Remember) -> None:
    memory = remember()
    number = store(memory)
    assert memory.fetches.get(MOVED) is None
    memory.mark_delivered(None, number, published=1000.0)
    last = memory.fetches.get(MOVED)
    assert last is not None
    assert (last.etag, last.last_modified, last.published) == (FETCH.etag, FETCH[2], 1000.0)
    assert last.is_delivered
    requested = memory.fetches.get(URL)  # which was only redirected
    assert requested is not None
    assert requested.etag == requested.last_modified == ""


def test_a_page_that_fails_or_is_parked_leaves_no_trace(remember: Remember) -> None:
    memory = remember()
    number = store(memory)
    memory.pages.park(number)
    memory.pages.mark_failed(number)
    assert memory.fetches.get(URL) is memory.fetches.get(MOVED) is None
    assert memory.patterns.of("example.org") == {}


def test_a_page_that_is_not_an_article_has_no_validators(remember: Remember) -> None:
    memory = remember()
    memory.mark_useless(FETCH, store(memory))
    last = memory.fetches.get(MOVED)
    assert last is not None
    assert (last.etag, last.last_modified, last.is_delivered) == ("", "", False)
    assert memory.pages.counts() == {}


def test_what_no_spider_of_ours_has_requested_leaves_no_trace(remember: Remember) -> None:
    memory = remember()
    memory.mark_delivered(None, store(memory, Fetch()))
    memory.mark_useless(Fetch())
    assert memory.database.query('SELECT * FROM "fetch"') == []
    assert memory.patterns.of("example.org") == {}


def test_a_page_that_was_parked_for_long_was_fetched_when_it_came(remember: Remember) -> None:
    memory = remember()
    memory.mark_delivered(None, store(memory, FETCH._replace(fetched=1000.0)))
    last = memory.fetches.get(URL)
    assert last is not None
    assert last.fetched == last.published == 1000.0


def test_a_date_in_the_future_is_not_believed(remember: Remember) -> None:
    memory = remember()
    memory.fetches.record(FETCH, published=time.time() + 1e6)
    last = memory.fetches.get(URL)
    assert last is not None
    assert last.published <= time.time()


def test_a_url_counts_once_for_its_pattern(remember: Remember) -> None:
    memory = remember()
    for _ in range(3):
        memory.mark_useless(FETCH)
    assert memory.patterns.of("example.org") == {"/news/words-#.html": PatternCounts(0.0, 1.0)}
    memory.mark_delivered(None, store(memory))  # it has become an article
    memory.mark_delivered(None, store(memory))
    assert memory.patterns.of("example.org") == {"/news/words-#.html": PatternCounts(1.0, 1.0)}


def test_one_article_clears_a_pattern() -> None:
    counts = PatternCounts(0.0, 12.0)
    assert counts.is_never_article
    assert counts.is_surely_never_article
    assert not counts.with_page(is_article=True).is_never_article


def test_a_site_that_changes_is_believed_after_a_while() -> None:
    counts = PatternCounts(30.0, 0.0)
    assert counts.is_always_article
    for _ in range(150):
        counts = counts.with_page(is_article=False)
    assert counts.is_surely_never_article


def test_the_url_patterns_of_a_site_are_bounded(remember: Remember) -> None:
    memory = remember()
    for number in range(MAX_PATTERNS + 5):
        letters = "".join(chr(ord("a") + int(digit)) for digit in str(number))
        memory.patterns.count(f"https://example.org/{letters}/who-won-the-cup", is_article=True)
    assert len(memory.patterns.of("example.org")) == MAX_PATTERNS


def test_of_too_many_urls_of_a_site_those_not_seen_lately_are_forgotten(
    remember: Remember,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fetches, "MAX_FETCHES", 3)
    memory = remember()
    urls = [f"https://example.org/{number}" for number in range(5)]
    other = "https://other.example/1"
    for url in [other, *urls]:
        memory.fetches.record(Fetch((url,)))
    for age, url in enumerate(reversed(urls)):
        days_ago = time.time() - (age + 2) * fetches.SEEN_EVERY
        memory.database.execute('UPDATE "fetch" SET seen = ? WHERE url = ?', (days_ago, url))
    oldest = memory.fetches.get(urls[0])
    assert oldest is not None
    memory.fetches.mark_seen(urls[0], oldest)
    memory.start_run("news example.org")
    left = {url for url in [other, *urls] if memory.fetches.get(url)}
    assert left == {other, urls[0], urls[3], urls[4]}


def test_a_url_that_is_seen_again_within_a_day_costs_no_write(remember: Remember) -> None:
    memory = remember()
    memory.fetches.record(FETCH)
    last = memory.fetches.get(URL)
    assert last is not None
    memory.fetches.mark_seen(URL, last)
    assert memory.fetches.get(URL) == last


def test_a_site_is_forgotten_with_its_url_patterns_and_on_demand_with_its_fetches(
    remember: Remember,
) -> None:
    memory = remember()
    memory.mark_useless(FETCH)
    memory.forget("example.org")
    assert memory.patterns.of("example.org") == {}
    assert memory.fetches.get(URL) is not None
    memory.forget("example.org", articles=True)
    assert memory.fetches.get(URL) is None
