"""Section, keywords, and whether an article is free to read."""

from collections.abc import Mapping

import pytest

from newsclean.extraction.extractor import extract

from .pages import read, script, visible

URL = "https://example.org/sport/2026/03/14/who-won"


def article(**fields: object) -> str:
    return script({"@type": "NewsArticle", "headline": "Who won the cup", **fields})


def trail(*items: Mapping[str, object]) -> str:
    listed = [{"@type": "ListItem", "position": n, **item} for n, item in enumerate(items, 1)]
    return script({"@type": "BreadcrumbList", "itemListElement": listed})


def test_the_section_is_what_the_json_ld_of_the_article_says() -> None:
    head = '<meta property="article:section" content="News">'
    assert read(head + article(articleSection="Football"), URL).section == "Football"
    assert read(head + article(articleSection=["Rugby", "Sport"]), URL).section == "Rugby"
    assert read(head + article(), URL).section == "News"


@pytest.mark.parametrize(
    "name",
    ["article:section", "parsely-section", "sailthru.section", "section", "articleSection"],
)
def test_meta_elements_name_the_section_under_many_names(name: str) -> None:
    assert read(f'<meta name="{name}" content=" Arts &amp;amp; Life ">').section == "Arts & Life"


def test_microdata_names_the_section() -> None:
    assert read('<meta itemprop="articleSection" content="Arts">').section == "Arts"


def test_of_breadcrumbs_the_last_one_before_the_article_is_its_section() -> None:
    home = {"name": "Start", "item": "https://example.org/"}
    sport = {"name": "Sport", "item": "https://example.org/sport"}
    cup = {"item": {"@id": "/sport/cup", "name": "The cup"}}
    assert read(trail(home, sport, cup, {"name": "The winner", "item": URL}), URL).section == (
        "The cup"
    )
    assert read(trail(home, sport, {"name": "The winner"}), URL).section == "Sport"
    assert read(trail(home, {"name": "The winner"}), "https://example.org/1").section is None


@pytest.mark.parametrize(
    "value",
    ["", "17", "null", "Uncategorized", "https://example.org/sport", "Daily News", "word " * 30],
)
def test_what_is_not_a_name_of_a_section_is_passed_over(value: str) -> None:
    site = '<meta property="og:site_name" content="Daily News">'
    head = f'{site}<meta property="article:section" content="{value}">'
    assert read(head, URL).section == "sport"


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("/sport/football/2026/03/14/who-won", "sport/football"),
        ("/sport/football/cup/final/who-won", "sport/football"),
        ("/news/who-won-the-cup-in-the-end.html", "news"),
        ("/en/sport/who-won", "sport"),
        ("/pt-br/esporte/who-won", "esporte"),
        ("/us-news/who-won", "us-news"),
        ("/articles/sport/who-won/", "sport"),
        ("/%D1%81%D0%BF%D0%BE%D1%80%D1%82/who-won", "спорт"),
        ("/2026/03/14/sport/who-won", None),
        ("/article/who-won", None),
        ("/en/who-won", None),
        ("/who-won-the-cup-again/comments", None),
        ("/who-won", None),
        ("/a1b2c3/who-won", None),
        ("/story.php/who-won", None),
        ("/", None),
    ],
)
def test_else_the_folders_of_its_url_tell_the_section(path: str, section: str | None) -> None:
    assert read("<p>It rains.", f"https://example.org{path}").section == section


def test_the_canonical_url_tells_the_section_where_the_own_does_not() -> None:
    head = '<link rel="canonical" href="https://example.org/sport/who-won">'
    assert read(head, "https://example.org/?id=17").section == "sport"
    assert read("", "http://[").section is None


def test_an_article_has_its_section_and_no_category_of_its_own() -> None:
    found = extract("<h1>Who won</h1><p>The town did.", URL)
    assert (found.section, found.category) == ("sport", None)


def test_keywords_are_parted_at_commas_only_where_they_are_one_string() -> None:
    one = {"@type": "Article", "keywords": "rain, wind,rain; snow"}
    several = {"@type": "Article", "keywords": ["Washington, D.C.", {"name": "rain"}]}
    assert read(script(one)).keywords == ["rain", "wind", "snow"]
    assert read(script(several)).keywords == ["Washington, D.C.", "rain"]


@pytest.mark.parametrize(
    ("html", "is_free"),
    [
        (script({"@type": "NewsArticle", "isAccessibleForFree": False}), False),
        (script({"@type": "NewsArticle", "isAccessibleForFree": "True"}), True),
        ('<meta property="article:content_tier" content="locked">', False),
        ('<meta property="article:content_tier" content="free">', True),
        ('<meta name="paywall" content="true">', False),
        ("<p>Subscribe now", None),
    ],
)
def test_a_page_says_whether_it_is_free(html: str, is_free: bool | None) -> None:
    assert visible(html).free_access is is_free
