"""The spider `feed`: from RSS, Atom, RDF and JSON feeds to their articles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from newsclean.sources import Listing, parse_feed
from newsclean.spiders.sites import source_file
from newsclean.spiders.source import SourceSpider
from newsclean.spiders.window import main_site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Request


class FeedSpider(SourceSpider):
    """Crawls the articles that feeds announce.

    -a url=URL[,URL…]   feeds
    -a site=NAME        or the feeds of a site file
    -a category=NAME    of all articles; else the first segment of their addresses
    and since, until, limit.

    A feed may be kept at another host than its articles: followed are the entries that lead to the
    feed's own site, or, if there are none, to the site to which most of them lead.
    """

    name = "feed"
    arguments = ("url", "site", "category")

    def __init__(
        self, url: str | None = None, site: str | None = None, category: str = "", **kw: Any
    ) -> None:
        super().__init__(**kw)
        self.url, self.site, self.category = url, site, category

    def prepare(self) -> None:
        folder = self.setting("NEWSCLEAN_SITES")
        self.file = source_file(self.url, self.site, folder, "feeds")
        self.start_addresses = list(self.file.feeds)
        self.keep_delay(self.file)

    def read(self, body: bytes, url: str) -> Listing:
        return parse_feed(body, url)

    def take(self, found: Listing, url: str) -> Iterable[Request]:
        pages = found.pages
        own = self.of_the_site(pages, url) or self.of_the_site(pages, main_site(pages) or url)
        self.keep((replace(entry, category=self.category) for entry in own), url)
        return ()
