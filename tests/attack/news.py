"""The good part of the attacked news sites: sections with articles that must come out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tests.crawl.small_site import section, story

SUBJECTS = (
    "lantern parade", "wagon race", "harbour supper", "bridge repair", "winter market",
    "school orchestra", "river flood", "orchard harvest", "ferry strike", "mill museum",
    "night train", "glass workshop",
)  # fmt: skip
SECTION = "/news"


@dataclass(frozen=True)
class News:
    """The articles of one site; its name is in all of their texts."""

    name: str
    size: int = 4

    @cached_property
    def titles(self) -> dict[str, str]:
        """Titles by path."""
        return {
            f"{SECTION}/the-{subject.replace(' ', '-')}-{50_001 + n}.html": (
                f"The {subject} of {self.name}"
            )
            for n, subject in enumerate(SUBJECTS[: self.size])
        }

    def article(self, path: str) -> str:
        return story(self.titles[path])

    def section(self, more: dict[str, str] | None = None) -> str:
        """The section page, with more links where given."""
        return section((more or {}) | self.titles)
