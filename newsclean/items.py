"""`PageItem`, the item that goes through the pipelines, and the reasons why it may leave them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from scrapy.exceptions import DropItem

from newsclean.error_hints import nearest
from newsclean.extraction.text import counted
from newsclean.urls import section_of, site_of

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from newsclean.article import Article
    from newsclean.extraction.corrections.site_corrections import CorrectionResult
    from newsclean.extraction.extractor import Extraction
    from newsclean.extraction.methods.chain import Choice, Evidence
    from newsclean.extraction.methods.hybrid.decision import BlockScores
    from newsclean.extraction.neighborhood import NeighborSupport
    from newsclean.extraction.page import Page

_ALL = "all"
#: Reasons for which a page that has an article may be dropped.
_OF_ARTICLES = ("no-article", "unchanged", "duplicate")
#: Reasons for which a page cannot have one; `http` is any error status.
_OF_PAGES = ("http", "not-html", "empty", "too-large", "too-complex", "blocked")


class Prepared(Protocol):
    """A page that was read before it came to the pipelines."""

    @property
    def page(self) -> Page: ...

    @property
    def scores(self) -> BlockScores | None: ...

    def support(self, category: str, enough: int) -> NeighborSupport: ...


class PageItem:
    """A downloaded page: what a spider yields, and what each pipeline adds its result to.

    `PageItem(response, category="sport")`; the category defaults to the first segment of the URL's
    path that is a section's name.

    It is a plain class, which no feed accepts as an item: a page that has not become an article
    can't be exported.
    """

    def __init__(
        self,
        response: Response,
        category: str = "",
        *,
        third_party_item: Any = None,
        final_attempt: bool = False,
        number: int | None = None,
        prepared: Prepared | None = None,
        reextracted: int | None = None,
        article_name: str | None = None,
        fetched_at: str | None = "now",
        arrived: Response | None = None,
    ) -> None:
        self.response = response
        #: the response that the spider got, by which signals of Scrapy name the page; another one
        #: if the page was joined from several
        self.arrived = response if arrived is None else arrived
        self.category = category or section_of(response.url)
        #: the item of the project's own spider that the article is filled into
        self.third_party_item = third_party_item
        #: whether it is no longer parked, however few neighbors it has
        self.final_attempt = final_attempt
        #: its number in the memory, where it is stored until its article is delivered
        self.number = number
        #: for a page of an archive, what has been read already: it is safe there, so it is neither
        #: stored, nor learned, nor parked
        self.prepared = prepared
        #: for a kept page, the revision of the article that is extracted again
        self.reextracted = reextracted
        #: and the name by which the memory knows the article
        self.article_name = article_name
        #: None for a saved page whose time of download is unknown
        self.fetched_at = fetched_at
        if fetched_at == "now":
            self.fetched_at = datetime.now(UTC).isoformat(timespec="seconds")

        # What the pipelines add, in their order. A value that no later pipeline declares in its
        # `needs` is dropped again in the worker thread.
        self.page: Page | None = None
        #: block scores, neighbors, rendering
        self.evidence: Evidence | None = None
        #: what is left after static and dynamic noise were marked
        self.choice: Choice | None = None
        #: what the method has chosen from that as the article
        self.content: Choice | None = None
        self.extraction: Extraction | None = None
        self.article: Article | None = None

        #: how many neighbors it was compared with
        self.neighbors = 0
        #: `site` or `category` if this page has shown that that has a new template
        self.new_template = ""
        #: what the corrections of its site have changed, if there are any
        self.corrected: CorrectionResult | None = None
        #: when its article was published, in seconds since 1970, if that is known
        self.published: float | None = None
        #: whether its article was compared with the states that were delivered before
        self.is_revised = False
        #: the name under which its article is pending, None if this state was delivered before
        self.pending_name: str | None = None

        #: the pipelines that are done with it in a worker thread
        self.worked_by: list[Any] = []
        #: the pipeline that failed on it or dropped it, and the exception
        self.failure: tuple[Any, Exception] | None = None

    def __repr__(self) -> str:
        """Short: Scrapy logs it with every drop."""
        return f"<PageItem {self.url}>"

    @property
    def is_third_party(self) -> bool:
        """Whether it comes with an item of the project's own spider."""
        return self.third_party_item is not None

    @property
    def url(self) -> str:
        return self.response.url

    @property
    def site(self) -> str:
        return site_of(self.url) or ""


class ParkedPage(DropItem):
    """A page leaves the pipelines because it has too few neighbors; it comes back."""

    def __init__(self, url: str, neighbors: int) -> None:
        super().__init__(
            f"parked with {counted(neighbors, 'neighbor')}: <{url}>", log_level="DEBUG"
        )


class UnusablePage(DropItem):
    """A page is dropped, with the reason in the log and in the stats.

    `is_known` if its article was delivered before, under this URL or another one.
    """

    def __init__(self, url: str, reason: str, message: str, *, is_known: bool = False) -> None:
        super().__init__(f"{message} [{reason}] <{url}>", log_level="INFO")
        self.reason = reason
        self.is_known = is_known


class BlockedPage(UnusablePage):
    """A page is dropped because it is a wall: it says nothing about its URL."""


class UnstoredPage(DropItem):
    """A page leaves the pipelines because the storage has failed; the next run takes it over."""

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
        known = (_ALL, *_OF_ARTICLES, *_OF_PAGES)
        for name in names:
            if name not in known:
                raise ValueError(f"no reason {name!r}; did you mean {nearest(name, known)!r}?")
        self.reasons = frozenset(known if _ALL in names else names)

    def drops(self, reason: str, *, is_third_party: bool) -> bool:
        """Tell whether a page is dropped for this reason."""
        name = reason.partition("/")[0]
        if name.startswith("http-"):
            name = "http"
        if not is_third_party and name not in _OF_ARTICLES:
            return True
        return not is_third_party if self.reasons is None else name in self.reasons
