"""The whole way on the demo: crawl, open, click, accept, make again; and a plain crawl after it."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from newsclean.demo import DemoServer
from newsclean.demo.demo_site import promo_text
from tests.crawl.demo_sites import HURRY, lines, newsclean_process, start_newsclean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from newsclean.demo.world import Publisher
    from tests.browser.chromium_page import NewPage

pytestmark = pytest.mark.slow

#: From the link that `newsclean serve` prints to an accepted correction.
MAX_CLICKS = 5


def with_promo(folder: Path, name: str, publisher: Publisher) -> tuple[int, int]:
    """How many articles of a file have the box in their text, and how many there are."""
    promos = {article.url: promo_text(article) for article in publisher.articles}
    articles = lines(folder / name)
    return sum(promos[line["url"]] in line["body"] for line in articles), len(articles)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """`newsclean serve` as a process of its own; the link that it prints."""
    process = start_newsclean(folder, "serve", "--port", "0")
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[1]
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=30)


class Clicks:
    """Clicks as a person does, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def link(self, selector: str) -> None:
        self.count += 1
        self.page.locator(selector).first.click()

    def block(self, words: str) -> None:
        self.count += 1
        self.page.frame_locator("#page-frame").get_by_text(words).click()

    def button(self, name: str) -> None:
        self.count += 1
        self.page.get_by_role("button", name=name, exact=True).click()


def test_five_clicks_take_a_promo_box_out_of_all_articles_old_and_new(
    tmp_path: Path, new_page: NewPage
) -> None:
    with DemoServer(promos=True) as server:
        ledger = server.publishers[0]
        first, *others = ledger.section_urls
        # The first crawl sees one section; the others are new to the second one.
        ran = newsclean_process(tmp_path, "crawl", first, "-sNEWSCLEAN_DISCOVER=0", *HURRY)
        assert ran.exit_code == 0, ran.errors
        wrong, count = with_promo(tmp_path, "articles.jsonl", ledger)
        assert wrong == count >= 10

        with serving(tmp_path) as link:
            page = new_page()
            clicks = Clicks(page)
            page.goto(link)
            clicks.link(".cells h3 a")
            clicks.link(".entries h3 a")
            page.wait_for_selector("html[data-map-ready]")
            shown = page.locator("#clean").inner_text()
            promo = next(promo_text(a) for a in ledger.articles if promo_text(a) in shown)
            clicks.block(promo[:60])
            clicks.button("This does not belong to the article")
            page.wait_for_selector("#accept")
            changed = page.locator(".preview-pages > li")
            assert changed.count() == count
            clicks.button("Accept")
            page.wait_for_selector(".banner")
            assert clicks.count <= MAX_CLICKS
            assert promo not in page.locator("#clean").inner_text()

        again = newsclean_process(
            tmp_path, "crawl", first, "--reextract", "-o", "again.jsonl", *HURRY
        )
        assert again.exit_code == 0, again.errors
        assert with_promo(tmp_path, "again.jsonl", ledger) == (0, count)
        for line in lines(tmp_path / "again.jsonl"):
            assert line["extraction"]["reextracted"] is True
            assert line["extraction"]["corrections"]["removed_words"] > 10

        new = newsclean_process(tmp_path, "crawl", *others, "-o", "new.jsonl", *HURRY)
        assert new.exit_code == 0, new.errors
        wrong, count = with_promo(tmp_path, "new.jsonl", ledger)
        assert wrong == 0
        assert count >= 10
