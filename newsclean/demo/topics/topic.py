"""The shape of a topic: what a section's stories are made of."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Angle:
    """One kind of story: how its headline, its teaser and its first paragraph read."""

    headline: str
    teaser: str
    opening: str


@dataclass(frozen=True)
class Topic:
    """Templates and words of one topic.

    In a template, ``{slot}`` is filled from the slots, ``[this|that]`` is a choice, ``*title*`` is
    emphasis, ``~label~`` is strong and ``^words^`` is a link to another article.
    """

    angles: tuple[Angle, ...]
    details: tuple[str, ...]
    voices: tuple[str, ...]
    statements: tuple[str, ...]
    subheadings: tuple[str, ...]
    list_intros: tuple[str, ...]
    list_items: tuple[str, ...]
    captions: tuple[str, ...]
    table_head: tuple[str, str, str]
    table_row: tuple[str, str, str]
    organisations: tuple[str, ...]
    roles: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    fixed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    free: dict[str, tuple[str, ...]] = field(default_factory=dict)


def lines(text: str) -> tuple[str, ...]:
    """One entry a line; an indented line goes on with the entry above it.

    >>> lines('''
    ... first entry
    ...     goes on
    ... second
    ... ''')
    ('first entry goes on', 'second')
    """
    entries: list[str] = []
    for line in text.splitlines():
        if line.startswith(" ") and entries:
            entries[-1] += " " + line.strip()
        elif line.strip():
            entries.append(line.strip())
    return tuple(entries)


def angles(text: str) -> tuple[Angle, ...]:
    """Angles from entries that come in threes: headline, teaser, opening."""
    entries = lines(text)
    return tuple(Angle(*entries[i : i + 3]) for i in range(0, len(entries), 3))
