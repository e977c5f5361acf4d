"""What OpenSearch and Elasticsearch are sent of an article."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from newsclean.apps.search.bulk_api import (
    DATES,
    FLAGS,
    LISTS,
    NAMES,
    STORED_OBJECTS,
    STORED_TEXTS,
    TEXTS,
    UnusableLineError,
    index_settings,
    operation_of,
)

from .bulk_rules import bulk_pairs
from .crawl_lines import article_id, line

SCHEMA = json.loads((Path(__file__).parents[3] / "docs/article.schema.json").read_text("utf-8"))
HOSTILE = (
    "<script>alert(1)</script> '; DROP TABLE article; -- NEAR(\"a* \x00 \ud83d \n\r\u2028 "
    '\u202eיום טוב\u202c 🌧️ {"index":{}}\n'
)


def document(**fields: Any) -> dict[str, Any]:
    """The document of an article, in a request that is checked by the rules."""
    ((_, _, source),) = bulk_pairs(operation_of(line(1, **fields)))
    assert source is not None
    return source


def test_the_revision_is_the_version_by_which_an_older_one_never_replaces_a_newer() -> None:
    ((name, meta, _),) = bulk_pairs(operation_of(line(1, revision=7)))
    assert name == "index"
    assert meta == {"_id": article_id(1), "version": 7, "version_type": "external"}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"id": None}, "no id"),
        ({"id": " "}, "no id"),
        ({"id": "ä" * 300}, "more than 512 bytes"),
        ({"revision": "two"}, "its revision 'two'"),
        ({"revision": True}, "its revision True"),
        ({"revision": 2**63}, "its revision"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_with_the_reason(
    fields: dict[str, Any], reason: str
) -> None:
    with pytest.raises(UnusableLineError, match=reason):
        operation_of(line(1, **fields))


def test_hostile_content_stays_in_its_field_and_in_its_line() -> None:
    hostile = dict.fromkeys((*TEXTS, "section", "site", "url", "body_html"), HOSTILE)
    odd = {"authors": [HOSTILE, 7, None], "keywords": "rain", "article_probability": float("nan")}
    stored = {"extraction": {HOSTILE: [HOSTILE, 1]}, "images": [float("inf")], "own": HOSTILE}
    dates = {"date_published": "32 May", "date_modified": 5, "fetched_at": "2026-03-01"}
    found = document(**hostile, **odd, **stored, **dates)
    shown = HOSTILE.replace("\x00", "\ufffd").replace("\ud83d", "\ufffd")
    assert [found[name] for name in hostile] == [shown] * len(hostile)
    assert found["authors"] == [shown]
    assert found["extraction"] == {shown: [shown, 1]}
    assert found["own"] == shown
    assert found["fetched_at"] == "2026-03-01"
    left_out = {"keywords", "article_probability", "images", "date_published", "date_modified"}
    assert not left_out & set(found)


def test_a_text_is_also_in_the_field_of_its_language() -> None:
    german = document(language="de-AT", headline="Die Häuser", body="Es regnet.")
    assert german["text_de"].startswith("Die Häuser")
    assert german["text_de"].endswith("Es regnet.")
    assert not [name for name in document(language="tlh") if name.startswith("text_")]
    assert "text_no" in document(language="nb")


def test_the_mapping_knows_every_field_of_an_article() -> None:
    kinds = (*TEXTS, *NAMES, *LISTS, *DATES, *FLAGS, *STORED_TEXTS, *STORED_OBJECTS)
    assert {*kinds, "revision", "article_probability"} == set(SCHEMA["properties"])
    properties = index_settings()["mappings"]["properties"]
    assert set(SCHEMA["properties"]) <= set(properties)
    analyzers = {field.get("analyzer") for field in properties.values()} - {None}
    assert "newsclean" in analyzers
    assert {"english", "german", "cjk", "thai"} <= analyzers
