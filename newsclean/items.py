"""What travels through the pipelines: a page, and then its article."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from newsclean.site import category_of, site_of

if TYPE_CHECKING:
    from scrapy.exceptions import DropItem
    from scrapy.http import Response

    from newsclean.article import Article
    from newsclean.corrections.result import CorrectionResult
    from newsclean.methods.hybrid.scoring import BlockScores
    from newsclean.neighborhood import NeighborSupport
    from newsclean.page import Page


class Prepared(Protocol):
    """A page that was read before it came to the pipelines."""

    @property
    def page(self) -> Page: ...

    @property
    def scores(self) -> BlockScores | None: ...

    def support(self, category: str, enough: int) -> NeighborSupport: ...


@dataclass(eq=False, repr=False)
class PageItem:
    """A downloaded page: what a spider yields.

    `PageItem(response, category="sport")`; the category defaults to the first segment of the URL's
    path that is a section's name.
    """

    response: Response
    category: str = ""
    #: the item of somebody else's spider to which the article belongs
    origin: Any = None
    #: whether it is no longer parked, however few neighbors it has
    final_attempt: bool = False
    #: its number in the memory, where it is stored until its article is delivered
    number: int | None = None
    #: of a page of an archive, what is known of it already: it is safe there, and neither stored,
    #: nor learned, nor parked
    prepared: Prepared | None = None
    #: of a kept page, the revision of the article that is made of it again
    reextracted: int | None = None
    #: and the name by which the memory knows the article
    article_name: str | None = None
    #: None of a saved page where nobody says it
    fetched_at: str | None = field(
        default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds")
    )
    #: how many neighbors it was compared with
    neighbors: int = field(default=0, init=False)
    #: `site` or `category` if this page has shown that that has a new template
    new_template: str = field(default="", init=False)
    #: when its article was published, in seconds since 1970, if that is known
    published: float | None = field(default=None, init=False)
    #: what the corrections of its site have done to it, if there are any
    corrected: CorrectionResult | None = field(default=None, init=False)
    #: what has come of it, where the work was done before it came to the pipelines
    outcome: ArticleItem | DropItem | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.category = self.category or section_of(self.url)

    def __repr__(self) -> str:
        """Short: Scrapy logs it with every drop."""
        return f"<PageItem {self.url}>"

    @property
    def is_foreign(self) -> bool:
        """Whether it comes with the item of somebody else's spider."""
        return self.origin is not None

    @property
    def url(self) -> str:
        return self.response.url

    @property
    def site(self) -> str:
        return site_of(self.url) or ""


@dataclass(frozen=True, eq=False, repr=False)
class ArticleItem:
    """The article of a page, about to be exported."""

    page: PageItem
    article: Article
    #: the name under which it is pending, None if this state of it was delivered before
    name: str | None

    def __repr__(self) -> str:
        return f"<ArticleItem {self.page.url}>"


def section_of(url: str) -> str:
    """The category of an article that comes without one: the first segment of its path.

    >>> section_of("https://example.org/sport/2026/03/who-won-123.html")
    'sport'
    >>> section_of("https://example.org/2026/03/14/who-won")
    'home'
    """
    first, *others = category_of(url).split("/")
    return first if others and not any(c.isdecimal() for c in first) else "home"
