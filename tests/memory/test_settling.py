"""What was in flight to files of a machine that is gone for good can be settled elsewhere."""

from contextlib import closing

import pytest

from newsclean.memory import Memory
from newsclean.memory.article_table import ArticleTable
from newsclean.memory.settling import Settled, hosts, in_flight_elsewhere, settle

from .conftest import Remember
from .pages import SITE, article, stored_page, texts

URLS = [stored_page(number).url for number in range(3)]


@pytest.fixture
def kind(postgresql_server: object) -> str:
    return "postgresql"


def end(path: str, host: str, table: str = "") -> None:
    """A run on a machine that has ended with two articles in flight, and one not extracted yet."""
    with closing(Memory(path, host=host)) as memory:
        if table:
            memory.articles = ArticleTable(memory.database, table)
        memory.start_run("job", ["/out.jsonl"])
        for number, url in enumerate(URLS):
            memory.store_and_learn(stored_page(number), url, article(number))
        for url in URLS[:2]:
            memory.deliveries.add_pending(url, url, url, texts(url))


def is_new(memory: Memory, url: str) -> bool:
    return memory.deliveries.add_pending(url, url, url, texts(url)) is not None


def test_what_was_in_flight_is_new_again_and_its_pages_wait_for_the_next_run(
    path: str, remember: Remember
) -> None:
    end(path, "north")
    south = remember(path, host="south")
    assert (hosts(south), in_flight_elsewhere(south)) == ({"north"}, {"north": 2})
    assert settle(south, "north") == Settled(runs=1, articles=2, alive=0)
    assert in_flight_elsewhere(south) == {}
    south.start_run("job", ["/other.jsonl"], sites=[SITE])
    assert sorted(south.pages.parked().values()) == URLS
    assert [is_new(south, url) for url in URLS] == [True, True, True]
    assert hosts(south) == set()


def test_it_counts_as_delivered_if_that_is_asked_for(path: str, remember: Remember) -> None:
    end(path, "north")
    south = remember(path, host="south")
    assert settle(south, "north", delivered=True) == Settled(runs=1, articles=2, alive=0)
    south.start_run("job", ["/other.jsonl"], sites=[SITE])
    assert [is_new(south, url) for url in URLS] == [False, False, True]


def test_a_second_time_there_is_nothing_to_settle(path: str, remember: Remember) -> None:
    end(path, "north")
    south = remember(path, host="south")
    settle(south, "north", delivered=True)
    assert settle(south, "north") == Settled(runs=0, articles=0, alive=0)
    assert not is_new(south, URLS[0])


def test_other_machines_tables_and_runs_that_are_alive_keep_what_they_have(
    path: str, remember: Remember
) -> None:
    end(path, "west")
    alive = remember(path, host="north")
    alive.start_run("other job", ["/other.jsonl"])
    alive.deliveries.add_pending("https://a.example/", "https://a.example/", "x", texts("x"))
    south = remember(path, host="south")
    assert settle(south, "north") == Settled(runs=0, articles=0, alive=1)
    assert south.deliveries.counts() == {SITE: 2, "a.example": 1}
    assert in_flight_elsewhere(south) == {"west": 2}


def test_what_was_in_flight_to_a_table_needs_no_settling(path: str, remember: Remember) -> None:
    end(path, "north", table="articles")
    south = remember(path, host="south")
    assert in_flight_elsewhere(south) == {}
    assert settle(south, "north") == Settled(runs=0, articles=0, alive=0)
