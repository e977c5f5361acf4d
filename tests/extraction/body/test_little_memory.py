"""Too little memory for a page is an error that can be caught, not the end of the process."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import resource
from newsclean import Page
from newsclean.extraction.body import html
from newsclean.extraction.methods import Choice

chosen = Page.from_html("<p>" + "<b>rain</b> " * 100_000)
rows = Choice.everything(chosen).rows
written = html._Writer(chosen, rows, (), ()).write()
with open("/proc/self/statm") as sizes:
    used = int(sizes.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 20_000_000,) * 2)
try:
    html._clean(written)
except MemoryError:
    print("caught")
"""


@pytest.mark.process
def test_the_cleaner_does_not_end_the_process_for_want_of_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | {"MALLOC_ARENA_MAX": "1"},
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout.decode().strip()) == (0, "caught"), done.stderr
