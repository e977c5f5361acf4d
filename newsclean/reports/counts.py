"""What a crawl has counted, site by site."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

from newsclean.reports.corrections import CorrectionCounts
from newsclean.urls import registered_domain, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy.crawler import Crawler

    from newsclean.article import Article


COUNTERS = ("dropped", "without")


@dataclass
class SiteCounts:
    """What one run has brought from one site."""

    #: articles that were delivered for the first time, and again because they had changed
    new: int = 0
    changed: int = 0
    #: articles that were delivered before and are the same, downloaded or not
    unchanged: int = 0
    requests: int = 0
    #: pages that were of no use, by reason
    dropped: Counter[str] = field(default_factory=Counter)
    #: new and changed articles of which a field was not found, by field
    without: Counter[str] = field(default_factory=Counter)
    #: section pages, feeds and sitemaps that led to articles, and those that could not be used
    sources: int = 0
    failed_sources: int = 0
    #: of the failed sources, those that have arrived
    useless_sources: int = 0
    #: how often a category or the whole site had a new template
    new_templates: int = 0
    corrections: CorrectionCounts = field(default_factory=CorrectionCounts)

    @property
    def articles(self) -> int:
        """All articles that were seen."""
        return self.new + self.changed + self.unchanged

    def count_article(self, article: Article) -> None:
        """Count what is handed on; some crawls hand on what others drop."""
        if not article.is_article:
            self.dropped["no-article"] += 1
        elif article.unchanged:
            self.unchanged += 1
        else:
            if (article.revision or 1) > 1:
                self.changed += 1
            else:
                self.new += 1
            self.without.update(missing_fields(article))

    def to_dict(self) -> dict[str, Any]:
        counters = {name: dict(getattr(self, name).most_common()) for name in COUNTERS}
        values = {**vars(self), **counters}
        del values["corrections"]  # a report has notes of them
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` has written, by any version; what is unknown is left out."""
        counts = cls()
        for name, value in values.items():
            if name in COUNTERS and isinstance(value, dict):
                counted = {str(k): v for k, v in value.items() if isinstance(v, int)}
                getattr(counts, name).update(counted)
            elif name in vars(counts) and isinstance(value, int):
                setattr(counts, name, value)
        return counts


def missing_fields(article: Article) -> list[str]:
    """What most articles have and this one lacks; where many do, the site gives it otherwise now.

    Pictures may be unwanted in the body; that the head names one is enough.
    """
    found = {
        "headline": article.headline,
        "authors": article.authors,
        "date": article.date_published,
        "picture": article.images or article.image,
    }
    return [name for name, value in found.items() if not value]


class RunCounts:
    """The counts of all sites of a run.

    Pages under other hosts of the same owner count for the site from which the crawl started.
    """

    def __init__(self) -> None:
        self.sites: dict[str, SiteCounts] = {}
        #: those from which the crawl started
        self.started: set[str] = set()
        self._owners: dict[str, str] = {}

    def start(self, addresses: Iterable[str]) -> None:
        """The sites from which the crawl starts."""
        for address in addresses:
            if name := site_of(address):
                self.started.add(name)
                self.sites.setdefault(name, SiteCounts())
                self._owners.setdefault(registered_domain(name), name)

    def of(self, url: str) -> SiteCounts:
        """The counts of the site of an address."""
        name = site_of(url) or ""
        if name not in self.sites:
            name = self._owners.setdefault(registered_domain(name), name)
        return self.sites.setdefault(name, SiteCounts())

    def reported(self) -> dict[str, SiteCounts]:
        """The sites that a report has: those that gave articles, or from which it started.

        A host that only serves the feeds of another site is left out.
        """
        sites = {
            site: counts
            for site, counts in self.sites.items()
            if counts.articles or site in self.started
        }
        if not any(counts.articles for site, counts in sites.items() if site not in self.started):
            return sites
        return {
            site: counts
            for site, counts in sites.items()
            if counts.articles or counts.dropped or not counts.sources
        }


_counts: WeakKeyDictionary[Crawler, RunCounts] = WeakKeyDictionary()


def counts_of(crawler: Crawler) -> RunCounts:
    """The counts that all components of a crawl share."""
    return _counts.setdefault(crawler, RunCounts())
