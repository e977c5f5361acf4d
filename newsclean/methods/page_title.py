"""What the title of a page says, and which parts of it may be the headline."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from newsclean.metadata.text import comparison_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newsclean.page import Page

#: A part of a title with fewer letters than this may be the name of the site or a section.
SHORTEST_PART = 12
#: What a longer title says from here on is not a title.
MAX_TITLE = 2000  # characters

#: Between the parts of a title.
SEPARATOR = re.compile(r"\s*[|»«·•]\s*|\s+[-–—:/]+\s+|:\s+")


def title_of(page: Page) -> str:
    """What the page's first `<title>` says, with single spaces."""
    title = next(("".join(map(str, e.itertext())) for e in page.elements("title")), "")
    return " ".join(title.split())[:MAX_TITLE]


def title_names(title: str) -> Iterator[str]:
    """The title, its parts between separators, and all but its first or last part, folded.

    >>> list(title_names("Rain goes on in Bergen | News"))
    ['raingoesoninbergennews', 'raingoesoninbergen', 'raingoesoninbergen']
    """
    if whole := comparison_key(title):
        yield whole
    parts = SEPARATOR.split(title)
    for part in (*parts, "".join(parts[1:]), "".join(parts[:-1])):
        if len(name := comparison_key(part)) >= SHORTEST_PART:
            yield name
