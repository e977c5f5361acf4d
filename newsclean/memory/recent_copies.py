"""Near copies among the recent articles of all sites, by their fingerprints.

`newsclean.extraction.near_copies` says what a near copy is. Only a crawl that asks for near copies
(`CopyPipeline`) writes here.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from newsclean.extraction.near_copies import (
    are_near,
    band_keys,
    packed_fingerprint,
    unpacked_fingerprints,
)
from newsclean.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newsclean.extraction.near_copies import Fingerprint
    from newsclean.memory.database import Database

#: Seconds for which a fingerprint is stored, some 2 kB each: copies of a report come within hours.
_MAX_AGE = 3 * 24 * 3600
#: An article is compared with at most this many others, oldest first.
_MAX_CANDIDATES = 200


class RecentCopies:
    """The fingerprints of recent articles, each with the first article that it is a copy of."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._has_pruned = False

    def add(self, article: str, site: str, fingerprint: Fingerprint) -> str | None:
        """Store an article, and return the id of the one that it is a near copy of.

        That is the article of another registered domain that was stored first. A later state of an
        article replaces the earlier one.
        """
        domain, keys = registered_domain(site), sorted({*band_keys(fingerprint)})

        def store() -> str:
            if not self._has_pruned:
                self._remove("seen < ?", [time.time() - _MAX_AGE])
                self._has_pruned = True
            self._remove("article = ?", [article])
            original = self._original(domain, keys, fingerprint) or article
            self.database.execute(
                "INSERT INTO fingerprint (article, site, original, numbers, seen) "
                "VALUES (?, ?, ?, ?, ?)",
                (article, domain, original, packed_fingerprint(fingerprint), time.time()),
            )
            self.database.execute_many(
                "INSERT INTO fingerprint_band (key, article) VALUES (?, ?)",
                [(key, article) for key in keys],
            )
            return original

        original = self.database.atomically(store, site)
        return None if original == article else original

    def _original(self, domain: str, keys: Sequence[int], fingerprint: Fingerprint) -> str | None:
        places = ", ".join("?" for _ in keys)
        rows = self.database.query(
            "SELECT original, numbers FROM fingerprint WHERE site != ? AND article IN "
            f"(SELECT article FROM fingerprint_band WHERE key IN ({places})) "
            f"ORDER BY seen, article LIMIT {_MAX_CANDIDATES}",
            (domain, *keys),
        )
        if not rows:
            return None
        near = are_near(fingerprint, unpacked_fingerprints([bytes(raw) for _, raw in rows]))
        return str(rows[int(np.argmax(near))][0]) if near.any() else None

    def forget(self, site: str) -> None:
        """Remove the articles of a registered domain."""
        self._remove("site = ?", [registered_domain(site)])

    def _remove(self, where: str, values: Sequence[object]) -> None:
        chosen = f"SELECT article FROM fingerprint WHERE {where}"
        self.database.execute(f"DELETE FROM fingerprint_band WHERE article IN ({chosen})", values)
        self.database.execute(f"DELETE FROM fingerprint WHERE {where}", values)
