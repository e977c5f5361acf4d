"""Memory files of other versions, other programs, and none at all."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from newsclean.memory import Memory, MemoryFileError
from newsclean.memory.database import VERSION

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


@pytest.mark.parametrize("version", [0, 1, VERSION - 1, VERSION + 1])
def test_a_memory_of_another_version_is_refused(path: Path, version: int) -> None:
    Memory(str(path)).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"PRAGMA user_version = {version}")
    refused(path, f"of version {version}, .* knows version {VERSION}: use the newsclean that made")


@pytest.mark.parametrize("table", ["page", "sample", "stored_page", "article", "site_run"])
def test_sqlite_refuses_a_value_of_another_type(path: Path, table: str) -> None:
    Memory(str(path)).close()
    with closing(sqlite3.connect(path)) as database:
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        values = ", ".join(["'x'"] * len(names))
        with pytest.raises(sqlite3.IntegrityError, match=r"cannot store TEXT|datatype mismatch"):
            database.execute(f"INSERT INTO {table} VALUES ({values})")


#: A process that is killed between two statements that make the tables.
KILLED = """
import os, signal, sqlite3, sys
from newsclean.memory import sqlite as memory

class Connection(sqlite3.Connection):
    def execute(self, sql, *values):
        if "CREATE TABLE site_run" in sql:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(sql, *values)

connect = sqlite3.connect
sqlite3.connect = lambda *arguments, **options: connect(*arguments, **options, factory=Connection)
memory.connect(sys.argv[1])
"""


@pytest.mark.process
def test_a_process_that_is_killed_while_it_makes_the_tables_leaves_none(path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    memory = Memory(str(path))
    memory.sites.learn(SITE, "sport", "p", article(1))
    memory.close()
