"""Memory files of other versions, other programs, and none at all."""

import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from newsclean.memory import Memory, MemoryFileError
from newsclean.memory.schema import APPLICATION_ID, STEPS, VERSION

from .pages import SITE, article, hashes, stored_page, texts


@pytest.fixture
def path(tmp_path: Path) -> Path:  # here it is looked into
    return tmp_path / "memory.sqlite"


def refused(path: Path, words: str) -> None:
    """The file is refused with these words and stays as it was."""
    before = path.read_bytes()
    with pytest.raises(MemoryFileError, match=words):
        Memory(str(path))
    assert path.read_bytes() == before


def test_the_folders_of_a_memory_are_made(tmp_path: Path) -> None:
    Memory(str(tmp_path / "a" / "b" / "memory.sqlite")).close()
    assert (tmp_path / "a" / "b" / "memory.sqlite").is_file()


@pytest.mark.parametrize(
    "content", [b"no database at all", b"SQLite format 3\x00 and then rubbish"]
)
def test_a_file_that_is_no_database_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content * 100)
    refused(path, "damaged or not a memory")


def test_the_database_of_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE precious (value)")
    refused(path, "not a memory of newsclean")


def test_a_damaged_memory_is_refused(path: Path) -> None:
    memory = Memory(str(path))
    for number in range(300):
        memory.sites.learn(f"site {number}", "sport", "page", article(number))
    memory.close()
    content = bytearray(path.read_bytes())
    for offset in range(8192, len(content) - 100, 4096):
        content[offset : offset + 64] = b"\xff" * 64
    path.write_bytes(content)
    refused(path, "damaged")


def test_a_memory_of_a_newer_version_is_refused(path: Path) -> None:
    Memory(str(path)).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    refused(path, "newer newsclean")


