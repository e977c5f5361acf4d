"""Reads the page of a response: parse once, walk once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.browser.rendering import Rendering
from newsclean.drops import UnusablePage
from newsclean.extraction.methods import Choice, Evidence, method_named
from newsclean.extraction.page import PageError
from newsclean.pipelines.worker import WorkerPipeline
from newsclean.responses import ShownResponse, page_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler

    from newsclean.extraction.page import Page
    from newsclean.items import PageItem

#: Either means that the page must not be used.
NOINDEX = frozenset(("noindex", "none"))
#: Rules with a value after a colon; anything else before a colon is the name of a crawler.
WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")


class PagePipeline(WorkerPipeline):
    """Read the page; refuse what isn't one, and what its publisher doesn't want to be used.

    The method's network, if it has one, scores the blocks of the page here.
    """

    gives = ("page", "evidence", "choice")

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.max_size = settings.getint("NEWSCLEAN_MAX_PAGE_SIZE")
        self.obeys_noindex = settings.getbool("NEWSCLEAN_OBEY_NOINDEX")
        self.method = method_named(settings["NEWSCLEAN_METHOD"], settings["NEWSCLEAN_MODEL"])

    def process_page(self, item: PageItem) -> None:
        try:
            page = item.page = self.read(item)
            self.check_noindex(item, page)
            item.evidence = self.evidence_on(item, page)
        except PageError as error:
            raise UnusablePage(item.url, error.reason, str(error)) from None
        item.choice = Choice.everything(page)

    def read(self, item: PageItem) -> Page:
        response = item.response
        if response.status != 200:
            reason = f"http-{response.status}"
            raise UnusablePage(item.url, reason, "not a page: error status")
        if self.max_size and len(response.body) > self.max_size:
            size = f"{len(response.body):,} bytes, NEWSCLEAN_MAX_PAGE_SIZE is {self.max_size:,}"
            raise UnusablePage(item.url, "too-large", f"page too large: {size}")
        return page_of(response) if item.prepared is None else item.prepared.page

    def check_noindex(self, item: PageItem, page: Page) -> None:
        """Obey `<meta name="robots">` and the header `X-Robots-Tag`."""
        if not self.obeys_noindex or item.is_third_party:  # what a project asks for, it wants
            return
        headers = [
            value.decode("latin-1") for value in item.response.headers.getlist(b"X-Robots-Tag")
        ]
        if rules_for_all(headers) & NOINDEX or meta_rules(page) & NOINDEX:
            raise UnusablePage(
                item.url, "noindex", "its publisher asks not to take it (NEWSCLEAN_OBEY_NOINDEX)"
            )

    def evidence_on(self, item: PageItem, page: Page) -> Evidence:
        """Return what the page itself tells a method, without its neighbors."""
        rendering = None
        if self.method.needs_rendering:
            snapshot = item.response.snapshot if isinstance(item.response, ShownResponse) else None
            if snapshot is None:
                raise UnusablePage(item.url, "not-rendered", "no browser has rendered the page")
            rendering = Rendering.of(page, snapshot)
        if item.prepared is not None:
            return Evidence(item.prepared.scores, rendering=rendering)
        return Evidence(self.method.score_blocks(page), rendering=rendering)


def meta_rules(page: Page) -> set[str]:
    """Return the rules for all crawlers in the head of a page."""
    contents = (
        element.get("content") or ""
        for element in page.elements("meta")
        if (element.get("name") or "").strip().lower() == "robots"
    )
    return {rule.strip() for content in contents for rule in content.lower().split(",")}


def rules_for_all(headers: Iterable[str]) -> set[str]:
    """Return the rules of `X-Robots-Tag` headers that apply to all crawlers.

    >>> sorted(rules_for_all(["noarchive, NoIndex", "otherbot: none, nofollow"]))
    ['noarchive', 'noindex']
    >>> rules_for_all(["unavailable_after: 25 Jun 2030 15:00:00 PST, none"])
    {'none'}
    """
    rules = set()
    for header in headers:
        is_for_all = True
        for part in header.lower().split(","):
            name, colon, rule = part.partition(":")
            if colon and name.strip() in WITH_VALUE:
                continue
            if colon:
                is_for_all = name.strip() == "*"
            if is_for_all:
                rules.add((rule if colon else name).strip())
    return rules
