"""`newsclean serve` in a real browser: log-in, sizes, accessibility, pages that mean harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.attack.vectors import VECTORS

from .served import PROMO, SITE, serving, story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium_page import Accessibility, NewPage

    from .served import Served

pytestmark = pytest.mark.slow


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[Served]:
    """A server whose folder also has a page with everything that tries to run a script."""
    (tmp_path / "pages").mkdir()
    harm = "".join(f"<div>{vector}</div>" for vector in VECTORS).replace("HIT", "top.hit(1)")
    outside = (
        '<img src="http://evil.invalid/1"><link rel=stylesheet href=http://evil.invalid/2>'
        '<style>@import "http://evil.invalid/3"; p { background: url(//evil.invalid/4) }</style>'
        '<meta http-equiv=refresh content="0;url=http://evil.invalid/5">'
    )
    page = story("Rio").replace("<title>", "<title>&lt;script&gt;top.hit(2)&lt;/script&gt; ")
    page = page.replace("</main>", f"</main>{outside}{harm}")
    (tmp_path / "pages" / "hostile.html").write_text(page, "utf-8", "replace")
    with serving(tmp_path) as found:
        yield found


def logged_in(page: Page, served: Served) -> Page:
    page.goto(served.link)
    page.wait_for_selector(".tiles")
    return page


def opened(page: Page, served: Served, name: str) -> Page:
    page.goto(served.address + served.path("pages", name))
    page.wait_for_selector("html[data-map-ready]")
    return page


def test_the_link_logs_in_and_leaves_no_token_in_the_url_or_the_history(
    served: Served, new_page: NewPage, requests: list[str]
) -> None:
    page = logged_in(new_page(), served)
    assert page.url == f"{served.address}/"
    assert served.access.token not in page.evaluate("document.documentElement.outerHTML")
    page.click(".cells h3 a")
    page.wait_for_selector(".entries")
    assert page.evaluate("document.referrer") == ""
    assert not any(served.access.token in address.partition("#")[0] for address in requests)
    assert page.evaluate("document.cookie") == ""


def test_all_colours_of_the_legend_have_one_size(served: Served, new_page: NewPage) -> None:
    page = opened(logged_in(new_page(), served), served, "Oslo.html")
    boxes = [swatch.bounding_box() for swatch in page.locator(".legend .swatch").all()]
    sizes = {(round(box["width"]), round(box["height"])) for box in boxes if box}
    assert len(boxes) >= 3
    assert sizes == {(22, 16)}


def test_who_has_no_link_can_paste_the_token(served: Served, new_page: NewPage) -> None:
    page = new_page()
    page.goto(served.address)
    page.fill("#token", "wrong")
    page.press("#token", "Enter")
    page.locator("#message", has_text="wrong").wait_for()
    page.fill("#token", served.access.token)
    page.press("#token", "Enter")
    page.wait_for_selector(".tiles")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_all_pages_fit_and_axe_core_finds_nothing(
    served: Served, new_page: NewPage, violations: Accessibility, width: int, scheme: str
) -> None:
    page = new_page(width, color_scheme=scheme)
    page.goto(served.address)
    page.wait_for_selector("#token")
    assert violations(page) == []

    def check() -> None:
        page.wait_for_load_state("load")  # before, the page may stand without its style
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
        assert violations(page) == [], page.url

    logged_in(page, served)
    check()
    opened(page, served, "Oslo.html")
    check()
    page.frame_locator("#page-frame").locator(".insert p").click()
    check()
    page.get_by_role("button", name="This does not belong to the article").click()
    page.wait_for_selector("#accept")
    check()
    page.click("#accept")
    page.wait_for_selector(".banner")
    check()
    page.goto(f"{served.address}/sites/{SITE}")
    page.wait_for_selector("[data-take-back]")
    check()


def test_teaching_works_with_the_keyboard_alone(served: Served, new_page: NewPage) -> None:
    page = opened(logged_in(new_page(), served), served, "Oslo.html")
    frame = page.frame_locator("#page-frame")
    frame.locator("[tabindex='0']").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#reason-text").inner_text().startswith(PROMO.format(town="Oslo")[:30])
    page.get_by_role("button", name="This does not belong to the article").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#accept")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".banner")
    assert len(served.corrections) == 1


def test_what_was_said_can_be_taken_back_before_and_after_it_is_accepted(
    served: Served, new_page: NewPage
) -> None:
    page = opened(logged_in(new_page(), served), served, "Oslo.html")
    box = page.frame_locator("#page-frame").locator(".insert p")
    say = page.get_by_role("button", name="This does not belong to the article")
    box.click()
    say.click()
    page.click("#cancel")
    assert not page.locator("#reason").is_visible()
    assert not served.file.exists()
    box.click()
    say.click()
    page.click("#accept")
    page.wait_for_selector(".banner")
    assert len(served.corrections) == 1
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(lambda url: "accepted" not in url)
    assert len(served.corrections) == 0


def test_a_hostile_page_runs_nothing_and_asks_for_nothing(
    hostile: Served, new_page: NewPage, requests: list[str]
) -> None:
    page = new_page()
    page.add_init_script("window.hits = []; window.hit = (n) => window.hits.push(n)")
    opened(logged_in(page, hostile), hostile, "hostile.html")
    page.evaluate(
        "document.getElementById('page-frame').contentDocument.querySelectorAll('*')"
        ".forEach(e => ['click', 'mouseover', 'focus'].forEach(k => e.dispatchEvent(new Event(k))))"
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.hits") == []
    page.goto(hostile.address + hostile.path("frame", "hostile.html"))
    page.goto(f"{hostile.address}/sites/{SITE}")
    assert page.evaluate("window.hits") == []
    assert all(address.startswith((hostile.address, "data:")) for address in requests)
