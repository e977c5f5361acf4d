"""A PostgreSQL server of the tests: made, started, stopped and started again at will."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path

from tests.browser.installed import not_run

from .ports import free_port

#: The user who runs it where the tests run as root, whom PostgreSQL refuses.
USER = "postgres"
#: Debian keeps the programs of each version in a folder of its own, outside PATH, and one in PATH
#: that starts them.
DEBIAN_PROGRAM = "pg_ctlcluster"
DEBIAN_FOLDERS = "/usr/lib/postgresql/*/bin"
#: Nothing here has to outlive a failure of power.
OPTIONS = "-c fsync=off -c full_page_writes=off -c max_connections=60"


def find_programs() -> Path:
    """The folder of `initdb` and `pg_ctl`: the one in PATH, or Debian's of the newest version."""
    if program := shutil.which("initdb"):
        return Path(program).parent
    found = Path("/").glob(f"{DEBIAN_FOLDERS.lstrip('/')}/initdb")
    programs = sorted(found, key=lambda path: path.parts[-3])
    if not programs or not shutil.which(DEBIAN_PROGRAM):
        not_run("PostgreSQL is missing: apt-get install postgresql")
    return programs[-1].parent


class PostgresqlServer:
    """A server on loopback, with databases that tests ask for."""

    def __init__(self) -> None:
        self._programs = find_programs()
        self._folder = Path(tempfile.mkdtemp(prefix="newsclean-postgresql-"))
        self._user = USER if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(self._folder, self._user)
        self.port = free_port()
        self._numbers = count()
        #: databases that tests have given back
        self._free: list[str] = []
        self._run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8")

    @property
    def address(self) -> str:
        """The address of the database that is there from the beginning."""
        return self.address_of("postgres")

    def address_of(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        options = f"{OPTIONS} -p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1"
        self._run("pg_ctl", "start", "--wait", "--silent", "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; `immediate` cuts all connections, as a crash does."""
        self._run("pg_ctl", "stop", "--wait", "--silent", f"--mode={mode}")

    def restart(self) -> None:
        self.stop()
        self.start()

    def new_database(self) -> str:
        """The address of an empty database."""
        import psycopg

        if self._free:
            return self._free.pop()
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address_of(name)

    def give_back(self, address: str) -> None:
        """Empty a database for another test: that is faster than a new one."""
        import psycopg

        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            for (name,) in connection.execute(
                "SELECT quote_ident(nspname) FROM pg_namespace "
                "WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'"
            ).fetchall():
                connection.execute(f"DROP SCHEMA {name} CASCADE")
            connection.execute("CREATE SCHEMA public")
        self._free.append(address)

    def remove(self) -> None:
        """Stop it if it runs, and remove its files."""
        if (self._folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), "--pgdata", str(self._folder / "data")]
        with (self._folder / "log").open("ab") as log:
            # The server inherits what it writes to: a pipe would stay open as long as it runs.
            subprocess.run(
                [*command, *arguments], check=True, user=self._user, cwd="/",
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
