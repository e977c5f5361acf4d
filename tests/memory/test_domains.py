"""One crawl of a registered domain at a time, for all who share a memory."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from newsclean.files import DomainBusyError
from newsclean.memory import postgresql_locks
from newsclean.memory.postgresql import PostgresqlDatabase
from tests.servers.postgresql import PostgresqlServer

from .conftest import Remember
from .sessions import cut

ROOT = Path(__file__).parents[2]


def test_a_domain_has_one_run_at_a_time_until_that_has_ended(path: str, remember: Remember) -> None:
    one, two, three = remember(path), remember(path), remember(path)
    one.start_run("one", sites=["www.example.org", "example.net"])
    two.start_run("two", sites=["example.com"])
    with pytest.raises(DomainBusyError, match=r"is crawling example\.org"):
        three.start_run("three", sites=["example.edu", "sport.example.org"])
    one.close()
    three.start_run("three", sites=["example.edu", "sport.example.org"])


def test_a_run_that_is_refused_keeps_no_domain(path: str, remember: Remember) -> None:
    one, two, three = remember(path), remember(path), remember(path)
    one.start_run("one", sites=["example.org"])
    with pytest.raises(DomainBusyError):
        two.start_run("two", sites=["example.com", "example.org"])
    three.start_run("three", sites=["example.com"])


def test_runs_without_sites_do_not_hinder_each_other(path: str, remember: Remember) -> None:
    for job in ("one", "two"):
        remember(path).start_run(job)


@pytest.mark.process
def test_the_domain_of_a_process_that_is_killed_is_free(path: str, remember: Remember) -> None:
    script = """
import sys, time
from newsclean.memory import Memory
memory = Memory(sys.argv[1])
memory.start_run("killed", sites=["example.org"])
print("held", flush=True)
time.sleep(600)
"""
    command = [sys.executable, "-c", script, path]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            other = remember(path)
            with pytest.raises(DomainBusyError):
                other.start_run("other", sites=["example.org"])
        finally:
            process.kill()
    ends = time.monotonic() + 60
    # A server takes a moment to notice.
    while other.database.lock_domains(["example.org"]) and time.monotonic() < ends:
        time.sleep(0.05)
    other.start_run("other", sites=["example.org"])


def test_a_run_that_has_lost_its_session_takes_its_domains_again(
    postgresql: str, postgresql_server: PostgresqlServer, remember: Remember
) -> None:
    memory, other = remember(postgresql), remember(postgresql)
    memory.start_run("one", sites=["example.org", "example.com"])
    postgresql_server.restart()
    memory.database.query("SELECT 1")
    with pytest.raises(DomainBusyError, match=r"example\.com"):
        other.start_run("other", sites=["example.com"])


def test_a_run_whose_domain_was_taken_meanwhile_is_told_so_before_it_sends_anything(
    postgresql: str, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_locks, "LOOK_EVERY", 600.0)  # as if it were stopped
    memory = remember(postgresql)
    memory.start_run("one", sites=["example.org"])
    memory.database.check_held()
    cut(postgresql)
    other = remember(postgresql)
    assert other.database.lock_domains(["example.org"]) is None
    assert isinstance(memory.database, PostgresqlDatabase)
    memory.database.check_held()  # it was heard of a moment ago: nobody takes over so soon
    boot, wall = memory.database._heard
    memory.database._heard = boot - postgresql_locks.MAX_SILENCE, wall
    for _ in range(2):
        with pytest.raises(DomainBusyError, match=r"is crawling example\.org"):
            memory.database.check_held()
    with pytest.raises(DomainBusyError):
        memory.deliveries.forget("example.org")
    memory.database._run = None  # nothing more to end


def test_a_session_that_is_silent_for_too_long_loses_its_domain_to_who_asks(
    postgresql: str, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_locks, "LOOK_EVERY", 600.0)  # as if it were stopped
    frozen, other = remember(postgresql), remember(postgresql)
    frozen.start_run("frozen", sites=["example.org"])
    assert other.database.lock_domains(["example.org"]) == "example.org"
    monkeypatch.setattr(postgresql_locks, "MAX_FROZEN", 0)
    assert other.database.lock_domains(["example.org"]) is None
    monkeypatch.undo()
    with pytest.raises(DomainBusyError):
        frozen.database.query("SELECT 1")
