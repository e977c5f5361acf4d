"""The fenced code blocks of a Markdown page."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class CodeBlock(NamedTuple):
    #: the word after the fence: `python`, `toml` …, or nothing for a terminal
    language: str
    text: str
    #: the line of the page on which its text begins
    line: int


def code_blocks(page: Path) -> list[CodeBlock]:
    text = page.read_text("utf-8")
    return [
        CodeBlock(found[1], found[2], text[: found.start(2)].count("\n") + 1)
        for found in re.finditer(r"^```([\w-]*)\n(.*?)^```$", text, re.M | re.S)
    ]


def code_block(page: Path, *words: str) -> str:
    """Return the text of the only block that contains all these words."""
    (found,) = (each.text for each in code_blocks(page) if all(word in each.text for word in words))
    return found
