"""The search page in a real browser: sizes, accessibility, no scripts, articles that mean harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.attack.vectors import VECTORS

from .indexed import article, copies_of_the_flood, write_index
from .served import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium_page import Accessibility, NewPage

    from .served import Served

pytestmark = pytest.mark.slow


@pytest.fixture
def searched(tmp_path: Path) -> Iterator[Served]:
    table = "".join(f"<td>{'wide' * 9}</td>" for _ in range(12))
    lines = [article(number) for number in range(15)]
    lines += copies_of_the_flood(f"{name}.example" for name in ("north", "south", "west"))
    lines += [
        article(60, headline="W" * 200, site=f"{'long' * 30}.example", section="S" * 100),
        article(61, headline="مطر غزير", language="ar", body="هطل مطر غزير على المدينة اليوم"),
        article(62, headline="Table", body_html=f"<p>Words</p><table><tr>{table}</table>"),
    ]
    with serving(tmp_path, index=write_index(tmp_path / "index.sqlite", lines)) as found:
        yield found


def logged_in(page: Page, served: Served) -> Page:
    page.goto(served.link)
    page.wait_for_selector(".tiles")
    return page


def searching(page: Page, words: str) -> None:
    page.get_by_label("Words to look for").fill(words)
    with page.expect_navigation():
        page.get_by_role("button", name="Search").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_all_pages_of_the_search_fit_and_axe_core_finds_nothing(
    searched: Served, new_page: NewPage, violations: Accessibility, width: int, scheme: str
) -> None:
    page = logged_in(new_page(width, color_scheme=scheme), searched)
    paths = (
        "/search",
        "/search?q=river",
        "/search?q=lantern&newest=1&site=example.org&page=2",
        "/search?q=nothinglikethis&since=2026-03-01",
        "/search?q=%22not+closed",
        "/search?q=المدينة",
        "/article?id=a60",
        "/article?id=a61",
        "/article?id=a62",
    )
    for path in paths:
        page.goto(searched.address + path)
        page.wait_for_load_state("load")  # before, the page may stand without its style
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert violations(page) == [], path


def test_logging_in_searching_and_reading_need_no_script(
    searched: Served, new_page: NewPage, requests: list[str]
) -> None:
    page = new_page(390, java_script_enabled=False)
    page.goto(searched.link)
    page.get_by_text("Without JavaScript").wait_for()
    page.get_by_label("paste the token").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    page.get_by_text("The token is wrong").wait_for()
    page.get_by_label("paste the token").fill(searched.link)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Search", exact=True).click()
    page.locator(".filters summary").click()
    page.get_by_label("Newest first").check()
    page.get_by_label("Site").select_option("example.org")
    searching(page, "lantern")
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("link", name="Story 3", exact=True).click()
    page.get_by_role("heading", name="Story 3").wait_for()
    page.get_by_role("link", name="Back to the results").click()
    page.get_by_text("Page 2 of").wait_for()
    assert page.get_by_label("Site").input_value() == "example.org"
    assert page.get_by_label("Newest first").is_checked()
    searching(page, '"not closed')
    assert page.get_by_role("alert").inner_text().startswith("A quote that is not closed")
    assert not any(searched.access.token in address.partition("#")[0] for address in requests)


def test_a_search_works_with_the_keyboard_alone(searched: Served, new_page: NewPage) -> None:
    page = logged_in(new_page(), searched)
    page.goto(f"{searched.address}/search")
    page.get_by_label("Words to look for").focus()
    page.keyboard.type("river")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=river*")
    page.get_by_role("link", name="Flood goes on").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Flood goes on").wait_for()


def test_hostile_articles_run_nothing_and_ask_for_nothing(
    tmp_path: Path, new_page: NewPage, requests: list[str]
) -> None:
    outside = (
        '<img src="http://evil.invalid/1"><link rel=stylesheet href=http://evil.invalid/2>'
        '<style>@import "http://evil.invalid/3"</style><video poster=//evil.invalid/4></video>'
        '<meta http-equiv=refresh content="0;url=http://evil.invalid/5">'
    )
    harm = [vector.replace("HIT", "top.hit(1)") for vector in VECTORS]
    lines = [
        article(
            number,
            headline=vector,
            section=vector,
            site=vector,
            url="javascript:top.hit(2)",
            authors=[vector],
            keywords=[vector],
            lead=vector,
            language=vector,
            date_published=vector,
            body=f"lantern {vector}",
            body_html=f"<p>lantern</p>{vector}{outside}",
            images=[{"url": "http://evil.invalid/6", "role": "lead"}],
            image="http://evil.invalid/7",
        )
        for number, vector in enumerate(harm[::5])
    ]
    # All of them at once in one body.
    lines.append(article(999, body_html="".join(f"<div>{vector}</div>" for vector in harm)))
    with serving(tmp_path, index=write_index(tmp_path / "index.sqlite", lines)) as served:
        page = new_page()
        page.add_init_script("window.hits = []; window.hit = (n) => window.hits.push(n)")
        logged_in(page, served)
        pages = -(-len(lines) // 10)
        paths = [f"/search?q=lantern&page={number}" for number in range(1, pages + 1)]
        paths += [f"/article?id={line['id']}" for line in (*lines[::6], lines[-1])]
        for path in paths:
            page.goto(served.address + path)
            page.wait_for_load_state("load")
            page.evaluate(
                "document.querySelectorAll('main *').forEach(e => ['mouseover', 'focus', 'error', "
                "'toggle'].forEach(kind => e.dispatchEvent(new Event(kind))))"
            )
            assert page.evaluate("window.hits") == [], path
            assert page.url == served.address + path
            assert page.locator(".results > li, article .body p").count() > 0, path
        page.wait_for_timeout(300)
        assert page.evaluate("window.hits") == []
        assert all(address.startswith((served.address, "data:")) for address in requests)