def test_an_older_memory_is_brought_up_to_date_with_all_that_it_knows(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(STEPS[0])
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 1")
        database.execute(
            "INSERT INTO page (site, category, name, seen, keys) VALUES (?, 'sport', 'p', 1, ?)",
            (SITE, article(1).remembered.astype("<u8").tobytes()),
        )
    memory = Memory(str(path))
    assert memory.sites.neighborhood(SITE, "sport").names == ["p"]
    memory.close()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_pages_that_were_learned_before_there_were_facts_teach_none(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript("".join(STEPS[:8]))
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 8")
        database.execute(
            "INSERT INTO page (site, category, name, seen, keys) VALUES (?, 'sport', 'p', 1.0, ?)",
            (SITE, article(1).remembered.astype("<u8").tobytes()),
        )
    memory = Memory(str(path))
    assert [page.facts.tolist() for page in memory.sites.learned_pages()] == [[]]
    memory.sites.learn(SITE, "sport", "q", replace(article(2), facts=hashes("a fact")))
    memory.close()
    again = Memory(str(path))
    assert again.sites.learned_pages()[1].facts.tolist() == hashes("a fact").tolist()


State = tuple[str, str, int]


def version_3(path: Path) -> None:
    """A memory file of version 3, as a killed run has left it."""
    article_keys = article(1).remembered.astype("<u8").tobytes()
    body = hashes("x").astype("<u8").tobytes()
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript("".join(STEPS[:3]))
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 3")
        database.execute("INSERT INTO fact VALUES ('keying', 'block')")
        database.execute("INSERT INTO run VALUES (7, 'job', 1.0)")
        database.execute(
            "INSERT INTO page (site, category, name, seen, keys) VALUES (?, 'sport', 'p', 1, ?)",
            (SITE, article_keys),
        )
        database.execute("INSERT INTO sample VALUES (?, ?, ?)", (SITE, -1, "a repeated text"))
        page = stored_page(1)
        for number, cold in (20, 0), (21, 1):
            database.execute(
                "INSERT INTO waiting (number, run, cold, tries, url, site, category, content_type, "
                "fetched_at, body, origin) VALUES (?, 7, ?, 2, ?, ?, ?, ?, ?, ?, NULL)",
                (number, cold, page.url, page.site, page.category, page.content_type,
                 page.fetched_at, zlib.compress(page.body)),
            )  # fmt: skip
        for name in ("written", "lost"):
            url = f"https://{SITE}/{name}"
            pending = (url, 7, 3, url, name, body)
            database.execute("INSERT INTO leaving VALUES (?, ?, ?, ?, ?, ?)", pending)
        url = f"https://{SITE}/delivered"
        delivered = (url, 2, url, "delivered", body, 1.0)
        database.execute("INSERT INTO article VALUES (?, ?, ?, ?, ?, ?)", delivered)


def test_a_memory_of_version_3_goes_on_with_its_pages_articles_and_samples(path: Path) -> None:
    version_3(path)
    memory = Memory(str(path), keying="block")
    assert memory.sites.neighborhood(SITE, "sport").names == ["p"]
    assert memory.sites.neighborhood(SITE).samples == {2**64 - 1: "a repeated text"}

    written = (f"https://{SITE}/written", "written", 3)
    memory.start_run("job", find_delivered=lambda _, pending: pending & {written})
    assert list(memory.pages.parked()) == [20, 21]
    assert memory.pages.get(21) == stored_page(1)
    assert memory.pages.mark_failed(20)  # it has failed twice before
    number, _ = memory.store_and_learn(stored_page(2), "page 2", article(2))
    assert number == 22

    def revision(name: str, digest: str, *body: str) -> object:
        url = f"https://{SITE}/{name}"
        return memory.deliveries.add_pending(url, url, digest, texts(*body))

    assert revision("written", "written", "x") is None
    assert revision("written", "changed", "written anew") == (written[0], 4)
    assert revision("lost", "lost", "lost") == (f"https://{SITE}/lost", 1)
    assert revision("delivered", "changed again", "z") == (f"https://{SITE}/delivered", 3)
    memory.close()


def test_a_run_of_version_4_is_settled_by_its_own_job(path: Path) -> None:
    """Where its output is, nobody has written down: the job's own files are looked into."""
    body = hashes("x").astype("<u8").tobytes()
    written, lost = f"https://{SITE}/written", f"https://{SITE}/lost"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript("".join(STEPS[:4]))
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 4")
        database.execute("INSERT INTO run (id, job, started) VALUES (7, 'job', 1.0)")
        for url in (written, lost):
            pending = (url, 7, 1, url, "hash", body)
            database.execute("INSERT INTO pending_delivery VALUES (?, ?, ?, ?, ?, ?)", pending)
    searched = []

    def find(outputs: Sequence[str], pending: set[State]) -> set[State]:
        searched.append(outputs)
        return pending & {(written, "hash", 1)}

    for job in ("other job", "job"):
        with closing(Memory(str(path))) as memory:
            memory.start_run(job, ["/out.jsonl"], find)
            found = [memory.deliveries.add_pending(u, u, "hash", texts("x")) for u in (written,)]
            assert found == [None]
    assert searched == [["/out.jsonl"]]
    with closing(Memory(str(path))) as memory:
        assert memory.deliveries.add_pending(lost, lost, "hash of its own", texts("y")) == (lost, 1)


#: A process that is killed between two statements of the migration.
KILLED = """
import os, signal, sqlite3, sys
from newsclean.memory import schema

class Connection(sqlite3.Connection):
    def execute(self, sql, *values):
        if "DROP INDEX waiting_by_run" in sql:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(sql, *values)

connect = sqlite3.connect
sqlite3.connect = lambda *arguments, **options: connect(*arguments, **options, factory=Connection)
schema.connect(sys.argv[1])
"""


@pytest.mark.process
def test_a_migration_that_is_killed_leaves_the_old_version_whole(path: Path) -> None:
    version_3(path)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (3,)
        assert database.execute("SELECT count(*) FROM waiting WHERE cold = 1").fetchone() == (1,)
    memory = Memory(str(path))
    assert memory.pages.counts() == {(SITE, "sport"): 2}
    memory.close()
