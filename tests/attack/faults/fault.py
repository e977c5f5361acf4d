"""A fault: a news site of which one thing is wrong, and what a crawl must make of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.attack.mock_server import Handler, Site, missing, reply
from tests.attack.news import SECTION, News
from tests.crawl.small_site import story

#: The page of a fault that concerns one article.
BROKEN = f"{SECTION}/the-broken-page-60001.html"
BROKEN_TITLE = "The broken page of the day"
WHOLE = story(BROKEN_TITLE)

#: The address of the site in every crawl with which nothing is wrong.
CONTROL = "127.0.1.1"


@dataclass(frozen=True)
class Fault:
    """Handlers by path come before the good pages; `rest` answers what no page has."""

    name: str
    pages: dict[str, Handler] = field(default_factory=dict)
    #: more links of the section: titles by path
    links: dict[str, str] = field(default_factory=dict)
    rest: Handler = missing
    #: more pages that must come out as articles
    wanted: frozenset[str] = frozenset()
    #: pages that may do so: how much of them is right, nobody can tell
    possible: frozenset[str] = frozenset()
    #: whether the good articles must come out; if not, nothing may be asked for but robots.txt;
    #: None: either is right
    is_open: bool | None = True
    #: requests that the site may get, robots.txt and repeated ones included
    max_requests: int = 40
    #: seconds that must be between two requests
    min_delay: float = 0.0

    def site(self, news: News) -> Site:
        """The handlers of this fault's site."""
        good = {path: reply(news.article(path)) for path in news.titles}
        good[SECTION] = reply(news.section(self.links))
        good["/robots.txt"] = reply("User-agent: *\nDisallow: /search\n", content_type="text/plain")
        pages = good | self.pages
        return lambda path: pages.get(path, self.rest)


def broken(name: str, handler: Handler, *, whole: bool = False, unsure: bool = False) -> Fault:
    """A fault of one article; `whole`: it must come out all the same, `unsure`: it may."""
    page = frozenset({BROKEN})
    return Fault(
        name,
        {BROKEN: handler},
        {BROKEN: BROKEN_TITLE},
        wanted=page if whole else frozenset(),
        possible=page if unsure else frozenset(),
    )
