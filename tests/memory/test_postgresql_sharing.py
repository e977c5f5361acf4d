"""A memory in PostgreSQL that several processes and machines share."""

import subprocess
import sys
import threading
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from newsclean.memory import Memory
from newsclean.memory.postgresql_schema import ArticleTable

from .conftest import Remember
from .pages import CATEGORY, MENU, SITE, article, keys, stored_page, texts

URL = f"https://{SITE}/1"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def kind(postgresql_server: object) -> str:
    return "postgresql"


@pytest.fixture
def two(path: str, remember: Remember) -> tuple[Memory, Memory]:
    return remember(path), remember(path)


def test_a_site_is_written_by_one_at_a_time_and_others_meanwhile(
    two: tuple[Memory, Memory],
) -> None:
    one, other = two
    is_inside, may_end = threading.Event(), threading.Event()
    order = []

    def hold() -> None:
        is_inside.set()
        may_end.wait(60)
        order.append("held")

    holding = threading.Thread(target=one.database.atomically, args=(hold, f"www.{SITE}"))
    holding.start()
    assert is_inside.wait(60)
    other.database.atomically(lambda: order.append("other site"), "example.net")
    waiting = threading.Thread(
        target=other.database.atomically, args=(lambda: order.append("same site"), SITE)
    )
    waiting.start()
    waiting.join(0.3)
    may_end.set()
    holding.join(60)
    waiting.join(60)
    assert order == ["other site", "held", "same site"]


def test_two_processes_agree_on_what_is_new(path: str) -> None:
    """Each offers the same articles, in another order; each is accepted once."""
    script = """
import sys
from newsclean.memory import Memory
from tests.memory.pages import texts

memory = Memory(sys.argv[1])
memory.start_run(sys.argv[2])
for number in range(60)[:: int(sys.argv[3])]:
    url = f"https://example.org/{number}"
    if memory.deliveries.add_pending(url, url, f"hash {number}", texts(f"{number}")):
        print(number)
        memory.mark_delivered(url, None)
memory.close()
"""
    command = [sys.executable, "-c", script, path]
    with ExitStack() as stack:
        runs = [
            stack.enter_context(
                subprocess.Popen([*command, job, step], cwd=ROOT, stdout=subprocess.PIPE, text=True)
            )
            for job, step in (("one", "1"), ("two", "-1"))
        ]
        told = [run.communicate(timeout=120)[0].split() for run in runs]
    assert sorted(map(int, told[0] + told[1])) == list(range(60))


def test_neighborhoods_see_what_other_processes_learn(two: tuple[Memory, Memory]) -> None:
    one, other = two
    one.sites.learn(SITE, CATEGORY, "page 0", article(0))
    for number in range(1, 5):
        other.sites.learn(SITE, CATEGORY, f"page {number}", article(number))
    known = one.sites.support_for(SITE, CATEGORY, "asked", keys(MENU[0]), 3)
    assert (known.count, known.texts.tolist()) == (5, [5])
    other.forget(SITE)
    assert one.sites.support_for(SITE, CATEGORY, "asked", keys(MENU[0]), 3).count == 0


def test_a_page_that_is_imported_anew_is_the_newest(two: tuple[Memory, Memory]) -> None:
    memory, _ = two
    for number in range(3):
        memory.sites.learn(SITE, CATEGORY, f"page {number}", article(number))
    oldest, *_ = memory.sites.learned_pages()
    memory.sites.add_pages([oldest._replace(seen=oldest.seen + 1e6)], {})
    assert [page.name for page in memory.sites.learned_pages()][-1] == "page 0"


def end(path: str, host: str, *outputs: str, table: str = "") -> Memory:
    """A run on a machine that has ended with a page stored and its article pending."""
    with closing(Memory(path, host=host)) as memory:
        if table:
            memory.articles = ArticleTable(memory.database, table)
        memory.start_run("job", outputs)
        memory.store_and_learn(stored_page(1), URL, article(1))
        memory.store_and_learn(stored_page(2), f"{URL}/2", article(2))
        memory.deliveries.add_pending(URL, URL, "hash", texts("x"))
    return memory


def test_what_is_pending_is_settled_on_the_machine_of_its_output(
    path: str, remember: Remember
) -> None:
    end(path, "north", "/out.jsonl")
    looked = []

    def find(outputs: Any, pending: Any) -> Any:
        looked.append(list(outputs))
        return set()

    south = remember(path, host="south")
    south.start_run("job", ["/out.jsonl"], find, [SITE])
    assert looked == []
    assert list(south.pages.parked().values()) == [stored_page(2).url]
    assert south.deliveries.add_pending(URL, URL, "hash", texts("x")) is None
    south.close()
    north = remember(path, host="north")
    north.start_run("job", ["/out.jsonl"], find, [SITE])
    assert looked == [["/out.jsonl"]]
    assert sorted(north.pages.parked().values()) == [URL, stored_page(2).url]
    assert north.deliveries.add_pending(URL, URL, "hash", texts("x")) == (URL, 1)


def test_what_was_pending_for_a_table_is_not_in_it_and_any_machine_knows(
    path: str, remember: Remember
) -> None:
    end(path, "north", "/out.jsonl", table="articles")
    south = remember(path, host="south")
    south.start_run("job", [], lambda outputs, pending: pending)
    assert len(south.pages.parked()) == 2
    assert south.deliveries.add_pending(URL, URL, "hash", texts("x")) == (URL, 1)
