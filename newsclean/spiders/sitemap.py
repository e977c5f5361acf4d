"""The spider `sitemap`: from sitemaps, and robots.txt, to the articles of a site."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.utils.sitemap import sitemap_urls_from_robots

from newsclean.extraction.is_article import SURELY_NOT, article_likelihood
from newsclean.sources import Entry, Listing, newest_first, parse_sitemap
from newsclean.spiders.sites import source_file
from newsclean.spiders.source import SourceSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request

#: Of an index that names more sitemaps, the newest ones are read.
MAX_SITEMAPS = 100

ROBOTS_TXT = "/robots.txt"


class SitemapSpider(SourceSpider):
    """Crawls the articles that sitemaps name.

    -a url=URL[,URL…]   sitemaps, or robots.txt files that name some
    -a site=NAME        or the sitemaps of a site file
    -a category=NAME    of all articles; else the first segment of their addresses
    and since, until, limit.

    A news sitemap names articles alone. Of others, addresses that surely lead to no article are
    left out.
    """

    name = "sitemap"
    arguments = ("url", "site", "category")

    def __init__(
        self, url: str | None = None, site: str | None = None, category: str = "", **kw: Any
    ) -> None:
        super().__init__(**kw)
        self.url, self.site, self.category = url, site, category
        self.sitemaps: set[str] = set()

    def prepare(self) -> None:
        folder = self.setting("NEWSCLEAN_SITES")
        self.file = source_file(self.url, self.site, folder, "sitemaps")
        self.start_addresses = list(self.file.sitemaps)
        self.keep_delay(self.file)

    def read(self, body: bytes, url: str) -> Listing:
        if urlsplit(url).path == ROBOTS_TXT:
            return Listing(sitemaps=[Entry(found) for found in sitemap_urls_from_robots(body, url)])
        return parse_sitemap(body, url)

    def take(self, found: Listing, url: str) -> Iterator[Request]:
        for page in self.of_the_site(found.pages, url):
            if found.is_news or article_likelihood(page.url) >= SURELY_NOT:
                self.keep([replace(page, category=self.category)], url)
            else:
                self.count("links/not_followed/address")
        for sitemap in newest_first(self.of_the_site(found.sitemaps, url)):
            if sitemap.url in self.sitemaps or not self._may_be_wanted(sitemap):
                continue
            if len(self.sitemaps) >= MAX_SITEMAPS:
                self.count("sources/not_read")
                continue
            self.sitemaps.add(sitemap.url)
            yield self.source_request(sitemap.url)

    def _may_be_wanted(self, sitemap: Entry) -> bool:
        """Whether a sitemap may hold wanted articles: not if it last changed before them."""
        since, changed = self.window.since, sitemap.moment
        return since is None or changed is None or changed >= since
