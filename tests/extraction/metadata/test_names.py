import pytest

from newsclean.extraction.metadata.bylines import Byline, author_names

from .pages import read, script


@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ("By Ann Lee", ["Ann Lee"]),
        ("Written by: Ann Lee", ["Ann Lee"]),
        ("Von Ann Lee", ["Ann Lee"]),
        ("Von Miller", ["Von Miller"]),
        ("Ann Lee and Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("Ann Lee, Bob Ray and Cid Fox", ["Ann Lee", "Bob Ray", "Cid Fox"]),
        ("Ann Lee, Bob Ray, and Cid Fox", ["Ann Lee", "Bob Ray", "Cid Fox"]),
        ("Ann Lee & Bob Ray; Cid Fox", ["Ann Lee", "Bob Ray", "Cid Fox"]),
        ("Santiago Ramón y Cajal", ["Santiago Ramón y Cajal"]),
        ("Ann Lee, PhD, MD", ["Ann Lee"]),
        ("Ann Lee, Jr.", ["Ann Lee Jr."]),
        ("Ann Lee, Political Editor", ["Ann Lee"]),
        ("Ann Lee | Daily News", ["Ann Lee"]),
        ("Ann Lee for Daily News", ["Ann Lee"]),
        ("Ann Lee (ann.lee@example.org) @annlee", ["Ann Lee"]),
        ("Ann Lee https://example.org/ann", ["Ann Lee"]),
        ("https://www.facebook.com/annlee", []),
        ("@annlee", []),
        ("admin", []),
        ("1234", []),
        ("Ann &amp; Bob Ray", ["Ann & Bob Ray"]),
    ],
)
def test_a_byline_gives_its_names(byline: str, expected: list[str]) -> None:
    assert author_names([Byline(byline)], ["Daily News"]) == expected


def test_a_name_stands_once() -> None:
    assert author_names([Byline("Ann Lee"), Byline("ANN LEE"), Byline("By Ann Lee")]) == ["Ann Lee"]


def test_the_name_of_an_organisation_is_not_taken_apart() -> None:
    office = {"@type": "Organization", "name": "Bureau of Rain and Snow Studies"}
    page = read(script({"@type": "NewsArticle", "author": office}))
    assert page.authors == ["Bureau of Rain and Snow Studies"]


def test_the_site_is_its_own_author_only_if_nobody_else_is_named() -> None:
    site = '<meta property="og:site_name" content="Daily News">'
    alone = script({"@type": "NewsArticle", "author": "Daily News"})
    assert read(site + alone).authors == ["Daily News"]
    assert read(site + alone + '<meta name="author" content="Ann Lee">').authors == ["Ann Lee"]


@pytest.mark.parametrize(
    "author",
    ["Ann Lee", {"name": "Ann Lee"}, [{"name": ["Ann Lee"]}], [["Ann Lee"], None, 3, {"name": {}}]],
)
def test_json_ld_authors_come_in_many_shapes(author: object) -> None:
    assert "Ann Lee" in read(script({"@type": "Article", "author": author})).authors


def test_catalogue_names_are_turned_round() -> None:
    assert read('<meta name="citation_author" content="Lee, Ann">').authors == ["Ann Lee"]


@pytest.mark.parametrize(
    "byline",
    [
        '<a rel="author" href="/a">Ann Lee</a>',
        '<a href="/authors/ann-lee">Ann Lee</a>',
        '<p class="byline">By <b>Ann Lee</b> <i>Rain Correspondent</i> <i>Monday Night</i></p>',
        '<div class="post-author"><span>Ann Lee</span><span>March 1, 2024</span></div>',
        '<div class="byline">By Ann Lee, 1 March 2024</div>',
        '<div class="byline">By Ann Lee, Friday 1 March 2024</div>',
        '<div class="byline">Von Ann Lee, 1. März 2024</div>',
        '<div class="meta">By Ann Lee, 2024-03-01</div>',
        '<div class="by">By Ann Lee | 2024-03-01</div>',
        "<p>By Ann Lee</p>",
        "<p>By <a href=/x>Ann Lee</a>, staff writer</p>",
    ],
)
def test_a_byline_on_the_page_serves_where_the_head_names_nobody(byline: str) -> None:
    assert read(f"<h1>Rain</h1>{byline}").authors == ["Ann Lee"]


def test_all_authors_of_a_byline_on_the_page_are_read() -> None:
    links = '<p><a rel="author">Ann Lee</a>, <a rel="author">Bob Ray</a></p>'
    assert read(links).authors == ["Ann Lee", "Bob Ray"]


def test_all_authors_before_a_date_are_read() -> None:
    byline = '<div class="byline">By Ann Lee and Bob Ray, 5 January 2024</div>'
    assert read(byline).authors == ["Ann Lee", "Bob Ray"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>By clicking you agree to our <a>Privacy Rules</a></p>",
        "<p>By Monday it had rained for nine days.</p>",
        "<nav><div>By <a>Product Type</a></div></nav>",
        '<p class="byline">Last Updated: <span>March 1, 2024</span></p>',
    ],
)
def test_not_all_that_begins_as_a_byline_is_one(html: str) -> None:
    assert read(html).authors == []


def test_the_author_of_a_comment_is_not_the_author_of_the_page() -> None:
    assert read('<span class="comment-author">Ann Lee</span>').authors == []
