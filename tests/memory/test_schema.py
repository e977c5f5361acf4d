"""Memory files of other versions, other programs, and none at all."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from newsclean.memory import Memory, MemoryFileError
from newsclean.memory.schema import APPLICATION_ID, STEPS, VERSION

from .pages import SITE, article


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
    refused(path, "damaged or no memory")


def test_the_database_of_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE precious (value)")
    refused(path, "no memory of newsclean")


def test_a_damaged_memory_is_refused(path: Path) -> None:
    memory = Memory(str(path))
    for number in range(300):
        memory.learn(f"site {number}", "sport", "page", article(number))
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
    assert memory.neighborhood(SITE, "sport").names == ["p"]
    memory.close()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_keys_of_another_kind_need_another_memory(path: Path) -> None:
    Memory(str(path), keying="block").close()
    with pytest.raises(MemoryFileError, match="memory file of its own"):
        Memory(str(path), keying="element")
