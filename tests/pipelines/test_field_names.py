"""Third-party items get headline, authors, date, description and image under their own names."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Optional

import attrs
import pydantic
import pytest
from itemadapter import ItemAdapter
from scrapy import Field, Item
from scrapy.http import HtmlResponse

from newsclean.article import Article
from newsclean.items import PageItem
from newsclean.pipelines.output import ExportPipeline

from .pages import crawler_with

URL = "https://example.org/1"
PICTURE = "https://example.org/rain.jpg"
PUBLISHED = "2026-03-01T09:00:00+00:00"
MOMENT = datetime(2026, 3, 1, 9, tzinfo=UTC)
ARTICLE = Article(
    url=URL,
    headline="Rain",
    authors=["Ada Berg", "Ole Dahl"],
    date_published=PUBLISHED,
    description="It will go on.",
    image=PICTURE,
    body="It rains.",
    body_html="<p>It rains.</p>",
    is_article=True,
)


def exporter(**settings: Any) -> ExportPipeline:
    return ExportPipeline.from_crawler(crawler_with(**settings))


def fill(item: Any, export: ExportPipeline | None = None, article: Article = ARTICLE) -> Any:
    """The item as a dict, once the article is in it."""
    response = HtmlResponse(URL, body=b"<p>It rains.", encoding="utf-8")
    page = PageItem(response, third_party_item=item)
    page.article = article
    done = (export or exporter()).process_item(page)
    assert done is item
    return ItemAdapter(done).asdict()


@attrs.define(kw_only=True)
class Author:
    name: str | None = None
    url: str | None = None


@attrs.define(kw_only=True)
class Image:
    url: str


@attrs.define(kw_only=True)
class ZyteArticle:
    """The fields of zyte-common-items, in their types."""

    url: str
    headline: str | None = None
    datePublished: str | None = None  # noqa: N815
    authors: list[Author] | None = None
    mainImage: Image | None = None  # noqa: N815
    description: str | None = None
    articleBody: str | None = None  # noqa: N815


@dataclass
class NewspaperArticle:
    title: str = ""
    authors: list[str] = field(default_factory=list)
    publish_date: datetime | None = None
    summary: str = ""
    top_image: str = ""
    text: str = ""


class TrafilaturaDocument(Item):
    title = Field()
    author = Field()
    date = Field()
    description = Field()
    image = Field()
    text = Field()


class Person(pydantic.BaseModel):
    name: str


class SchemaOrgArticle(pydantic.BaseModel):
    headline: Optional[str] = None  # noqa: UP045
    author: Person | None = None
    datePublished: date | None = None  # noqa: N815
    description: str | None = None
    image: list[str] = []
    articleBody: str = ""  # noqa: N815


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (
            ZyteArticle(url=URL),
            {
                "url": URL,
                "headline": "Rain",
                "datePublished": PUBLISHED,
                "authors": [
                    {"name": "Ada Berg", "url": None},
                    {"name": "Ole Dahl", "url": None},
                ],
                "mainImage": {"url": PICTURE},
                "description": "It will go on.",
                "articleBody": "It rains.",
            },
        ),
        (
            NewspaperArticle(),
            {
                "title": "Rain",
                "authors": ["Ada Berg", "Ole Dahl"],
                "publish_date": MOMENT,
                "summary": "It will go on.",
                "top_image": PICTURE,
                "text": "It rains.",
            },
        ),
        (
            TrafilaturaDocument(),
            {
                "title": "Rain",
                "author": "Ada Berg, Ole Dahl",
                "date": PUBLISHED,
                "description": "It will go on.",
                "image": PICTURE,
                "text": "It rains.",
            },
        ),
        (
            SchemaOrgArticle(),
            {
                "headline": "Rain",
                "author": {"name": "Ada Berg, Ole Dahl"},
                "datePublished": date(2026, 3, 1),
                "description": "It will go on.",
                "image": [PICTURE],
                "articleBody": "It rains.",
            },
        ),
    ],
    ids=["zyte-common-items", "newspaper", "trafilatura", "schema.org"],
)
def test_empty_fields_are_filled_under_the_names_and_in_the_types_of_others(
    item: Any, expected: dict[str, Any]
) -> None:
    assert fill(item) == expected


def test_what_the_spider_has_filled_stays() -> None:
    mine = {"title": "Mine", "author": "Me", "date": "today", "summary": "-", "top_image": "x"}
    assert mine.items() <= fill({"text": "raw", **mine}).items()


def test_a_dict_gets_an_empty_field_filled_and_the_fields_of_the_article() -> None:
    done = fill({"title": "", "author": [], "published": None, "text": "raw"})
    assert (done["title"], done["headline"]) == ("Rain", "Rain")
    assert (done["author"], done["authors"]) == (ARTICLE.authors, ARTICLE.authors)
    assert (done["published"], done["date_published"]) == (PUBLISHED, PUBLISHED)


def test_each_guess_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    export = exporter()
    for _ in range(3):
        fill(TrafilaturaDocument(), export)
    for name, ours in {"title": "headline", "author": "authors", "date": "date_published"}.items():
        assert caplog.text.count(f"NEWSCLEAN_FIELDS = {{{name!r}: {ours!r}}}") == 1
    assert caplog.text.count("NEWSCLEAN_FIELDS") == 4  # and the text


def test_of_several_empty_fields_for_the_headline_none_is_changed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done = fill({"title": "", "news_title": "", "text": "raw"})
    assert (done["title"], done["news_title"], done["headline"]) == ("", "", "Rain")
    assert caplog.text.count("several fields for the article's headline (title, news_title)") == 1


def test_a_field_under_our_own_name_makes_a_guess_needless() -> None:
    done = fill({"headline": "", "title": "", "text": "raw"})
    assert (done["headline"], done["title"]) == ("Rain", "")


@pytest.mark.parametrize("named", [{}, {"text": "body"}])
def test_with_the_setting_nothing_is_guessed(named: dict[str, str]) -> None:
    export = exporter(NEWSCLEAN_FIELDS=named)
    assert fill({"title": "", "text": "raw"}, export)["title"] == ""


def test_an_empty_field_stays_as_it_is_where_the_article_has_nothing() -> None:
    item = NewspaperArticle()
    done = fill(item, article=Article(url=URL, body="It rains.", is_article=True))
    assert done == ItemAdapter(NewspaperArticle(text="It rains.")).asdict()


def test_a_date_that_is_none_stays_a_text_and_is_refused_by_a_strict_class(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Strict(pydantic.BaseModel, validate_assignment=True):
        date: datetime | None = None
        text: str = ""

    article = Article(url=URL, date_published="soon", body="It rains.", is_article=True)
    assert fill(Strict(), article=article) == {"date": None, "text": "It rains."}
    assert "field 'date' not filled" in caplog.text


def test_a_list_stays_a_list_where_another_collection_is_declared() -> None:
    @dataclass
    class Record:
        text: str = ""
        authors: tuple[str, ...] = ()

    assert fill(Record())["authors"] == ARTICLE.authors
