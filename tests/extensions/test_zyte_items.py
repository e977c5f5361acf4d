"""Items of zyte-common-items, made by the real package."""

import sys
from pathlib import Path
from typing import Any

import pytest
import zyte_common_items
from scrapy.settings import Settings
from zyte_common_items import Article, ArticleList, Author, Image, Video

from newsclean.article import Article as OurArticle
from newsclean.extensions.feed_files import delivered_in
from newsclean.extensions.zyte_items import zyte_article, zyte_article_list
from newsclean.extraction.page import Page
from newsclean.pipelines.output import item_maker
from tests.crawl.demo_sites import HURRY, lines, newsclean
from tests.crawl.small_site import Answer, section, serve, story


class OwnArticle(Article):
    """A subclass, as a project may have one."""


def full_article() -> OurArticle:
    picture: dict[str, Any] = {"caption": None, "credit": None, "width": None, "height": None}
    return OurArticle(
        url="https://example.org/rain",
        canonical_url="https://example.org/rain",
        section="Weather",
        headline="Rain",
        description="It rains.",
        authors=["Ann Lee", "Bo Ek"],
        date_published="2026-03-01T10:00:00+01:00",
        language="en-GB",
        image="https://example.org/other.jpg",
        images=[
            {"url": "https://example.org/in.jpg", "role": "inner", **picture},  # type: ignore[typeddict-item]
            {"url": "https://example.org/lead.jpg", "role": "lead", **picture},  # type: ignore[typeddict-item]
        ],
        embeds=[
            {"provider": "YouTube", "address": "https://www.youtube.com/watch?v=x", "text": None},
            {"provider": "Twitter", "address": "https://twitter.com/i/status/1", "text": "Hi"},
        ],
        body="It rains.\n\nStill.",
        body_html="<p>It rains.</p><p>Still.</p>",
        article_probability=0.98,
        fetched_at="2026-03-01T10:30:00+01:00",
    )


def test_each_field_of_the_table_in_the_docs_is_filled() -> None:
    item = zyte_article(full_article())
    expected = Article.from_dict(
        {
            "url": "https://example.org/rain",
            "canonicalUrl": "https://example.org/rain",
            "headline": "Rain",
            "datePublished": "2026-03-01T10:00:00+01:00",
            "authors": [{"name": "Ann Lee"}, {"name": "Bo Ek"}],
            "breadcrumbs": [{"name": "Weather"}],
            "inLanguage": "en",
            "mainImage": {"url": "https://example.org/lead.jpg"},
            "images": [
                {"url": "https://example.org/in.jpg"},
                {"url": "https://example.org/lead.jpg"},
            ],
            "description": "It rains.",
            "articleBody": "It rains.\n\nStill.",
            "articleBodyHtml": "<p>It rains.</p><p>Still.</p>",
            "videos": [{"url": "https://www.youtube.com/watch?v=x"}],
            "metadata": {"dateDownloaded": "2026-03-01T09:30:00Z", "probability": 0.98},
        }
    )
    expected.audios = None  # `from_dict` makes it an empty list
    assert item == expected
    assert item.authors == [Author(name="Ann Lee"), Author(name="Bo Ek")]
    assert item.mainImage == Image(url="https://example.org/lead.jpg")
    assert item.videos == [Video(url="https://www.youtube.com/watch?v=x")]


def test_what_an_article_lacks_is_none() -> None:
    item = zyte_article(OurArticle(url="https://example.org/x"))
    assert (item.authors, item.images, item.mainImage, item.articleBody) == (None,) * 4


def test_the_articles_of_a_section_page_are_a_list() -> None:
    html = (
        '<nav><a href="/login">Log in to read this page now</a></nav>'
        '<h2><a href="/2026/03/14/mayor-opens-bridge">The mayor opens the new bridge</a></h2>'
        '<h2><a href="/2026/03/13/rain-falls-again">Rain falls again on the west coast</a></h2>'
    )
    url = "https://example.org/news"
    found = zyte_article_list(Page.from_html(html, url), url)
    assert isinstance(found, ArticleList)
    assert [(each.url, each.headline) for each in found.articles or []] == [
        ("https://example.org/2026/03/14/mayor-opens-bridge", "The mayor opens the new bridge"),
        ("https://example.org/2026/03/13/rain-falls-again", "Rain falls again on the west coast"),
    ]


def maker_of(name: str | None, **settings: Any) -> Any:
    return item_maker(Settings({"NEWSCLEAN_ITEM": name, "NEWSCLEAN_INDEX": None} | settings))


def test_the_class_of_the_items_may_be_a_subclass() -> None:
    ours = full_article()
    assert maker_of(None)(ours) is ours
    assert type(maker_of("zyte_common_items.Article")(ours)) is Article
    assert type(maker_of(f"{__name__}.OwnArticle")(ours)) is OwnArticle


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("zyte_common_items.Product", "is not zyte_common_items.Article, nor a subclass"),
        ("zyte_common_items.Artikel", "doesn't define any object named 'Artikel'"),
        ("zyte_common_items.ArticleList", r"possible are .*\.Article .*poet_provider"),
        ("newsclean.extract", "is not zyte_common_items.Article"),
        ("Article", "not a full path"),
    ],
)
def test_another_class_is_refused(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        maker_of(name)


def test_an_index_needs_articles_of_newsclean() -> None:
    with pytest.raises(ValueError, match="NEWSCLEAN_INDEX"):
        maker_of("zyte_common_items.Article", NEWSCLEAN_INDEX="articles.index")


def test_the_extra_is_named_if_the_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zyte_common_items", None)
    with pytest.raises(ValueError, match=r"it needs zyte-common-items: .*pip install .*\[zyte\]"):
        maker_of("zyte_common_items.Article")


@pytest.mark.slow
def test_a_crawl_outputs_such_items_each_once_and_they_are_found_after_a_kill(
    tmp_path: Path,
) -> None:
    titles = {f"/2026/03/0{n}/rain-falls-on-town-{n}": f"Rain falls on town {n}" for n in (1, 2, 3)}
    pages = {path: Answer(story(title)) for path, title in titles.items()}
    with serve({"/": Answer(section(titles)), **pages}) as site:
        option = "-sNEWSCLEAN_ITEM=zyte_common_items.Article"
        for _ in range(2):
            run = newsclean(tmp_path, "crawl", f"{site.url}/", option, *HURRY)
            assert run.exit_code == 0, run.errors
    found = [Article.from_dict(line) for line in lines(tmp_path / "articles.jsonl")]
    assert sorted(item.url for item in found) == sorted(f"{site.url}{path}" for path in pages)
    assert all(item.articleBody and item.headline for item in found)
    # A killed run's articles are looked for in the output.
    run = newsclean(tmp_path, "crawl", f"{site.url}/", "--reextract", "-o", "ours.jsonl")
    assert run.exit_code == 0, run.errors
    states = {(a["url"], a["content_hash"], 1) for a in lines(tmp_path / "ours.jsonl")}
    assert len(states) == len(pages)
    assert delivered_in([tmp_path / "articles.jsonl"], states) == states


def test_a_wrong_class_starts_no_crawl(tmp_path: Path) -> None:
    option = "-sNEWSCLEAN_ITEM=zyte_common_items.Product"
    run = newsclean(tmp_path, "crawl", "http://127.0.0.1:9/", option)
    assert run.exit_code == 2
    assert "NEWSCLEAN_ITEM: zyte_common_items.Product is not" in run.errors
    assert zyte_common_items.Product.__name__ == "Product"
