"""The schema in docs/ says what comes out."""

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import newsclean
from newsclean.article import MarkdownArticle

PAGE = "<title>Rain</title><h1>Rain</h1><p>It has rained in <b>Bergen</b> for nine days, and on."
SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "article.schema.json").read_text("utf-8"))


def test_the_schema_is_a_schema_and_has_each_field_of_an_article() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    names = {field.name for field in fields(MarkdownArticle)}
    assert names | {"source"} == SCHEMA["properties"].keys()
    assert names - {"markdown"} == set(SCHEMA["required"])


@pytest.mark.parametrize("url", [None, "https://example.org/rain"])
def test_what_is_extracted_is_as_the_schema_says(
    url: str | None, check_line: Callable[[dict[str, Any]], None]
) -> None:
    article = newsclean.extract(PAGE, url)
    check_line(article.to_dict())
    check_line(MarkdownArticle.of(article).to_dict())
    with pytest.raises(AssertionError, match="authors"):
        check_line(article.to_dict() | {"authors": "Ann Lee"})
