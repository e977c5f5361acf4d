import html
import json

import pytest

from newsclean.extraction.metadata.page_sources import is_article

from .pages import read, script


@pytest.mark.parametrize("text", ["", "null", "[" * 100_000, '{"a":' * 50_000, "9" * 10_000])
def test_hostile_scripts_do_not_raise(text: str) -> None:
    read(script(text))


@pytest.mark.parametrize("text", ['"' + '\\"' * 200_000, "/*" * 200_000, " " * 400_000 + "x"])
def test_hostile_scripts_are_read_in_linear_time(text: str) -> None:
    read(script("{" + text))


def test_subtypes_of_article_are_articles() -> None:
    for name in ("NewsArticle", "http://schema.org/BlogPosting", "schema:OpinionNewsArticle"):
        assert is_article({"@type": name})
    for other in ("WebPage", "JobPosting", ["Product"], None, 3):
        assert not is_article({"@type": other})


def test_the_article_is_found_in_a_graph_and_its_author_by_reference() -> None:
    graph = [
        {"@type": "WebSite", "name": "Daily News"},
        {"@type": "NewsArticle", "headline": "Rain", "author": {"@id": "#ann"}},
        {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
    ]
    page = read(script({"@graph": graph}))
    assert page.headline == "Rain"
    assert page.authors == ["Ann Lee"]
    assert page.site_name == "Daily News"
    assert page.types == ["WebSite", "NewsArticle", "Person"]


def test_the_article_is_found_inside_a_web_page() -> None:
    nested = {"@type": "WebPage", "mainEntity": [{"@type": ["Article"], "headline": "Rain"}]}
    assert read(script(nested)).headline == "Rain"


def test_an_article_in_a_list_of_related_ones_is_not_the_page() -> None:
    related = {"@type": "ListItem", "item": {"@type": "NewsArticle", "headline": "Snow"}}
    page = read(script({"@type": "ItemList", "itemListElement": [related]}))
    assert page.headline is None
    assert page.types == ["ItemList"]


def test_of_several_articles_the_one_with_the_url_of_the_page_is_taken() -> None:
    snow = {"@type": "NewsArticle", "headline": "Snow", "url": "https://example.org/snow"}
    rain = {"@type": "NewsArticle", "headline": "Rain", "url": "http://www.example.org/rain/"}
    assert read(script([snow, rain]), url="https://example.org/rain?x=1").headline == "Rain"
    assert read(script([snow, rain])).headline == "Snow"


def test_dates_of_the_web_page_serve_where_the_article_has_none() -> None:
    graph = [
        {"@type": "Article", "headline": "Rain"},
        {"@type": "WebPage", "datePublished": "2024-03-01"},
    ]
    assert read(script({"@graph": graph})).date_published == "2024-03-01"


def test_json_ld_in_a_meta_element_is_read_as_that_of_a_script() -> None:
    article = {"@type": "Article", "datePublished": "2024-03-01", "author": {"name": "Ann Lee"}}
    content = html.escape(json.dumps(article))
    page = read(f'<meta name="script:ld+json" content="{content}">')
    assert (page.date_published, page.authors) == ("2024-03-01", ["Ann Lee"])
