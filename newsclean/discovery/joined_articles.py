"""Articles on several pages, joined into one page.

In: the first page, and the pages that continue it or have all of it. Out: the first page with the
text of the others after its own, which is stored, learned and extracted like any other page. Pages
that do not continue the article are left out: another article, the same article with more comments,
the pictures of a gallery.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree, html

from newsclean.discovery.paging import article_pages
from newsclean.extraction.extractor import PAGES_META
from newsclean.extraction.is_article.link_target import UrlParts, url_features
from newsclean.extraction.page import PageError
from newsclean.extraction.page.columns import line_breaking_around
from newsclean.extraction.text import comparison_key, count_words, fold_spaces

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from newsclean.discovery.paging import ArticlePages
    from newsclean.extraction.extractor import Extraction, Extractor
    from newsclean.extraction.page import Page

#: How many pages of an article are joined, unless something else is asked for.
ARTICLE_PAGES = 10
#: New words of a page that continues an article, on average: a gallery has fewer.
_MIN_NEW_WORDS = 80
#: The share of a page's words that the first page has, too: with more, it has the same article.
_MAX_REPEATED = 0.5
#: The share of the first page's words that a page with all of the article has.
_MIN_WHOLE = 0.7
#: Elements between whose children no paragraph may stand.
_CLOSED = frozenset("p li ul ol dl dd dt table thead tbody tr td th figure blockquote pre".split())


class JoinedPage(NamedTuple):
    """The source of a page with all of an article, and the numbers of the later pages in it."""

    body: bytes
    numbers: tuple[int, ...]


class ArticleJoiner:
    """Joins the pages of an article, one after the other, wherever they come from.

    While `wanted` is the URL of a page, pass the page at it to `add`, or None if it cannot be had.
    Then `joined` is the result, None if nothing continues the article.
    """

    def __init__(
        self, first: Extraction, pages: ArticlePages, extractor: Extractor, max_pages: int
    ) -> None:
        self.first = first
        self.extractor = extractor
        self.max_pages = max_pages
        #: the URLs of the further pages that are known, by number, and how many pages there are
        self.urls, self.total = dict(pages.urls), pages.total
        #: the page with all of the article, if one is linked
        self.whole = pages.whole
        #: the URL of the page to pass next
        self.wanted = pages.whole
        self.joined: JoinedPage | None = None
        self._others: dict[int, Extraction] = {}
        self._number = 1
        if self.wanted is None:
            self._want_next()

    @classmethod
    def of(cls, page: Page, extractor: Extractor, max_pages: int) -> ArticleJoiner | None:
        """Return a joiner for the article of its first page, None if it has no other pages."""
        pages = article_pages(page, page.url or "")
        if pages is None:
            return None
        first = extractor(page)
        return cls(first, pages, extractor, max_pages) if may_continue(first) else None

    @property
    def page_urls(self) -> list[str]:
        """The URLs of all further pages of the article, also of those that are missing."""
        used = self.whole if self._number == 1 else None
        return [*filter(None, [used]), *self.urls.values()]

    def add(self, page: Page | None) -> None:
        """Add the page at the URL `wanted`."""
        try:
            may_go_on = page is None or self._continues(page)
        except PageError:  # of no use for the method
            may_go_on = True
        if may_go_on:
            self._want_next()
        else:
            self.wanted = None

    def _continues(self, page: Page) -> bool:
        """Join a page; tell whether the article may go on on further pages."""
        if self._number == 1:
            self.joined = join_whole(self.first, page, self.total, self.extractor)
            return self.joined is None
        later = self.extractor(page)
        more = article_pages(page, self.urls[self._number], self.first.page.url)
        self._others[self._number] = later
        if more is not None:
            self.urls, self.total = more.urls | self.urls, max(self.total, more.total)
        self.joined = join_pages(self.first, self._others, self.total)
        # If it is None, they are a gallery, comments or a list: no need to see more of it.
        return self.joined is not None

    def _want_next(self) -> None:
        numbers = (number for number in self.urls if self._number < number <= self.max_pages)
        self._number = min(numbers, default=self.max_pages + 1)
        self.wanted = self.urls.get(self._number) if self._number <= self.max_pages else None


def may_continue(extraction: Extraction) -> bool:
    """Tell whether a page may be the first of several: no gallery, live blog or list."""
    if not extraction.prediction.is_article or "live_blog" in extraction.description:
        return False
    parts = UrlParts.of(extraction.page.url or "")
    return bool(url_features(parts)["reserved"] != "media")


def join_pages(
    first: Extraction, others: Mapping[int, Extraction], total: int
) -> JoinedPage | None:
    """Return the first page with the text of the pages that continue it, None if none does.

    `others` has the later pages by number, as far as they could be had.
    """
    known, words = _block_keys(first), 0
    added: dict[int, list[etree._Element]] = {}
    for number, later in sorted(others.items()):
        if not _is_same_article(first, later):
            continue
        known_then = set(known)
        blocks, new, repeated = _new_blocks(later, known_then)
        if not new or repeated > _MAX_REPEATED * (new + repeated):
            continue
        known = known_then
        words += new
        added[number] = blocks
    if not added or words < _MIN_NEW_WORDS * len(added):
        return None
    missing = [number for number in range(2, total + 1) if number not in added]
    blocks = [block for number in sorted(added) for block in added[number]]
    return _joined(first, blocks, total, missing, tuple(sorted(added)))


def join_whole(
    first: Extraction, whole: Page, total: int, extractor: Extractor
) -> JoinedPage | None:
    """Return the first page with the rest from a page that has all of the article, or None."""
    known = _block_keys(first)
    every = extractor(whole)
    blocks, new, repeated = _new_blocks(every, set(known))
    if new < _MIN_NEW_WORDS or repeated < _MIN_WHOLE * count_words(fold_spaces(first.text)):
        return None
    return _joined(first, blocks, total, [], tuple(range(2, total + 1)))


def _is_same_article(first: Extraction, later: Extraction) -> bool:
    """Tell whether a page has the headline of the first one, or names it as its canonical URL."""
    canonical = later.metadata.canonical_url
    if canonical and canonical in (first.page.url, first.metadata.canonical_url):
        return True
    one, two = (comparison_key(each.headline or "") for each in (first, later))
    return bool(one and two) and (one in two or two in one)


def _block_keys(extraction: Extraction) -> set[str]:
    """Return the texts of all blocks of a page, for comparison."""
    texts = (comparison_key(text) for text in extraction.page.blocks.text)
    return {text for text in texts if text}


def _new_blocks(extraction: Extraction, known: set[str]) -> tuple[list[etree._Element], int, int]:
    """Return the elements of a page's article that are not known, and the words of both kinds.

    What is new is known afterwards.
    """
    blocks: list[etree._Element] = []
    new = repeated = 0
    for element in _fragments(extraction.html):
        text = fold_spaces("".join(map(str, element.itertext())))
        key = comparison_key(text)
        if key and key in known:
            repeated += count_words(text)
            continue
        known.add(key)
        new += count_words(text)
        blocks.append(element)
    return blocks, new, repeated


def _fragments(source: str) -> Iterator[etree._Element]:
    if not source.strip():
        return
    for part in html.fragments_fromstring(source):
        if isinstance(part, str):
            element = html.Element("p")
            element.text = part
            if part.strip():
                yield element
        else:
            part.tail = None
            yield part


def _joined(
    first: Extraction,
    blocks: list[etree._Element],
    total: int,
    missing: list[int],
    numbers: tuple[int, ...],
) -> JoinedPage | None:
    """Put the blocks behind the last block of the first page's article."""
    page = first.page
    texts = page.text_rows[first.body.text[page.text_rows]]
    if not len(texts):
        return None
    row = int(line_breaking_around(page, texts[-1:])[0])
    last = page.element[row]
    root = deepcopy(page.root)
    same = (copy for copy, each in zip(root.iter(), page.root.iter(), strict=True) if each is last)
    anchor = next(same, None)
    parent = None if anchor is None else anchor.getparent()
    while parent is not None and parent.tag in _CLOSED:
        anchor, parent = parent, parent.getparent()
    if anchor is None or parent is None:
        return None
    for block in blocks:
        if block.tag == anchor.tag and (name := anchor.get("class")):
            block.set("class", name)
    parent[parent.index(anchor) + 1 : parent.index(anchor) + 1] = blocks
    head = root.find("head")
    note = etree.SubElement(root if head is None else head, "meta")
    note.set("name", PAGES_META)
    note.set("content", " ".join(map(str, (total, *missing))))
    body: bytes = etree.tostring(root, method="html", encoding="utf-8")
    return JoinedPage(body, numbers)
