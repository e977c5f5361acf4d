"""Why a page leaves the pipelines without an article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import DropItem

from newsclean.usage import nearest

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

ALL = "all"
#: Reasons for which a page that has an article may be dropped.
OF_ARTICLES = ("no-article", "unchanged", "duplicate")
#: Reasons for which a page cannot have one; `http` is any error status.
OF_PAGES = ("http", "not-html", "empty", "too-large", "too-complex")


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


class DropPolicy:
    """Which reasons drop a page, by the setting `NEWSCLEAN_DROP`.

    Without that setting: all drop the pages of newsclean's own spiders, none a third-party item.
    A page of our own without an article can't be exported, whatever the setting says.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self.reasons: frozenset[str] | None = None
        if settings.get("NEWSCLEAN_DROP") is None:
            return
        names = [str(name).strip() for name in settings.getlist("NEWSCLEAN_DROP")]
        known = (ALL, *OF_ARTICLES, *OF_PAGES)
        for name in names:
            if name not in known:
                raise ValueError(f"no reason {name!r}; did you mean {nearest(name, known)!r}?")
        self.reasons = frozenset(known if ALL in names else names)

    def drops(self, reason: str, *, is_third_party: bool) -> bool:
        """Tell whether a page is dropped for this reason."""
        name = reason.partition("/")[0]
        if name.startswith("http-"):
            name = "http"
        if not is_third_party and name not in OF_ARTICLES:
            return True
        return not is_third_party if self.reasons is None else name in self.reasons
