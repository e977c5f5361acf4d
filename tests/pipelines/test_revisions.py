"""A revision means that the article changed: not the page around it, and not what we make of it."""

from collections.abc import Sequence
from typing import Any

import pytest

from newsclean.demo.world import DemoArticle

from .demo_pages import (
    EDITS,
    SEED,
    Edit,
    Press,
    Reader,
    edit_json_ld,
    edit_menu,
    paragraphs,
    presses,
)
from .pages import Chain

#: After so many further pages, all are downloaded again.
NEIGHBORS = (1, 2, 5, 12, 50)
PAGES = 12
PRESSES = list(presses())
MORE = list(presses(SEED + 1))
NAMES = [f"{p.site.publisher.key} {'new' if p.redesigned else 'old'}" for p in PRESSES]


def reader(**settings: Any) -> Reader:
    return Reader(Chain(NEWSCLEAN_MIN_NEIGHBORS=0, **settings))


def watch(press: Press, more: Press, *, is_same_load: bool) -> Reader:
    """Read pages again while more and more neighbors become known; no revision comes of it."""
    crawl = reader()
    watched = press.articles[:PAGES]
    others = [(press, article) for article in press.articles[PAGES:]]
    used = {article.url for article in press.articles}
    others += [(more, article) for article in more.articles if article.url not in used]
    assert len(others) > max(NEIGHBORS)
    for article in watched:
        assert crawl.read(article.url, press.load(article, "first")) == 1
    for known, (publisher, other) in enumerate(others, 1):
        crawl.read(other.url, publisher.load(other, "first"))
        if known in NEIGHBORS:
            load = "first" if is_same_load else known
            again = [crawl.read(article.url, press.load(article, load)) for article in watched]
            assert again == [None] * PAGES
    return crawl


@pytest.mark.parametrize("is_same_load", [True, False], ids=["same page", "other adverts"])
def test_what_is_only_extracted_otherwise_is_no_revision(is_same_load: bool) -> None:
    otherwise = 0
    for press, more in zip(PRESSES, MORE, strict=True):
        crawl = watch(press, more, is_same_load=is_same_load)
        bodies = (crawl.bodies[article.url] for article in press.articles[:PAGES])
        otherwise += sum(len(set(states)) > 1 for states in bodies)
    assert otherwise >= 5


def editable(press: Press, count: int) -> Sequence[tuple[DemoArticle, str]]:
    """Pages whose paragraphs can be edited."""
    loaded = ((article, press.load(article, "first")) for article in press.articles)
    return [(a, html) for a, html in loaded if len(paragraphs(html, a)) > 1][:count]


def read_and_edit(edit: Edit) -> list[int | None]:
    """Twelve pages, three of each template."""
    pages = [page for press in PRESSES for page in editable(press, PAGES // len(PRESSES))]
    assert len(pages) == PAGES
    crawl = reader()
    for article, html in pages:
        assert crawl.read(article.url, html) == 1
    found = []
    for article, html in pages:
        edited = edit(html, article)
        assert edited != html
        found.append(crawl.read(article.url, edited))
    return found


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_of_the_article_is_a_revision(kind: str) -> None:
    assert read_and_edit(EDITS[kind]) == [2] * PAGES


@pytest.mark.parametrize("edit", [edit_menu, edit_json_ld])
def test_a_change_around_the_article_is_none(edit: Edit) -> None:
    assert read_and_edit(edit) == [None] * PAGES


@pytest.mark.parametrize("press", PRESSES, ids=NAMES)
def test_adverts_and_related_links_alone_are_none(press: Press) -> None:
    """They are other ones with each load of a demo page."""
    crawl = reader()
    for load in range(5):
        found = [crawl.read(a.url, press.load(a, load)) for a in press.articles[:PAGES]]
        assert found == [None if load else 1] * PAGES


def test_another_method_makes_no_revision(tmp_path: Any) -> None:
    press, memory = PRESSES[1], str(tmp_path / "memory.sqlite")
    first = reader(NEWSCLEAN_MEMORY=memory)
    for article in press.articles[:PAGES]:
        assert first.read(article.url, press.load(article, 1)) == 1
    first.memory.close()
    second = reader(NEWSCLEAN_MEMORY=memory, NEWSCLEAN_METHOD="mss")
    found = [second.read(a.url, press.load(a, 2)) for a in press.articles[:PAGES]]
    assert found == [None] * PAGES
    bodies = [(first.bodies[url], second.bodies[url]) for url in first.bodies]
    assert sum(one != other for one, other in bodies) >= PAGES / 2
