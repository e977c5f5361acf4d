"""Near copies among recent articles of several sites."""

import random

import numpy as np
import numpy.typing as npt
import pytest

from newsclean.extraction.near_copies import Fingerprints, words_of
from newsclean.memory import Memory, recent_copies
from newsclean.memory.recent_copies import RecentCopies

from .conftest import Remember

RNG = random.Random(3)
WORDS = [f"word{number}" for number in range(4000)]


def text(words: int = 300) -> str:
    return " ".join(RNG.choices(WORDS, k=words))


def print_of(text: str) -> npt.NDArray[np.uint32]:
    (found,) = Fingerprints().of([words_of(text)])
    assert found is not None
    return found


@pytest.fixture
def memory(remember: Remember) -> Memory:
    return remember()


def test_a_copy_on_another_site_names_the_first_article_and_so_does_a_copy_of_the_copy(
    memory: Memory,
) -> None:
    copies, report = RecentCopies(memory.database), text()
    assert copies.add("a" * 32, "first.example", print_of(report)) is None
    edited = report + " " + text(40)
    assert copies.add("b" * 32, "second.example", print_of(edited)) == "a" * 32
    assert copies.add("c" * 32, "third.example", print_of(edited + " " + text(40))) == "a" * 32
    assert copies.add("d" * 32, "fourth.example", print_of(text())) is None


def test_articles_of_one_registered_domain_are_no_copies_of_each_other(memory: Memory) -> None:
    copies, report = RecentCopies(memory.database), print_of(text())
    assert copies.add("a" * 32, "www.paper.example", report) is None
    assert copies.add("b" * 32, "sport.paper.example", report) is None
    assert copies.add("c" * 32, "other.example", report) == "a" * 32


def test_a_later_state_of_the_original_stays_the_original(memory: Memory) -> None:
    copies, report = RecentCopies(memory.database), text()
    copies.add("a" * 32, "first.example", print_of(report))
    copies.add("b" * 32, "second.example", print_of(report))
    assert copies.add("a" * 32, "first.example", print_of(report + " " + text(20))) is None
    assert copies.add("c" * 32, "third.example", print_of(report)) == "a" * 32


def test_old_articles_and_those_of_a_forgotten_site_are_no_originals(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = print_of(text())
    RecentCopies(memory.database).add("a" * 32, "first.example", report)
    memory.forget("first.example", articles=True)
    assert RecentCopies(memory.database).add("b" * 32, "second.example", report) is None
    monkeypatch.setattr(recent_copies, "_MAX_AGE", -1)
    assert RecentCopies(memory.database).add("c" * 32, "third.example", report) is None
    assert memory.database.query("SELECT count(*) FROM fingerprint") == [(1,)]
    (keys,) = memory.database.query("SELECT count(DISTINCT article) FROM fingerprint_band")[0]
    assert keys == 1


def test_a_short_text_has_no_fingerprint_and_a_script_without_spaces_has_one() -> None:
    han = "".join(chr(0x4E00 + RNG.randrange(2000)) for _ in range(200))
    short, long = Fingerprints().of([words_of("Subscribe to read on."), words_of(han)])
    assert short is None
    assert long is not None
    assert np.array_equal(long, print_of(han))
