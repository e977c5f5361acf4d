"""Which process of this machine it is, so that others here see for certain that it has ended."""

from __future__ import annotations

import os
from pathlib import Path


def this_process() -> str:
    """A name that no other process has, empty where the system does not tell enough."""
    try:
        return f"{_machine()} {os.getpid()} {_start_of(os.getpid())}"
    except (OSError, IndexError):
        return ""


def has_surely_ended(process: str) -> bool:
    """Whether a process is of this machine, as it runs now, and is there no longer."""
    try:
        machine, number, start = process.rsplit(" ", 2)
        return machine == _machine() and _start_of(int(number)) != start
    except FileNotFoundError:
        return True
    except (OSError, IndexError, ValueError):
        return False


def _machine() -> str:
    """This start of this machine, and the space in which its process numbers count."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return f"{boot} {os.readlink('/proc/self/ns/pid')}"


def _start_of(number: int) -> str:
    """When a process was started, in ticks since the machine was; empty if it only waits."""
    fields = Path(f"/proc/{number}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]
