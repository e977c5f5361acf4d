"""Articles on several pages in archives: they are joined before all pages are extracted.

In: a `PageIndex`. Out: the same index, in which a joined page has taken the place of the first one
of its article, and the further pages are left out. Only pages are read whose URLs say that they may
belong together, so other archives cost no time. What is joined is in a file for one run.
"""

from __future__ import annotations

import logging
import os
import zlib
from typing import TYPE_CHECKING, NamedTuple

from newsclean.archives.archive_index import url_number
from newsclean.archives.record_bodies import read_page
from newsclean.archives.saved import JoinedBody, Position, SavedPageError
from newsclean.discovery.joined_articles import ArticleJoiner
from newsclean.discovery.paging import may_have_pages
from newsclean.extraction.is_article.walls import wall_of_page
from newsclean.extraction.page import Page, PageError
from newsclean.files import MAX_PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

    from newsclean.archives.archive_index import PageIndex
    from newsclean.archives.saved import SavedPage
    from newsclean.extraction.extractor import Extractor

logger = logging.getLogger(__name__)

_NAME = "joined-pages"


class PagedArticle(NamedTuple):
    """A page whose article may go on: all that another process needs to join it."""

    row: int
    first: Position
    #: the pages that may be its further ones, by the numbers of their URLs
    others: dict[int, Position]


class JoinedArticle(NamedTuple):
    """An article with all of its pages."""

    row: int
    #: compressed
    body: bytes
    #: the numbers of the URLs of its further pages
    urls: tuple[int, ...]
    #: how many further pages are in it
    pages: int


class JoinCounts(NamedTuple):
    """What was joined: articles, and the pages after the first that are in them."""

    articles: int = 0
    pages: int = 0


def join_articles(
    index: PageIndex,
    folder: str,
    work: Callable[[Iterator[PagedArticle]], Iterable[JoinedArticle | None]],
) -> JoinCounts:
    """Join the articles on several pages in an index; `folder` keeps what is joined.

    `work` calls `join_article` for each, in any process.
    """
    candidates = (
        PagedArticle(row, index.position(row), {url: index.position(n) for url, n in rows.items()})
        for row, rows in index.may_be_joined()
    )
    joined: dict[int, JoinedBody] = {}
    urls: set[int] = set()
    pages = 0
    path = os.path.join(folder, _NAME)
    with open(path, "wb") as file:
        for article in work(candidates):
            if article is not None:
                joined[article.row] = _added(file, path, article.body)
                urls.update(article.urls)
                pages += article.pages
    index.join(joined, urls)
    return JoinCounts(len(joined), pages)


def _added(file: BinaryIO, path: str, body: bytes) -> JoinedBody:
    place = JoinedBody(path, file.tell(), len(body))
    file.write(body)
    return place


def join_article(
    article: PagedArticle, extractor: Extractor, max_pages: int, max_size: int = MAX_PAGE_SIZE
) -> JoinedArticle | None:
    """Join an article with its further pages; return None if none of them was saved.

    As in a crawl, a missing page is not an error: the first page alone is the article then.
    """
    try:
        return _joined(article, extractor, max_pages, max_size)
    except (SavedPageError, PageError, MemoryError):  # reported when the page is extracted
        return None
    except Exception:  # whatever a page can do
        logger.exception("Pages of an article not joined: %s", article.first)
        return None


def _joined(
    article: PagedArticle, extractor: Extractor, max_pages: int, max_size: int
) -> JoinedArticle | None:
    first = read_page(article.first, max_size)
    if not first.url or not may_have_pages(first.body, first.url):
        return None
    joiner = ArticleJoiner.of(_page_of(first), extractor, max_pages)
    if joiner is None:
        return None
    unusable: set[int] = set()
    while joiner.wanted is not None:
        number = url_number(joiner.wanted)
        other = article.others.get(number)
        page = None if other is None else _further_page(other, joiner.wanted, max_size)
        if page is None:  # it stays among the pages, to be reported
            unusable.add(number)
        joiner.add(page)
    if joiner.joined is None:
        return None
    body, numbers = joiner.joined
    urls = tuple(url for url in map(url_number, joiner.page_urls) if url not in unusable)
    return JoinedArticle(article.row, zlib.compress(body, 1), urls, len(numbers))


def _further_page(position: Position, url: str, max_size: int) -> Page | None:
    try:
        return _page_of(read_page(position, max_size))
    except (SavedPageError, PageError) as error:
        logger.info("Page of an article not read: %s <%s>", error, url)
        return None


def _page_of(saved: SavedPage) -> Page:
    """Parse a page; `PageError` if it cannot be used, or if it is a wall."""
    page = Page.from_html(saved.body, saved.url, saved.content_type)
    if wall := wall_of_page(page):
        raise PageError(wall.reason, f"blocked by {wall}")
    return page
