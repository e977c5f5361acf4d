"""Learns each page and asks its neighbors; a page with too few of them is parked in the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.drops import ParkedPage
from newsclean.memory import StoredPage
from newsclean.memory.crawl import memory_of
from newsclean.methods import Evidence
from newsclean.responses import fetch_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from newsclean.items import PageItem
    from newsclean.methods import Method
    from newsclean.page import Page


class NeighborhoodStep:
    def __init__(self, crawler: Crawler, method: Method) -> None:
        self.memory = memory_of(crawler)
        self.method = method
        self.min_neighbors = crawler.settings.getint("NEWSCLEAN_MIN_NEIGHBORS")

    def learn(self, item: PageItem, page: Page) -> Evidence:
        """What the network and the neighbors say of a page; raises `ParkedPage` if those are few.

        The page itself is stored until its article is delivered, and learned. A page of an archive
        is safe there, and its spider knows its neighbors.
        """
        if item.prepared is not None:
            neighbors = item.prepared.support(item.category, self.min_neighbors)
            item.neighbors = neighbors.count
            return Evidence(item.prepared.scores, neighbors)
        scores = self.method.score_blocks(page)
        keys = self.method.keys(page, scores)
        if item.number is None and item.reextracted is None:  # it does not come from the memory
            arrival = self.memory.store_and_learn(_stored(item), item.url, keys)
            item.number, item.new_template = arrival
        neighbors = self.memory.sites.support_for(
            item.site, item.category, item.url, keys, self.min_neighbors
        )
        item.neighbors = neighbors.count
        if neighbors.count < self.min_neighbors and not item.final_attempt and item.number:
            self.memory.pages.park(item.number)
            raise ParkedPage(item.url, neighbors.count)
        return Evidence(scores, neighbors)


def _stored(item: PageItem) -> StoredPage:
    return StoredPage(
        url=item.url,
        site=item.site,
        category=item.category,
        content_type=(item.response.headers.get("Content-Type") or b"").decode("latin-1"),
        fetched_at=item.fetched_at or "",
        body=item.response.body,
        origin=item.origin,
        fetch=fetch_of(item.response),
    )
