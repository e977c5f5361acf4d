"""The noise map in a real browser: clicks, keys, sizes, and pages that mean harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newsclean.apps.look.framed_page import look_page
from tests.attack.vectors import VECTORS

from .pages import MENU, extraction_of, story

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium_page import Accessibility, NewPage

pytestmark = pytest.mark.slow

TOWNS = ("Moss", "Hamar", "Bergen")
#: Vectors that are tried on one page together.
BATCH = 25
OUTSIDE = """
<link rel=stylesheet href="http://evil.invalid/1"><link rel=preconnect href="//evil.invalid">
<style>@import "http://evil.invalid/2"; body { background: url(http://evil.invalid/3) }
@font-face { font-family: x; src: url(http://evil.invalid/4) } p { font-family: x }</style>
<img src="http://evil.invalid/5" srcset="http://evil.invalid/6 2x">
<iframe src=//evil.invalid/7></iframe>
<video poster=http://evil.invalid/8 src=http://evil.invalid/9></video>
<p style="background: url(http://evil.invalid/10)">x</p>
<meta http-equiv=refresh content="0;//evil.invalid"><base href=//evil.invalid>
<form action=http://evil.invalid/11><button autofocus>go</button></form>
<a href="http://evil.invalid/12" ping="http://evil.invalid/13">away</a>
"""


#: The smallest contrast (WCAG) of the letters in a marked block to the block's own background.
LEAST_CONTRAST = """body => {
  const light = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\\d.]+/g).map(Number);
    const [r, g, b] = [red, green, blue].map((value) => {
      const part = (value * alpha + 255 * (1 - alpha)) / 255;
      return part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
    });
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const blocks = [...body.querySelectorAll("[data-newsclean-block]")];
  const elements = blocks.flatMap((block) => [block, ...block.querySelectorAll("*")]);
  const contrasts = elements.map((element) => {
    const own = getComputedStyle(element.closest("[data-newsclean-block]"));
    const letters = light(getComputedStyle(element).webkitTextFillColor);
    const [low, high] = [letters, light(own.backgroundColor)].sort((a, b) => a - b);
    return (high + .05) / (low + .05);
  });
  return { blocks: blocks.length, contrast: Math.min(...contrasts) };
}"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "map.html"
    path.write_text(look_page(extraction_of(story("Oslo"), TOWNS)), "utf-8")
    return path


def opened(page: Page, file: Path) -> Page:
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-map-ready]")
    return page


def test_a_click_says_why_in_a_sentence_and_bars(file: Path, new_page: NewPage) -> None:
    page = opened(new_page(), file)
    frame = page.frame_locator("#page-frame")
    frame.get_by_text(MENU).click()
    assert "3 of 3 neighbors" in page.locator("#reason-sentence").inner_text()
    frame.locator("[data-newsclean-kind=article]").first.click()
    assert page.locator("#reason-kind").inner_text() == "Article"
    assert page.locator("#reason-bars li").count() >= 1
    assert page.locator("#reason-bars i").first.bounding_box()["width"] > 5  # type: ignore[index]


def test_the_keyboard_goes_from_block_to_block_and_enter_says_why(
    file: Path, new_page: NewPage
) -> None:
    page = opened(new_page(), file)
    frame = page.frame_locator("#page-frame")
    frame.locator("[tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.locator("#reason-kind").inner_text() == "Date"
    page.keyboard.press("Escape")
    assert not page.locator("#reason").is_visible()
    # And without the frame: every block is a button of a list.
    page.locator(".blocks summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("#reason-kind").inner_text() == "Static noise"


#: The kinds of the blocks with a tint, in the order of the page.
TINTED = """body => [...body.querySelectorAll("[data-newsclean-block]")]
  .filter((block) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(block);
    return backgroundColor !== "rgb(255, 255, 255)" || backgroundImage !== "none";
  }).map((block) => block.dataset.newscleanKind)"""


def test_the_map_opens_with_the_article_and_what_was_removed_is_one_click_away(
    tmp_path: Path, new_page: NewPage
) -> None:
    path = tmp_path / "map.html"
    menu = "".join(f"<p><a href=/{n}>Section {n} of the times</a></p>" for n in range(90))
    html = story("Oslo").replace("<h1>", f"<nav>{menu}</nav><h1>")
    path.write_text(look_page(extraction_of(html, TOWNS)), "utf-8")
    page = opened(new_page(), path)
    frame = page.frame_locator("#page-frame")
    headline = frame.locator("[data-newsclean-kind=headline]")
    in_view = "e => e.getBoundingClientRect().bottom < e.ownerDocument.defaultView.innerHeight"
    assert headline.evaluate(in_view)
    assert page.evaluate("window.scrollY") == 0
    noise = {"static", "dynamic", "other"}
    body = frame.locator("body")
    assert set(body.evaluate(TINTED)) & noise == set()
    assert "article" in body.evaluate(TINTED)
    assert page.locator("#clean").is_visible()
    page.get_by_role("button", name="Removed, and why").click()
    assert set(body.evaluate(TINTED)) <= noise
    assert not page.locator("#clean").is_visible()
    removed = page.locator(".removed")
    assert "on 3 of 3 neighbors" in removed.inner_text()
    removed.get_by_role("button", name=MENU).click()
    assert "Removed as static noise" in page.locator("#reason-sentence").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_and_axe_core_finds_nothing(
    file: Path, new_page: NewPage, violations: Accessibility, width: int, scheme: str
) -> None:
    page = opened(new_page(width, color_scheme=scheme), file)
    page.frame_locator("#page-frame").locator("[data-newsclean-kind=article]").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.get_by_role("button", name="Removed, and why").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []


@pytest.mark.parametrize(
    "style",
    [
        "h1, p { color: #fff }",
        "h1, p { color: #fff; background: #123 url(http://evil.invalid/hero.jpg) }",
        "html body h1.a.b, html body p { color: #fff !important; background: none !important }",
        "h1, p { background: linear-gradient(red, blue); -webkit-text-fill-color: transparent }",
        "h1 span { color: #fff; background: #fff } p { color: transparent; opacity: 1 }",
    ],
)
def test_the_words_of_every_tinted_block_can_be_read(
    tmp_path: Path, new_page: NewPage, style: str
) -> None:
    html = story("Oslo").replace("<h1>", '<h1 class="a b" style="color: #fff !important"><span>')
    assert html != story("Oslo")
    path = tmp_path / "map.html"
    path.write_text(look_page(extraction_of(f"<style>{style}</style>{html}", TOWNS)), "utf-8")
    page = opened(new_page(), path)
    least = page.frame_locator("#page-frame").locator("body").evaluate(LEAST_CONTRAST)
    assert least["blocks"] > 5
    assert least["contrast"] > 7


def test_on_paper_the_whole_page_and_the_article_are_shown(file: Path, new_page: NewPage) -> None:
    page = opened(new_page(), file)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    inside = page.evaluate(
        "document.getElementById('page-frame').contentDocument.documentElement.scrollHeight"
    )
    box = page.locator("#page-frame").bounding_box()
    assert box is not None
    assert box["height"] >= inside - 2
    assert page.locator("#clean").is_visible()
    assert not page.locator(".blocks.all").is_visible()


def test_a_hostile_page_runs_nothing_and_asks_for_nothing(
    tmp_path: Path, new_page: NewPage, requests: list[str]
) -> None:
    page = new_page()
    page.add_init_script("window.hits = []; window.hit = (n) => window.hits.push(n)")
    path = tmp_path / "map.html"
    # Side by side: a vector that is left open must not hide the next one.
    pages = [
        (OUTSIDE,),
        *(VECTORS[n :: len(VECTORS) // BATCH] for n in range(len(VECTORS) // BATCH)),
    ]
    for vectors in pages:
        harm = "".join(f"<div>{vector}</div>" for vector in vectors)
        html = story("Oslo", harm.replace("HIT", "top.hit(1)"))
        path.write_text(look_page(extraction_of(html)), "utf-8")
        opened(page, path)
        for kind in ("click", "mouseover", "focus", "keydown"):
            page.evaluate(
                "kind => document.getElementById('page-frame').contentDocument"
                ".querySelectorAll('*').forEach(e => e.dispatchEvent(new Event(kind)))",
                kind,
            )
        assert page.evaluate("window.hits") == [], vectors
    page.wait_for_timeout(300)
    assert {address.partition(":")[0] for address in requests} <= {"file", "about", "data"}


def test_the_browser_would_have_seen_a_script_that_runs(tmp_path: Path, new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script("window.hits = []; window.hit = (n) => window.hits.push(n)")
    path = tmp_path / "bare.html"
    path.write_text(story("Oslo", "<img src=x: onerror=top.hit(1)>"))
    page.goto(path.as_uri())
    page.wait_for_timeout(200)
    assert page.evaluate("window.hits") == [1]
