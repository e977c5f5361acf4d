"""Walls are told from pages, and no page is taken for a wall."""

import pytest

from newsclean.extraction.extractor import extract
from newsclean.extraction.is_article.walls import RepeatedPages, Wall, wall_of_answer, wall_of_page
from newsclean.extraction.page import Page

from .wall_pages import URL, WALLS, WallPage

TEXT = "In the morning the town clerk counted the wagons and wrote their number into his book. "


def recognised(wall: WallPage) -> Wall | None:
    """What the middleware and the pipeline find, one after the other."""
    start = URL if wall.url != URL else None
    body = wall.html.encode()
    found = wall_of_answer(wall.status, wall.headers, body, wall.url, start)
    if found is None and wall.status == 200:
        found = wall_of_page(Page.from_html(wall.html, wall.url), start)
    return found


@pytest.mark.parametrize("name", WALLS)
def test_each_wall_is_recognised_with_its_kind(name: str) -> None:
    found = recognised(WALLS[name])
    assert found is not None
    assert found.kind == WALLS[name].kind
    assert found.reason == f"blocked/{found.kind}"


@pytest.mark.parametrize(
    "html",
    [
        f"<article><h1>The fair</h1><p>{TEXT}</p></article><form><input type=password></form>",
        f'<meta property="og:type" content="article"><h1>The fair</h1><p>{TEXT}'
        "<form>Subscribe to read on <input type=password></form>",
        '<script type="application/ld+json">{"@type": "NewsArticle"}</script>'
        f"<h1>The fair</h1><p>{TEXT}</p><form><input type=password></form>",
    ],
)
def test_an_article_whose_teaser_stands_before_a_paywall_is_no_wall(html: str) -> None:
    assert wall_of_page(Page.from_html(html, URL)) is None


@pytest.mark.parametrize(
    "html",
    [
        # what the same products add to the pages that they let through
        f"<h1>The fair</h1><p>{TEXT * 9}</p><script src='https://js.datadome.co/tags.js'></script>",
        "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script><p>It rains.",
        "<script src='/_Incapsula_Resource?SWJIYLWA=1'></script><p>It rains.",
        # a form for comments
        f'<p>{TEXT * 12}</p><form><div class="g-recaptcha"></div></form>',
        # a banner about cookies under a short report
        f"<h1>The fair</h1><p>{TEXT * 3}</p><div>We use cookies to keep this site running and ask "
        "for your consent.<button>Accept</button></div>",
        # a report about cookies
        f"<h1>Court rules on cookies</h1><p>{'The consent to cookies was not given. ' * 9}</p>",
        # a shell that waits for its scripts, with a consent manager and a log-in for them
        "<div id=root></div><script src=https://cdn.example.net/consent.js></script>",
        "<div id=main></div><form style='display: none'><input type=password></form>",
    ],
)
def test_a_page_is_no_wall(html: str) -> None:
    assert wall_of_page(Page.from_html(html, URL)) is None


def test_a_page_of_a_protected_site_is_no_wall() -> None:
    headers = {"x-datadome": "protected", "x-kpsdk-ct": "1", "server": "ddos-guard"}
    assert wall_of_answer(200, headers, b"<p>It rains.", URL) is None
    assert wall_of_answer(404, headers, b"<p>Not found.", URL) is None
    assert wall_of_answer(503, {}, b"<p>We are busy.", URL) is None


def test_a_redirect_to_another_article_is_no_wall() -> None:
    page = Page.from_html(f"<p>{TEXT}", "https://example.org/news/1001-login-data-stolen")
    assert wall_of_page(page, URL) is None


def test_the_same_form_under_several_urls_is_a_wall() -> None:
    page = Page.from_html("<p>Please confirm your visit.</p><form><button>Go</button></form>")
    other = Page.from_html("<p>Write to us.</p><form><button>Send</button></form>")
    repeated = RepeatedPages()
    found = [repeated.wall_of(page, "example.org", f"{URL}-{number}") for number in (1, 1, 2, 3, 4)]
    assert [wall is not None for wall in found] == [False, False, False, True, True]
    assert repeated.wall_of(other, "example.org", f"{URL}-5") is None
    assert repeated.wall_of(page, "example.net", f"{URL}-5") is None


def test_the_same_shell_under_several_urls_is_no_wall() -> None:
    page = Page.from_html("<div id=root></div><form></form><script src=/app.js></script>")
    repeated = RepeatedPages()
    assert not any(repeated.wall_of(page, "example.org", f"{URL}-{n}") for n in range(9))


def test_a_saved_wall_is_no_article() -> None:
    article = extract(WALLS["a consent page in place of the page"].html, url=URL)
    assert not article.is_article
    assert article.extraction["no_article"] == "blocked/consent"
