"""The first hour of a search: crawl the demo, index it, search it in a browser, find no noise."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from newsclean.demo import DemoServer
from tests.crawl.demo_sites import HURRY, lines, newsclean_process

from .test_demo import serving

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium_page import NewPage

pytestmark = pytest.mark.slow

#: Of the Ledger's menu, footer, most-read block, consent box and box below that.
NOISE = (
    "Pictures Video Morning Tide",
    "printed on paper from old forests",
    "Most read",
    "use cookies to remember your settings",
    "reporters treat every tip in confidence",
)


def found(page: Page, phrase: str) -> list[str]:
    """The headlines of all results of a search for a phrase."""
    page.get_by_label("Words to look for").fill(f'"{phrase}"')
    with page.expect_navigation():  # the page before may have the same address
        page.get_by_role("button", name="Search").click()
    return page.locator(".results h3").all_inner_texts()


def test_a_crawled_article_is_found_by_its_body_and_not_by_what_surrounds_it(
    tmp_path: Path, new_page: NewPage
) -> None:
    with DemoServer() as server:
        ledger = server.publishers[0]
        first = ledger.section_urls[0]
        ran = newsclean_process(tmp_path, "crawl", first, "-sNEWSCLEAN_DISCOVER=0", *HURRY)
        assert ran.exit_code == 0, ran.errors
        crawled = lines(tmp_path / "articles.jsonl")
        assert len(crawled) >= 10
        with urlopen(crawled[0]["url"]) as answer:
            original = answer.read().decode()
    ran = newsclean_process(tmp_path, "index", "articles.jsonl")
    assert ran.exit_code == 0, ran.errors
    golds = {article.url: article for article in ledger.articles}
    article = golds[crawled[0]["url"]]
    words = article.gold.split("\n\n")[1].split()
    with serving(tmp_path) as link:
        page = new_page(390)
        page.goto(link)
        page.get_by_role("link", name="Search", exact=True).click()
        assert article.headline in found(page, " ".join(words[:6]))
        page.get_by_role("link", name=article.headline, exact=True).click()
        page.get_by_role("heading", name=article.headline).wait_for()
        assert article.gold.split("\n\n")[1] in page.locator("article .body").inner_text()
        with page.expect_navigation():
            page.get_by_role("link", name="Back to the results").click()
        for phrase in NOISE:
            assert phrase.split()[0] in original
            assert found(page, phrase) == [], phrase
            assert page.get_by_role("heading", name="Nothing was found").is_visible()
        # The headlines of others are in the most-read blocks: each is found on its own article.
        for line in crawled[:3]:
            assert found(page, line["headline"]) == [line["headline"]]
