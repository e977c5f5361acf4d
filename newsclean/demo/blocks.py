"""What an article's body is made of, and the plain text that counts as its gold."""

import re
from dataclasses import dataclass
from typing import ClassVar

# A table row is one paragraph of the gold, its cells parted by a space.
_CELL_SEPARATOR = " "

_MARKED = re.compile(r"\*(?P<em>[^*]+)\*|~(?P<strong>[^~]+)~|\^(?P<link>[^^]+)\^")


@dataclass(frozen=True)
class Run:
    """A stretch of text of one kind: ``text``, ``em``, ``strong`` or ``link`` (then with href)."""

    text: str
    kind: str = "text"
    href: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True)
class Paragraph:
    kind: ClassVar[str] = "paragraph"
    runs: Runs


@dataclass(frozen=True)
class Subheading:
    kind: ClassVar[str] = "subheading"
    runs: Runs


@dataclass(frozen=True)
class Bullets:
    kind: ClassVar[str] = "bullets"
    items: tuple[Runs, ...]
    ordered: bool

    @property
    def tag(self) -> str:
        return "ol" if self.ordered else "ul"


@dataclass(frozen=True)
class Quote:
    kind: ClassVar[str] = "quote"
    runs: Runs


@dataclass(frozen=True)
class Table:
    kind: ClassVar[str] = "table"
    head: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]


@dataclass(frozen=True)
class Figure:
    """A picture with its caption; no part of the gold."""

    kind: ClassVar[str] = "figure"
    image: str
    caption: Runs

    @property
    def alt(self) -> str:
        return plain(self.caption)


Block = Paragraph | Subheading | Bullets | Quote | Table | Figure


def parse_runs(marked: str, href: str = "") -> Runs:
    """Split a marked text into runs.

    >>> [(run.kind, run.text) for run in parse_runs("Read *Nine Lamps* now.")]
    [('text', 'Read '), ('em', 'Nine Lamps'), ('text', ' now.')]
    """
    runs: list[Run] = []
    end = 0
    for match in _MARKED.finditer(marked):
        if match.start() > end:
            runs.append(Run(marked[end : match.start()]))
        kind = str(match.lastgroup)
        runs.append(Run(match[kind], kind, href if kind == "link" else ""))
        end = match.end()
    if end < len(marked):
        runs.append(Run(marked[end:]))
    return tuple(runs)


def link_first(runs: Runs, words: str, href: str) -> Runs:
    """The same runs, with the first plain occurrence of the words made a link."""
    for i, run in enumerate(runs):
        if run.kind == "text" and words in run.text:
            before, after = run.text.split(words, 1)
            parts = (Run(before), Run(words, "link", href), Run(after))
            return runs[:i] + tuple(part for part in parts if part.text) + runs[i + 1 :]
    return runs


def plain(runs: Runs) -> str:
    """The text of the runs."""
    return "".join(run.text for run in runs)


def gold_paragraphs(blocks: tuple[Block, ...]) -> tuple[str, ...]:
    """The body's texts in order: paragraphs, subheadings, items, quotes, table rows."""
    found: list[str] = []
    for block in blocks:
        if isinstance(block, Paragraph | Subheading | Quote):
            found.append(plain(block.runs))
        elif isinstance(block, Bullets):
            found.extend(plain(item) for item in block.items)
        elif isinstance(block, Table):
            found.extend(
                _CELL_SEPARATOR.join(plain(cell) for cell in row)
                for row in (block.head, *block.rows)
            )
    return tuple(found)
