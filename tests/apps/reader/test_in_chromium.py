"""The pages in a real browser: they fit, they can be used, and they ask for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .demo_lines import demo_lines
from .lines import line, read, write_lines

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.chromium_page import Accessibility, NewPage

pytestmark = pytest.mark.slow

LONG = "Donaudampfschifffahrtsgesellschaft" * 12
CELLS = "".join(f"<td>a value in column {n}</td>" for n in range(30))
WIDE = (
    f"<h4>Figures</h4><p>{LONG} https://example.org/{LONG}</p>"
    f"<table><tbody><tr>{CELLS}</tr></tbody></table><pre>{LONG} {LONG}</pre>"
    f"<ul><li>{LONG}<ol><li>{LONG}</li></ol></li></ul><dl><dt>{LONG}</dt><dd>{LONG}</dd></dl>"
    f'<figure><img src="https://pictures.invalid/a.png" width="4000" height="200" alt="{LONG}">'
    f"<figcaption>{LONG}</figcaption></figure><blockquote><p><code>{LONG}</code></p></blockquote>"
    '<p><a href="https://example.org/x"><img src="https://pictures.invalid/b.png"></a></p>'
)
HOSTILE = (
    '<img src="http://evil.invalid/1" onerror="document.title=1"><script src="http://evil.invalid/2">'
    '</script><link rel=stylesheet href="http://evil.invalid/3"><iframe src="http://evil.invalid/4">'
    '</iframe><style>@import "http://evil.invalid/5"</style><b>bold'
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with articles of all kinds."""
    file = write_lines(
        tmp_path / "articles.jsonl",
        line(1, headline=LONG, section=LONG, site=LONG, authors=[LONG], body_html=WIDE, lead=LONG),
        line(2, headline="المطر يعود إلى المدينة", language="ar", body_html="<p>عاد المطر.</p>"),
        line(
            3, headline="雨が町に戻る", language="ja", body_html="<p>九日間、雨が降り続いた。</p>"
        ),
        line(4, language=None, keywords=["rain", LONG], kicker="Weather"),
        line(5, language="de", embeds=[{"provider": "Video", "address": "https://example.org/v"}]),
        *(line(n) for n in range(6, 120)),
    )
    assert read(tmp_path / "site", file) == 0
    return tmp_path / "site"


def samples(site: Path) -> list[str]:
    lists = ["index.html", "page-1.html", "sites.html", "days.html", "sites/example.org/index.html"]
    articles = [path for n in range(1, 6) for path in site.glob(f"articles/*/rain-{n}-*.html")]
    assert len(articles) == 5
    sections = site.glob("sites/*/sections/*/index.html")
    return [path.as_uri() for path in (*(site / name for name in lists), *sections, *articles)]


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_scrolls_sideways(site: Path, new_page: NewPage, width: int) -> None:
    page = new_page(width)
    for address in samples(site):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert page.evaluate("getComputedStyle(document.body).margin") == "0px", "no style"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_core_finds_nothing(
    site: Path, new_page: NewPage, violations: Accessibility, scheme: str
) -> None:
    page = new_page(390, color_scheme=scheme)
    for address in samples(site):
        page.goto(address)
        assert violations(page) == [], address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_pages_of_the_demo_fit_and_axe_core_finds_nothing(
    tmp_path: Path, new_page: NewPage, violations: Accessibility, width: int, scheme: str
) -> None:
    file = write_lines(tmp_path / "demo.jsonl", *demo_lines(each=2))
    assert read(tmp_path / "site", file) == 0
    page = new_page(width, color_scheme=scheme)
    site = tmp_path / "site"
    kinds = (
        "index.html",
        "sites.html",
        "days.html",
        "sites/*/index.html",
        "sites/*/*/*/index.html",
    )
    lists = [sorted(site.glob(kind))[0] for kind in (*kinds, "days/*/index.html")]
    articles = sorted(site.glob("articles/*/*.html"))
    assert len(articles) == 8
    for path in (*lists, *articles):
        address = path.as_uri()
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert violations(page) == [], address


def test_a_page_is_printed_and_read_from_right_to_left(site: Path, new_page: NewPage) -> None:
    (path,) = site.glob("articles/*/rain-2-*.html")
    page = new_page()
    page.goto(path.as_uri())
    assert page.evaluate("getComputedStyle(document.querySelector('.body p')).direction") == "rtl"
    page.emulate_media(media="print")
    assert not page.locator("header.top").is_visible()
    assert page.locator("h1").is_visible()


def test_a_line_holds_about_65_letters(tmp_path: Path, new_page: NewPage) -> None:
    text = "It has rained in the town for nine days, and the river is as high as it ever was. " * 40
    file = write_lines(tmp_path / "one.jsonl", line(1, body_html=f"<p>{text}</p>"))
    read(tmp_path / "site", file)
    (path,) = (tmp_path / "site").glob("articles/*/*.html")
    page = new_page()
    page.goto(path.as_uri())
    lines = page.evaluate(
        "(p => { const r = document.createRange(); r.selectNodeContents(p);"
        " return new Set([...r.getClientRects()].map(b => b.top)).size })"
        "(document.querySelector('.body p'))"
    )
    assert 55 <= len(text) / lines <= 75


def test_hostile_lines_show_as_text_and_ask_for_nothing(
    tmp_path: Path, new_page: NewPage, requests: list[str]
) -> None:
    names = ("headline", "kicker", "lead", "description", "publisher", "section", "site", "body")
    fields: dict[str, object] = dict.fromkeys(names, HOSTILE)
    fields |= {"authors": [HOSTILE], "keywords": [HOSTILE], "language": '"><script>x</script>'}
    fields |= {"image": "javascript:x", "body_html": "", "date_published": HOSTILE}
    fields["embeds"] = [{"provider": HOSTILE, "address": "javascript:x", "text": HOSTILE}]
    file = write_lines(tmp_path / "hostile.jsonl", line(1, **fields))
    site = tmp_path / "site"
    assert read(site, file, "--title", HOSTILE) == 0
    page = new_page()
    for path in site.rglob("*.html"):
        page.goto(path.as_uri())
        assert page.evaluate("document.querySelectorAll('script, iframe, img, b').length") == 0
        assert page.title() != "1"
    (path,) = site.glob("articles/*/*.html")
    page.goto(path.as_uri())
    assert page.locator("h1").inner_text().startswith('<img src="http://evil.invalid/1"')
    assert requests
    assert all(address.startswith("file:") for address in requests)


def test_only_the_pictures_of_the_article_are_asked_for_and_none_without_images(
    tmp_path: Path, new_page: NewPage, requests: list[str]
) -> None:
    body = f'<p>Rain</p><img src="https://pictures.invalid/a.png">{HOSTILE}'
    file = write_lines(tmp_path / "one.jsonl", line(1, body_html=body))
    for option in ([], ["--no-images"]):
        requests.clear()
        site = tmp_path / f"site{len(option)}"
        read(site, file, *option)
        (path,) = site.glob("articles/*/*.html")
        page = new_page()
        page.goto(path.as_uri())
        page.wait_for_timeout(200)
        asked = {address for address in requests if not address.startswith("file:")}
        pictures = {"https://pictures.invalid/a.png", "http://evil.invalid/1"}
        assert asked == (set() if option else pictures)
