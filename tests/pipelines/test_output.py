"""The article is exported as itself, or in a third-party item, whatever its fields are called."""

import os
import subprocess
import sys
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Optional

import attrs
import pydantic
import pytest
from itemadapter import ItemAdapter
from scrapy import Field, Item
from scrapy.exceptions import UsageError
from scrapy.http import HtmlResponse
from scrapy.settings import Settings

from newsclean.article import Article
from newsclean.items import PageItem
from newsclean.pipelines.output import ExportPipeline, FieldMap

from .pages import crawler_with

ROOT = Path(__file__).parents[2]
RAW = "<p>It rains.<script>x()</script>"
ARTICLE = Article(
    url="https://example.org/1",
    headline="Rain",
    body="It rains.",
    body_html="<p>It rains.</p>",
    is_article=True,
)


class StoryItem(Item):
    body = Field()
    headline = Field()
    page = Field()


@dataclass
class StoryRecord:
    headline: str | None = None
    teaser: str | None = None


def exported(own: Any = None, *, is_article: bool = True, **settings: Any) -> Any:
    response = HtmlResponse("https://example.org/1", body=RAW.encode(), encoding="utf-8")
    article = ARTICLE if is_article else replace(ARTICLE, is_article=False)
    item = PageItem(response, third_party_item=own)
    item.article = article
    return ExportPipeline.from_crawler(crawler_with(**settings)).process_item(item)


def test_an_article_of_our_own_spider_leaves_as_itself() -> None:
    assert exported() is ARTICLE


def test_an_item_that_is_no_article_passes() -> None:
    item = {"url": "https://example.org/teaser"}
    assert ExportPipeline.from_crawler(crawler_with()).process_item(item) is item


def test_a_dict_gets_all_fields_and_keeps_its_own() -> None:
    item = exported({"headline": "Mine", "rank": 7})
    assert (item["headline"], item["rank"]) == ("Mine", 7)
    assert (item["body"], item["is_article"]) == ("It rains.", True)


def test_an_item_gets_the_fields_that_it_declares() -> None:
    item = exported(StoryItem(body="raw text of a selector"))
    assert dict(item) == {"body": "It rains.", "headline": "Rain"}


@pytest.mark.parametrize("raw", [RAW, RAW.encode()])
def test_a_field_with_the_raw_page_gets_the_clean_html(raw: str | bytes) -> None:
    assert exported(StoryItem(page=raw))["page"] == "<p>It rains.</p>"


def test_an_item_without_a_place_for_the_text_is_reported_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record = exported(StoryRecord())
    assert (record.headline, record.teaser) == ("Rain", None)
    assert caplog.text.count("StoryRecord has no field 'body'") == 1


def test_of_a_page_that_is_not_an_article_the_item_keeps_what_it_has() -> None:
    item = exported({"section": "Sport", "text": "12 games", "page": RAW}, is_article=False)
    assert (item["section"], item["text"], item["page"]) == ("Sport", "12 games", RAW)
    assert item["is_article"] is False


@pytest.mark.process
def test_the_fields_of_an_item_come_in_the_same_order_each_time() -> None:
    code = (
        "from tests.pipelines.test_output import exported, StoryItem\n"
        "print(list(exported({'rank': 7, 'content': 'raw'})), list(exported(StoryItem(page='x'))))"
    )
    orders = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(orders) == 1
    assert orders.pop().startswith("['rank', 'content', 'id', 'url', 'canonical_url', 'site', ")


@dataclass(frozen=True)
class FrozenRecord:
    rank: int
    body: str = "the selector's own"


def test_an_item_that_cannot_be_changed_passes_and_is_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record = exported(FrozenRecord(7))
    assert record == FrozenRecord(7)
    assert caplog.text.count("FrozenRecord: field 'body' not filled") == 1


class TextItem(Item):
    url = Field()
    text = Field()


@dataclass
class ArticleRecord:
    url: str
    article_body: str = ""


@attrs.define
class AttrsRecord:
    url: str
    content: str | None = None


class Model(pydantic.BaseModel):
    url: str
    fullText: str = ""  # noqa: N815


