"""The items of any project get the text, whatever their field for it is called."""

from dataclasses import dataclass
from typing import Any

import attrs
import pydantic
import pytest
from itemadapter import ItemAdapter
from scrapy import Field, Item
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from newsclean.pipelines.output import FieldMap

from .pages import crawler_with
from .test_export import exported


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
