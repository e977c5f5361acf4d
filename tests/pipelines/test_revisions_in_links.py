"""An edit of the article is a revision, however many words of its paragraphs are links."""

import re
from itertools import islice

import pytest

from newsclean.demo.world import DemoArticle

from .demo_pages import EDITS, Press, Reader, paragraphs, presses, with_paragraph_after
from .pages import Chain

PAGES = 12
PRESSES = list(presses())
NAMES = [f"{p.site.publisher.key} {'new' if p.redesigned else 'old'}" for p in PRESSES]
#: Linked words of a paragraph, in percent.
LINKED = (0, 30, 60)
LINK_WORDS = 3
#: Paragraphs of a page that have links, or more where an edit adds one.
PARAGRAPHS = 2
#: A paragraph, also one that an edit has added, as the templates show it.
_PARAGRAPH = re.compile(r"(?<=<p>)[^<>]{60,}(?=</p>)|(?<=<br><br>)[^<>]{60,}(?=<br><br>)")


def reader() -> Reader:
    return Reader(Chain(NEWSCLEAN_MIN_NEIGHBORS=0))


def linked(text: str, percent: int) -> str:
    """A text with links of three words, which hold at least so many of its words."""
    words = text.split()
    if not percent:
        return text
    for start in range(0, len(words), LINK_WORDS * 100 // percent):
        end = min(start + LINK_WORDS, len(words)) - 1
        words[start] = f'<a href="/topics/{start}">{words[start]}'
        words[end] += "</a>"
    return " ".join(words)


def with_links(html: str, original: str, article: DemoArticle, percent: int) -> str:
    """A page whose first paragraphs have links, and so have those that the original has not."""
    first = paragraphs(original, article)[:PARAGRAPHS]
    new = set(_PARAGRAPH.findall(html)).difference(_PARAGRAPH.findall(original))
    for text in (*first, *new):
        html = html.replace(text, linked(text.strip(), percent), 1)
    return html


def editable() -> list[tuple[DemoArticle, str]]:
    """Twelve pages whose paragraphs can be edited, three of each template."""
    pages: list[tuple[DemoArticle, str]] = []
    for press in PRESSES:
        loaded = ((article, press.load(article, "first")) for article in press.articles)
        fitting = (page for page in loaded if len(paragraphs(page[1], page[0])) >= PARAGRAPHS)
        pages += islice(fitting, PAGES // len(PRESSES))
    return pages


@pytest.mark.parametrize("percent", LINKED)
@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_in_a_paragraph_with_links_is_a_revision(kind: str, percent: int) -> None:
    crawl, pages = reader(), editable()
    for article, html in pages:
        assert crawl.read(article.url, with_links(html, html, article, percent)) == 1
    found = []
    for article, html in pages:
        edited = EDITS[kind](html, article)
        assert edited != html
        found.append(crawl.read(article.url, with_links(edited, html, article, percent)))
    assert found == [2] * PAGES


@pytest.mark.parametrize("percent", LINKED)
@pytest.mark.parametrize("press", PRESSES, ids=NAMES)
def test_other_adverts_around_paragraphs_with_links_are_none(press: Press, percent: int) -> None:
    """Adverts and related links are other ones with each load of a demo page."""
    crawl = reader()
    for load in range(5):
        found = []
        for article in press.articles[:PAGES]:
            html = press.load(article, load)
            found.append(crawl.read(article.url, with_links(html, html, article, percent)))
        assert found == [None if load else 1] * PAGES


def with_line(html: str, article: DemoArticle, line: str) -> str:
    """A page with one more line between the paragraphs of its article."""
    return with_paragraph_after(html, paragraphs(html, article)[0], line)


@pytest.mark.parametrize(
    "label", ["", "Related:", "You may also like:", "Das k\u00f6nnte Sie auch interessieren:"]
)
def test_other_related_links_between_the_paragraphs_are_none(label: str) -> None:
    crawl, pages = reader(), editable()
    for number, other in enumerate(("The moths of Lanmoor are back", "Strike at the mill ends")):
        found = []
        for article, html in pages:
            line = f'{label} <a href="/{number}">{other} in {article.place} {number}</a>'
            found.append(crawl.read(article.url, with_line(html, article, line)))
        assert found == [None if number else 1] * PAGES


def test_another_word_in_a_paragraph_that_is_a_link_is_a_revision() -> None:
    crawl, pages = reader(), editable()
    for revision, word in ((1, "Monday"), (2, "Thursday")):
        found = []
        for article, html in pages:
            first = paragraphs(html, article)[0]
            said = f"{first} The clerk of {article.place} said on {word} that it will be heard."
            whole = html.replace(first, f'<a href="/all">{said}</a>', 1)
            found.append(crawl.read(article.url, whole))
        assert found == [revision] * PAGES
