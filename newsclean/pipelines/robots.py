"""Drops pages whose publisher asks not to take them: `noindex`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.drops import UnusablePage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler

    from newsclean.items import PageItem
    from newsclean.page import Page

#: Either means that the page is not to be taken.
NOT_TO_BE_TAKEN = frozenset(("noindex", "none"))
#: Rules with a value after a colon; what else is before a colon is the name of a crawler.
WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")


class RobotsStep:
    """Obeys `<meta name="robots">` and the header `X-Robots-Tag`."""

    def __init__(self, crawler: Crawler) -> None:
        self.obeys = crawler.settings.getbool("NEWSCLEAN_OBEY_NOINDEX")

    def check(self, item: PageItem, page: Page) -> None:
        if not self.obeys or item.origin is not None:  # what others ask for is theirs to decide
            return
        headers = [
            value.decode("latin-1") for value in item.response.headers.getlist(b"X-Robots-Tag")
        ]
        if rules_for_all(headers) & NOT_TO_BE_TAKEN or meta_rules(page) & NOT_TO_BE_TAKEN:
            raise UnusablePage(
                item.url, "noindex", "its publisher asks not to take it (NEWSCLEAN_OBEY_NOINDEX)"
            )


def meta_rules(page: Page) -> set[str]:
    """The rules for all crawlers in the head of a page."""
    contents = (
        element.get("content") or ""
        for element in page.elements("meta")
        if (element.get("name") or "").strip().lower() == "robots"
    )
    return {rule.strip() for content in contents for rule in content.lower().split(",")}


def rules_for_all(headers: Iterable[str]) -> set[str]:
    """The rules of `X-Robots-Tag` headers that hold for all crawlers.

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
