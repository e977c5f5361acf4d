"""Articles as rows of a table: the output of crawls whose memory is in the same database.

A row is written in the transaction that confirms its delivery. So there is no moment at which one
of them is true and the other is not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from newsclean.memory.postgresql_schema import SCHEMA

if TYPE_CHECKING:
    from newsclean.memory.database import Database

#: A name that needs no quotes, with its schema or without.
NAME = re.compile(r"(?:([a-z_][a-z0-9_]{0,62})\.)?([a-z_][a-z0-9_]{0,62})")
DEFAULT_SCHEMA = "public"


class ArticleRow(NamedTuple):
    """One state of an article."""

    id: str
    revision: int
    url: str | None
    site: str | None
    headline: str | None
    language: str | None
    #: in seconds since 1970, None if it is not known
    published: float | None
    #: the item as feeds export it, in JSON
    item: str


class ArticleTable:
    """A table with a row for each state of each article, by id and revision."""

    def __init__(self, database: Database, name: str) -> None:
        """Make the table where there is none; ValueError for a name that cannot be taken."""
        found = NAME.fullmatch(name)
        if found is None:
            raise ValueError(
                "it takes the name of a table, in small letters, digits and _, with its schema "
                "(news.articles) or without"
            )
        schema = found[1] or DEFAULT_SCHEMA
        if schema == SCHEMA:
            raise ValueError(f"the schema {SCHEMA} is the memory's own: take another")
        self.database = database
        self.name = f"{schema}.{found[2]}"

    def make(self) -> None:
        """Make the table where there is none, and see that it takes rows."""

        def make() -> None:
            self.database.execute(
                f"CREATE TABLE IF NOT EXISTS {self.name} (id TEXT, revision INTEGER, url TEXT, "
                "site TEXT, headline TEXT, language TEXT, published TIMESTAMPTZ, "
                "item JSONB NOT NULL, delivered TIMESTAMPTZ NOT NULL DEFAULT now(), "
                "PRIMARY KEY (id, revision))"
            )
            self.database.execute(
                f"INSERT INTO {self.name} ({_COLUMNS}) SELECT {_COLUMNS} FROM {self.name} "
                f"WHERE false {_REPLACE}"
            )

        self.database.atomically(make)

    def write(self, row: ArticleRow) -> None:
        """Write a state of an article, over what the table has of the same state."""
        self.database.execute(
            f"INSERT INTO {self.name} ({_COLUMNS}) VALUES "
            f"(?, ?, ?, ?, ?, ?, to_timestamp(?), CAST(? AS JSONB)) {_REPLACE}",
            row,
        )


_NAMES = ("url", "site", "headline", "language", "published", "item")
_COLUMNS = ", ".join(("id", "revision", *_NAMES))
_REPLACE = "ON CONFLICT (id, revision) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in (*_NAMES, "delivered")
)
