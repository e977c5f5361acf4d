"""Why a page leaves the pipelines without an article."""

from __future__ import annotations

from scrapy.exceptions import DropItem


class ParkedPage(DropItem):
    """A page leaves the pipelines until it has neighbors; it comes back."""

    def __init__(self, url: str, neighbors: int) -> None:
        super().__init__(f"parked, has {neighbors} neighbors: <{url}>", log_level="DEBUG")


class UnusablePage(DropItem):
    """A page ends here, with the reason in the log and in the stats.

    What is known was delivered before, at this address or another one.
    """

    def __init__(self, url: str, reason: str, message: str, *, is_known: bool = False) -> None:
        super().__init__(f"{message} [{reason}] <{url}>", log_level="INFO")
        self.reason = reason
        self.is_known = is_known


class UnstoredPage(DropItem):
    """A page leaves the pipelines because the crawl's storage has failed; the next run has it."""

    def __init__(self, url: str) -> None:
        super().__init__(f"left for the next run: <{url}>", log_level="DEBUG")