URL = "https://example.org/1"


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ({"url": URL, "content": "raw"}, "content"),
        (TextItem(url=URL, text="raw"), "text"),
        (TextItem(url=URL), "text"),
        (ArticleRecord(URL, "raw"), "article_body"),
        (AttrsRecord(URL), "content"),
        (Model(url=URL), "fullText"),
    ],
)
def test_the_one_field_with_a_name_for_the_text_gets_it(
    item: Any, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    done = exported(item)
    assert done is item
    assert ItemAdapter(done)[name] == "It rains."
    assert ItemAdapter(done)["url"] == URL
    assert caplog.text.count(f"NEWSCLEAN_FIELDS = {{'{name}': 'body'}}") == 1


def test_a_guess_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    fields = FieldMap(Settings())
    for _ in range(3):
        assert fields.places(ItemAdapter(TextItem()))["text"] == "body"
    assert caplog.text.count("NEWSCLEAN_FIELDS") == 1


def test_a_field_in_which_the_spider_has_markup_gets_html() -> None:
    item = exported({"content": "<div><p>It rains.</p><p>Subscribe!</p></div>"})
    assert item["content"] == "<p>It rains.</p>"
    assert item["body"] == "It rains."


def test_a_field_in_which_the_spider_has_a_list_gets_a_list_of_paragraphs() -> None:
    assert exported({"content": ["It rains.", "Subscribe!"]})["content"] == ["It rains."]


def test_of_several_fields_for_the_text_none_is_changed_and_it_is_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    item = exported({"content": "one", "full_text": "two"})
    assert (item["content"], item["full_text"], item["body"]) == ("one", "two", "It rains.")
    assert caplog.text.count("several fields for the article's text (content, full_text)") == 1


def test_an_item_with_a_field_body_needs_no_guess() -> None:
    item = exported({"body": "raw", "text": "a teaser"})
    assert (item["body"], item["text"]) == ("It rains.", "a teaser")


def test_the_setting_says_which_field_gets_what() -> None:
    fields = {"lead": "headline", "words": "body", "nowhere": "language"}
    item = exported({"text": "mine", "lead": ""}, NEWSCLEAN_FIELDS=fields)
    assert (item["text"], item["lead"], item["words"]) == ("mine", "Rain", "It rains.")
    assert not {"headline", "body"} & set(item)


def test_the_setting_may_come_from_the_command_line() -> None:
    item = exported(TextItem(), NEWSCLEAN_FIELDS='{"text": "body_html"}')
    assert item["text"] == "<p>It rains.</p>"


def test_with_an_empty_setting_nothing_is_guessed() -> None:
    assert exported({"content": "mine"}, NEWSCLEAN_FIELDS={})["content"] == "mine"


def test_what_the_spider_has_read_itself_stays_in_a_mapped_field_but_for_the_text() -> None:
    item = exported({"title": "Mine"}, NEWSCLEAN_FIELDS={"title": "headline"})
    assert item["title"] == "Mine"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"content": "bdoy"}, "'content' is to get 'bdoy', .* did you mean 'body'"),
        ("content", "NEWSCLEAN_FIELDS='content': it takes a dict"),
    ],
)
def test_a_wrong_map_is_refused(value: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        crawler_with(NEWSCLEAN_FIELDS=value)


class StrictModel(pydantic.BaseModel, validate_assignment=True):
    body: str = ""
    revision: str = "mine"


def test_a_field_of_another_type_stays_as_it_was(caplog: pytest.LogCaptureFixture) -> None:
    item = exported(StrictModel())
    assert (item.body, item.revision) == ("It rains.", "mine")
    assert caplog.text.count("StrictModel: field 'revision' not filled") == 1


PICTURE = "https://example.org/rain.jpg"
PUBLISHED = "2026-03-01T09:00:00+00:00"
MOMENT = datetime(2026, 3, 1, 9, tzinfo=UTC)
WHOLE_ARTICLE = Article(
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


def fill(item: Any, export: ExportPipeline | None = None, article: Article = WHOLE_ARTICLE) -> Any:
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
    assert (done["author"], done["authors"]) == (WHOLE_ARTICLE.authors, WHOLE_ARTICLE.authors)
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

    assert fill(Record())["authors"] == WHOLE_ARTICLE.authors
