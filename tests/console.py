"""Commands with their outputs in Markdown pages, run as a reader would run them."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.code_blocks import ROOT, code_blocks


class Command(NamedTuple):
    line: int
    text: str
    #: what it prints; `…` stands for anything
    output: str


def commands(page: Path) -> Iterator[Command]:
    """Yield the commands of a page's blocks `console`, each after `$`, with what follows it."""
    for block in code_blocks(page):
        if block.language == "console":
            for found in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
                line = block.line + block.text[: found.start()].count("\n")
                yield Command(line, found[1], found[2])


def run_shell(command: str, folder: Path) -> str:
    """Run a command in a folder, with the programs of this environment; return what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=200,
        check=False,
    )
    return done.stdout


def replaced(text: str, words: Mapping[str, str]) -> str:
    for word, other in words.items():
        text = text.replace(word, other)
    return text


def is_printed(expected: str, printed: str) -> bool:
    """Whether a page tells what was printed.

    >>> is_printed("5 articles in … s\\n…\\n", "5 articles in 3.9 s\\nand more\\nlines\\n")
    True
    >>> is_printed("5 articles in … s\\n", "6 articles in 3.9 s\\n")
    False
    """
    # A line `…` is any number of lines; elsewhere it stays within its line.
    pattern = re.escape(expected).replace("…\\\n", "…\n")
    pattern = re.sub(r"^…\n", lambda _: r"(?:.*\n)*", pattern, flags=re.MULTILINE)
    pattern = pattern.replace("…", ".*").replace("\\\n", "\n")
    return re.fullmatch(pattern, printed) is not None
