"""What travels through the pipelines: a page on its way to an article."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from newsclean.article import Article
from newsclean.metadata import Metadata, read_metadata
from newsclean.site import category_of, site_of

if TYPE_CHECKING:
    from scrapy.http import Response

    from newsclean.methods import Choice
    from newsclean.neighborhood import Known
    from newsclean.page import Page
    from newsclean.render import Body


@dataclass(eq=False, repr=False)
class PageItem:
    """A downloaded page; each pipeline adds what it finds, and the last one hands on the article.

    A spider yields `PageItem(response, category="sport")`. The category defaults to the first
    part of the URL's path that is a section's name.
    """

    response: Response
    category: str | None = None
    #: the item of somebody else's spider to which the article belongs
    origin: Any = None
    #: whether it has waited for neighbors as long as it can
    waited: bool = False
    #: its number in the memory, where it is kept until its article is handed on
    number: int | None = None
    fetched_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    #: the name under which its article goes out
    name: str = ""
    article: Article = field(init=False)
    page: Page | None = None
    known: Known | None = None
    choice: Choice | None = None
    body: Body | None = None

    def __post_init__(self) -> None:
        url = self.response.url
        self.article = Article(
            url=url,
            site=site_of(url),
            category=self.category or section_of(url),
            fetched_at=self.fetched_at,
        )

    def __repr__(self) -> str:
        """Short: Scrapy logs it with every drop."""
        return f"<PageItem {self.url}>"

    @property
    def url(self) -> str:
        return self.response.url

    @cached_property
    def metadata(self) -> Metadata:
        assert self.page is not None  # the page pipeline has run
        return read_metadata(self.page.elements, self.url)


def section_of(url: str) -> str:
    """The category of an article that comes without one: the first step of its path.

    >>> section_of("https://example.org/sport/2026/03/who-won-123.html")
    'sport'
    >>> section_of("https://example.org/2026/03/14/who-won")
    'home'
    """
    steps = category_of(url).split("/")
    return steps[0] if len(steps) > 1 and not any(c.isdecimal() for c in steps[0]) else "home"
