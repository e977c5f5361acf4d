"""A saved page, its position, and the errors of archives."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from newsclean.urls import section_of, site_of

if TYPE_CHECKING:
    from newsclean.discovery.entries import Entry


#: The reason and the message for a page that does not fit into memory.
OUT_OF_MEMORY, TOO_LITTLE_MEMORY = "out-of-memory", "not enough memory for this page"


class ArchiveError(Exception):
    """A file or folder that cannot be read at all."""


class SavedPageError(Exception):
    """A page that cannot be read, while others of its archive can."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        #: a name for the stats
        self.reason = reason

    def __reduce__(self) -> tuple[type[SavedPageError], tuple[str, str]]:
        return SavedPageError, (self.reason, str(self))


class JoinedBody(NamedTuple):
    """Where the page is that was joined from all pages of an article, for the time of a run."""

    file: str
    offset: int
    length: int


class Position(NamedTuple):
    """Where a page is: all that another process needs to read it."""

    file: str
    #: of its record in an archive; None if the file is the page
    offset: int | None = None
    #: of the record with its body, if its own record says that nothing has changed
    original: int | None = None
    #: what a list beside the page says about it
    entry: Entry | None = None
    #: the folder in which it was found
    folder: str = ""
    #: the body that takes the place of its own, if its article goes on on further pages
    joined: JoinedBody | None = None

    def __str__(self) -> str:
        return self.file if self.offset is None else f"{self.file} at byte {self.offset:,}"


@dataclass(frozen=True)
class SavedPage:
    """A page as it was fetched."""

    position: Position
    #: None if unknown. What a page itself declares as its URL is a claim, not an identity.
    url: str | None
    body: bytes = field(repr=False)
    content_type: str = ""
    fetched_at: str | None = None

    @property
    def site(self) -> str:
        """Its site; pages without a URL that were saved in one folder belong to one site."""
        return site_named(self.url, self.position)

    @property
    def category(self) -> str:
        return category_named(self.url, self.position)

    @property
    def path(self) -> str:
        """The path of its file relative to its folder."""
        file, folder = self.position.file, self.position.folder
        path = os.path.relpath(file, folder) if folder else os.path.basename(file)
        return path.replace(os.sep, "/")

    @property
    def name(self) -> str:
        """The name by which its neighbors know it."""
        return self.url or self.position.file


def site_named(url: str | None, position: Position) -> str:
    return site_of(url) or position.folder


def category_named(url: str | None, position: Position) -> str:
    listed = position.entry.category if position.entry else None
    return listed or (section_of(url) if url else "home")
