"""Articles for the search page, and an index of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsclean.apps.search import open_target

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FLOOD = (
    "The river has risen for nine days, and the mayor says that no help is near. She asked all "
    "people to stay at home until the water falls again, which may take a week. Boats carry bread "
    "and milk to the houses by the bridge, where the lights went out on Monday. Nobody was hurt."
)


def article(number: int, **fields: Any) -> dict[str, Any]:
    """The line of an article; each has words of its own."""
    own = " ".join(f"word{number}x{place}" for place in range(40))
    return {
        "id": f"a{number}",
        "url": f"https://example.org/{number}",
        "site": "example.org",
        "headline": f"Story {number}",
        "section": "News",
        "date_published": f"2026-03-{1 + number % 28:02}T12:00:00+00:00",
        "language": "en",
        "body": f"A lantern burns. {own}",
        **fields,
    }


def copies_of_the_flood(sites: Iterable[str]) -> list[dict[str, Any]]:
    """The same text on several sites."""
    return [
        article(900 + number, id=f"flood-{site}", site=site, headline="Flood goes on", body=FLOOD)
        for number, site in enumerate(sites)
    ]


def write_index(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    target = open_target(str(path))
    try:
        written = target.write(list(lines))
        assert not written.refused
    finally:
        target.close()
    return path
