"""Where articles are named: feeds, sitemaps and lists of addresses."""

from newsclean.sources.entries import Entry, Listing, newest_first
from newsclean.sources.sitemaps import parse_sitemap
from newsclean.sources.url_lists import read_url_list
from newsclean.sources.web_feeds import declared_feeds, parse_feed
from newsclean.sources.xml import SourceError

__all__ = [
    "Entry",
    "Listing",
    "SourceError",
    "declared_feeds",
    "newest_first",
    "parse_feed",
    "parse_sitemap",
    "read_url_list",
]
